// Boxes in a thread of comments, for an answer and for what is said instead of one's own words. A box is made anew with the panel that is closed and opened, with
// another thread, with another host; what was typed stays until it is sent or called off.

import { act, node as nodeWith, redraw, toast } from "../app.js";
import { h } from "../dom/h.js";
import { isComposing } from "../parts/composing.js";
import { button } from "../parts/controls.js";
import { isRefused } from "../protocol/requests.js";
import { textOf } from "../protocol/tree.js";
import { key as words, plain, say } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */
/** What the words of a box are: an answer to a thread, or what a comment or an answer is to say instead.
 * @typedef {"reply" | "edit"} Verb */

/** The box that is open.
 * @type {string | undefined} */
let opened;
/** What stands in a box. `base` is what the box began with, `note` what it is about.
 * @typedef {{verb: Verb, id: string, note: unknown, base: string, text: string}} Draft */
/** What stands in the boxes, by verb and node.
 * @type {Map<string, Draft>} */
const drafts = new Map();
/** @param {Draft | undefined} draft */
const isWritten = (draft) => !!draft?.text.trim() && draft.text !== draft.base;
// Nothing of them would be left.
addEventListener("beforeunload", (event) => {
  if ([...drafts.values()].some(isWritten)) event.preventDefault();
});
/** UTF-16 code units that a comment may have. */
export const most = 10_000;
/** Whether that is too much; then it is said.
 * @param {string} text */
export function isTooLong(text) {
  if (text.trim().length > most) toast(words("failure.comment_too_long", { limit: { count: most } }));
  return text.trim().length > most;
}
/** Whether somebody asked for the box that appears next. */
let isExpected = false;
/** The box that was left with the focus in it.
 * @type {string | undefined} */
let left;
// Somebody goes elsewhere, and is not brought back by what appears later.
addEventListener("focusin", () => (left = undefined));

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
  if (!isWritten(drafts.get(opened))) keep(verb, node, said(verb, node));
  expectBox();
  redraw();
}

/** What a box begins with.
 * @param {Verb} verb @param {Node} node */
const said = (verb, node) => (verb === "edit" ? textOf(node) : "");

/** @param {Verb} verb @param {Node} node @param {string} text @param {string} [base] */
function keep(verb, node, text, base = said(verb, node)) {
  drafts.set(keyOf(verb, node), { verb, id: node.id, note: nodeWith("note.editor")?.facts?.doc, base, text });
}

/** What is written about a note and has no place any more: what it answers or corrects is gone, or nothing can be said there.
 * @param {Node[]} nodes all that can be answered or corrected */
export function strays(nodes) {
  const note = nodeWith("note.editor")?.facts?.doc;
  return [...drafts.values()].filter((draft) => draft.note === note && isWritten(draft) && !nodes.some(({ id, uses }) => id === draft.id && uses?.includes(draft.verb)));
}

/** A box that lost its place. Its words can become a comment of their own.
 * @param {Draft} draft @param {((text: string) => Promise<boolean>) | false | undefined} comment takes them; says whether it did */
export function stray(draft, comment) {
  const key = `${draft.verb} ${draft.id}`;
  const drop = () => {
    drafts.delete(key);
    if (opened === key) opened = undefined;
    redraw();
  };
  const label = plain(names[draft.verb].label);
  return h("div", { key: `stray ${key}`, class: "answer", role: "group", "aria-label": label }, h("p", { class: "quiet" }, say("page.comment.gone")),
    h("textarea", { rows: "2", maxlength: String(most), "aria-label": label, dir: "auto", value: draft.text, made: opened === key ? enter : undefined,
      oninput: (/** @type {any} */ event) => drafts.set(key, { ...draft, text: event.target.value }) }),
    h("div", { class: "comment-actions" }, button("page.cancel", drop, { class: "quiet small" }),
      comment && button("page.comment.instead", async () => { if (await comment(drafts.get(key)?.text ?? draft.text)) drop(); }, { class: "primary small" })));
}

/** What opens a box stands in its place again when it was left, and has the focus.
 * @param {Verb} verb @param {Node} node */
export const returnTo = (verb, node) => (/** @type {HTMLElement} */ element) => {
  if (left !== keyOf(verb, node)) return;
  left = undefined;
  if (document.activeElement === document.body) element.focus();
};

/** @param {Verb} verb @param {Node} node a thread, or what is corrected */
export function box(verb, node) {
  const key = keyOf(verb, node);
  const close = () => {
    if (opened === key) opened = undefined;
    if (!isWritten(drafts.get(key))) drafts.delete(key);
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
    if (isTooLong(text)) return;
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
  const draft = drafts.get(key);
  const newer = verb === "edit" && draft && draft.base !== textOf(node) ? textOf(node) : undefined;
  return h("form", { key: "answer", class: "answer", onsubmit: submit },
    newer !== undefined && h("p", { key: "newer", class: "quiet", dir: "auto" }, say(words("page.comment.newer", { text: { said: newer } }))),
    h("textarea", { key: "text", name: "answer", rows: "2", maxlength: String(most), "aria-label": label, placeholder: label, dir: "auto",
      value: draft?.text ?? said(verb, node), oninput: (/** @type {any} */ event) => keep(verb, node, event.target.value, drafts.get(key)?.base), onkeydown: keys, made: enter }),
    h("div", { class: "comment-actions" }, button("page.cancel", cancel, { class: "quiet small" }), button(names[verb].send, () => {}, { type: "submit", class: "primary small" })));
}

/** Sends what was written. What the host does not take stands in its box again, before what was begun there meanwhile.
 * @param {Verb} verb @param {Node} node @param {string} text */
async function send(verb, node, text) {
  if (!isRefused(await act(node.id, verb, { text }))) return;
  const key = keyOf(verb, node);
  const begun = drafts.get(key);
  const draft = [text, isWritten(begun) && begun?.text].filter(Boolean).join("\n");
  keep(verb, node, draft, begun?.base);
  // What has the focus is written by nobody else.
  const box = /** @type {HTMLTextAreaElement | null} */ (opened === key ? document.querySelector(".answer textarea") : null);
  if (box) box.value = draft;
  opened ??= key;
  toast("page.sent.not");
}
