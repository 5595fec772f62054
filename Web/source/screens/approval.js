// A question of an agent, above the composer. It cannot be missed, and not be answered by accident: nothing is chosen beforehand, for a moment
// after it appeared its buttons do nothing, Enter does nothing, and what is sent names what was shown.

import { connection, redraw, toast } from "../app.js";
import { h } from "../dom/h.js";
import { isRefused } from "../protocol/requests.js";
import { short } from "../words/times.js";
import { key, say } from "../words/words.js";
import { button } from "../parts/controls.js";
import { secretFields } from "../parts/fields.js";
import { toolPart, toolPicture } from "./agent-items.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Milliseconds in which a question cannot be answered: whoever pressed meant what was there before. */
const inert = 600;

/** The questions that are there, and since when just these: whatever comes or goes moves the others.
 * @type {{names: string, since: number}} */
let shown = { names: "", since: 0 };

/** @param {Node} node @param {Node} root */
export function approval(node, root) {
  look(root);
  const isInert = performance.now() - shown.since < inert;
  const parts = node.children ?? [];
  return h("section", { key: node.id, id: node.id, class: "approval", "aria-labelledby": `name.${node.id}` },
    h("header", null, toolPicture(node), h("h2", { id: `name.${node.id}` }, say(node.label)), h("small", null, say(key("page.agent.expires", { time: { said: short(node.facts?.approval?.expires ?? 0) } })))),
    h("div", { class: "approval-body" }, parts.filter(({ role }) => role !== "button").map((part) => (part.role === "secret_field" ? secretFields(part, node.facts?.approval?.input) : part.value ? toolPart(part) : h("p", { key: part.id, class: part.id.endsWith(".title") ? "approval-title" : "quiet" }, say(part.label))))),
    h("div", { class: "approval-answers" }, parts.filter(({ role }) => role === "button").map((answer) => {
      const kind = answer.id.split(".").at(-1) === "reject" ? "danger" : "";
      return button(answer.label, () => void give(answer), { key: answer.id, class: kind, "aria-disabled": isInert ? "true" : null, onkeydown: noEnter });
    })),
    parts.filter(({ role, detail }) => role === "button" && detail).map((answer) => h("small", { key: `${answer.id}.words`, class: "approval-words" }, say(answer.label), " · ", say(answer.detail))));
}

/** @param {Node} node */
const nameOf = (node) => `${node.id} ${node.facts?.approval?.of}`;

/** When a question comes or goes, all are inert again: each may be where another one was. The same holds when they come back to the screen.
 * @param {Node} root */
function look(root) {
  const questions = (root.children ?? []).filter(({ id }) => id.startsWith("approval."));
  const names = questions.map(nameOf).join(" ");
  if (names === shown.names && questions.some(({ id }) => document.getElementById(id))) return;
  begin(names);
}

/** @param {string} names */
function begin(names) {
  shown = { names, since: performance.now() };
  setTimeout(redraw, inert + 20);
}

document.addEventListener("visibilitychange", () => {
  begin(shown.names);
  redraw();
});

/** @param {Node} answer */
async function give(answer) {
  if (performance.now() - shown.since < inert) return;
  // The action names what was shown when it was drawn: what has changed since is not answered by it.
  const code = answer.offers?.[0] && await connection.dispatch(answer.offers[0].action);
  if (isRefused(code)) toast("notice.approval_gone");
}

/** @param {KeyboardEvent} event */
function noEnter(event) {
  if (event.key === "Enter" || event.repeat) event.preventDefault();
}
