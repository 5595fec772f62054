// The sessions with agents, and the agents: a list, on a screen of its own and beside what is open.

import { back, go, ui } from "../app.js";
import { h, memo } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { short } from "../words/times.js";
import { button, iconButton } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { offline } from "../parts/layers.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Screens that belong to agents. */
export const ofAgents = /^(agents|agent|add_agent|agent_settings|agent_(threads|devices)|session_settings|agent_log)$/;

/** @param {Node} root */
export function agents(root) {
  const list = root.id === "agents" ? root : find(root, "agents.beside");
  if (!list) return null;
  const part = (/** @type {string} */ id) => list.children?.find((child) => child.id === `agents.${id}`);
  const isAlone = !ui.isWide;
  const log = part("log");
  return h(isAlone ? "main" : "section", { key: "agents", id: isAlone ? "main" : null, class: "agents", "aria-label": plain("agents") },
    h("header", null, isAlone ? iconButton("chevron-left", "page.back", back) : null, h("h1", null, say("agents")),
      log && iconButton("scroll-text", log.label, () => void go(log.id, "agents")), iconButton("plus", "agents.add", add)),
    offline(),
    h("div", { key: "rows", class: "agents-rows" }, isAlone && part("empty") ? nothing() : null, group(part("sessions"), session), group(part("list"), agent)));
}

/** @param {Node | undefined} list @param {(node: Node) => any} row */
function group(list, row) {
  if (!list?.children?.length) return null;
  return h("section", { key: list.id, "aria-labelledby": `name.${list.id}` }, h("h2", { id: `name.${list.id}` }, say(list.label)), h("ul", null, list.children.map(row)));
}

const session = memo((/** @type {Node} */ node) => h("li", { key: node.id },
  h("button", { type: "button", class: `agent-row is-${node.facts?.session}`, "aria-current": node.is_selected ? "true" : null, onclick: () => void go(node.id, "agents") },
    h("span", { class: "line" }, h("b", null, say(node.label)), node.at ? h("time", null, short(node.at)) : null),
    h("span", { class: "line" }, h("span", { class: "agent-state" }, say(node.detail)),
      node.facts?.unread ? h("span", { class: "badge", "aria-label": plain(key("page.agent.questions", { count: { count: node.facts.unread } })) }, String(node.facts.unread)) : null))));

const agent = memo((/** @type {Node} */ node) => h("li", { key: node.id },
  h("button", { type: "button", class: "agent-row", "aria-current": node.is_selected ? "true" : null, onclick: () => void go(node.id, "agents") },
    h("span", { class: "line" }, icon("bot"), h("b", null, say(node.label))), h("span", { class: "agent-state" }, say(node.detail)))));

/** Beside the list, while nothing is chosen.
 * @param {Node} root */
export function noSession(root) {
  return h("main", { key: "no-session", id: "main", class: "centred" }, find(root, "agents.empty") ? nothing() : h("p", { class: "quiet" }, say("page.agent.choose")));
}

const add = () => void go("agents.add", "agents");

/** What an agent is, and how to get one. */
function nothing() {
  return h("div", { key: "nothing", class: "agents-empty" }, h("span", { class: "glyph" }, icon("bot")), h("p", { class: "lead" }, say("page.agent.what")),
    button("agents.add", add, { class: "primary" }));
}
