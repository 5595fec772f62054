// Boxes in a thread of comments, for an answer and for what is said instead of one's own words. A box is made anew with the panel that is closed and opened, with
// another thread, with another host; what was typed stays until it is sent or called off.

import { act, redraw, toast } from "../app.js";
import { h } from "../dom/h.js";
import { isComposing } from "../parts/composing.js";
import { button } from "../parts/controls.js";
import { isRefused } from "../protocol/requests.js";
import { textOf } from "../protocol/tree.js";
import { plain } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */
/** What the words of a box are: an answer to a thread, or what a comment or an answer is to say instead.
 * @typedef {"reply" | "edit"} Verb */

/** The box that is open.
 * @type {string | undefined} */
let opened;
/** What stands in the boxes, by verb and node.
 * @type {Map<string, string>} */
const drafts = new Map();
// Nothing of them would be left.
addEventListener("beforeunload", (event) => {
  if ([...drafts.values()].some((text) => text.trim())) event.preventDefault();
});
/** Whether somebody asked for the box that appears next. */
let isExpected = false;
/** The box that was left with the focus in it.
 * @type {string | undefined} */
let left;

/** How the two kinds are called.
 * @type {Record<Verb, {label: string, send: string}>} */
const names = { reply: { label: "page.reply", send: "page.reply" }, edit: { label: "page.comment.correct", send: "page.save" } };

/** @param {Verb} verb @param {Node} node */
const keyOf = (verb, node) => `${verb} ${node.id}`;

/** Somebody wants to write in the box that appears next. */
export function expectBox() {
  isExpected = true;
}

/** Goes into a box that appears. One that comes back by itself takes the focus from nobody.
 * @param {HTMLElement | undefined} box */
export function enter(box) {
  if (isExpected || document.activeElement === document.body) box?.focus();
  isExpected = false;
}

/** @param {Verb} verb @param {Node} node */
export const isOpen = (verb, node) => opened === keyOf(verb, node);

/** @param {Verb} verb @param {Node} node a thread, or what is corrected */
export function begin(verb, node) {
  opened = keyOf(verb, node);
  expectBox();
  redraw();
}

/** What opens a box stands in its place again when it was left, and has the focus.
 * @param {Verb} verb @param {Node} node */
export const returnTo = (verb, node) => (/** @type {HTMLElement} */ element) => {
  if (left !== keyOf(verb, node)) return;
  left = undefined;
  element.focus();
};

/** @param {Verb} verb @param {Node} node a thread, or what is corrected */
export function box(verb, node) {
  const key = keyOf(verb, node);
  const close = () => {
    if (opened === key) opened = undefined;
    left = key;
    redraw();
  };
  const cancel = () => {
    drafts.delete(key);
    close();
  };
  /** @param {any} event */
  const submit = (event) => {
    event.preventDefault();
    const text = event.currentTarget.elements.namedItem("answer").value.trim();
    cancel();
    // What has not changed the core leaves as it is; it also knows what is still on its way.
    if (text) void send(verb, node, text);
  };
  /** @param {any} event */
  const keys = (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    if (event.key === "Enter" && !event.shiftKey && !isComposing(event)) { event.preventDefault(); event.currentTarget.form.requestSubmit(); }
  };
  const label = plain(names[verb].label);
  return h("form", { key: "answer", class: "answer", onsubmit: submit }, h("textarea", { name: "answer", rows: "2", maxlength: "10000", "aria-label": label, placeholder: label, dir: "auto",
    value: drafts.get(key) ?? (verb === "edit" ? textOf(node) : ""), oninput: (/** @type {any} */ event) => drafts.set(key, event.target.value), onkeydown: keys, made: enter }),
    h("div", { class: "comment-actions" }, button("page.cancel", cancel, { class: "quiet small" }), button(names[verb].send, () => {}, { type: "submit", class: "primary small" })));
}

/** Sends what was written. What the host does not take stands in its box again, before what was begun there meanwhile.
 * @param {Verb} verb @param {Node} node @param {string} text */
async function send(verb, node, text) {
  if (!isRefused(await act(node.id, verb, { text }))) return;
  const key = keyOf(verb, node);
  const draft = [text, drafts.get(key)].filter(Boolean).join("\n");
  drafts.set(key, draft);
  // What has the focus is written by nobody else.
  const box = /** @type {HTMLTextAreaElement | null} */ (opened === key ? document.querySelector(".answer textarea") : null);
  if (box) box.value = draft;
  opened ??= key;
  toast("page.sent.not");
}
