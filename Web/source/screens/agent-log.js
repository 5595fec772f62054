// What agents asked for, and what became of it: the newest first, each with the command, the folder and the time.

import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { icon } from "../parts/icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function agentLog(root) {
  const entries = root.children?.find(({ id }) => id === "agent_log.entries");
  const empty = root.children?.find(({ id }) => id === "agent_log.empty");
  return h("div", { key: root.id, class: "sheet decisions" },
    empty && h("p", { key: "empty", class: "quiet" }, say(empty.label)),
    entries && h("section", { key: "entries", class: "group", "aria-labelledby": "agent-log-name" },
      h("h2", { id: "agent-log-name", class: "group-name" }, say(entries.label)),
      h("ol", { class: "card" }, entries.children?.map(entry))));
}

const allowed = /^verdict\.(once|always|lasting|before|allowed_by_policy|once_by_member|given)$/;

/** @param {Node} node */
function entry(node) {
  const parts = node.detail && typeof node.detail === "object" && "list" in node.detail ? node.detail.list : [];
  const isAllowed = parts.some((part) => typeof part === "string" && allowed.test(part));
  const lines = node.value && "text" in node.value ? node.value.text.split("\n") : [];
  return h("li", { key: node.id, class: "row decision" },
    h("span", { class: isAllowed ? "row-picture good" : "row-picture" }, icon(isAllowed ? "shield-check" : "x")),
    h("span", { class: "row-words" }, h("span", null, say(node.label)), lines.map((line) => h("code", { dir: "ltr" }, line)), h("small", null, say(node.detail))),
    node.at && h("time", { class: "value", datetime: new Date(node.at).toISOString(), title: whole(node.at) }, short(node.at)));
}
