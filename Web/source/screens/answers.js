// Answers to comments, as far as they are written. A box is made anew with the panel that is closed and opened, with another thread, with
// another host; what was typed stays until it is sent or called off.

import { act, redraw, toast } from "../app.js";
import { h } from "../dom/h.js";
import { isComposing } from "../parts/composing.js";
import { button } from "../parts/controls.js";
import { isRefused } from "../protocol/requests.js";
import { plain } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The thread that is being answered.
 * @type {string | undefined} */
let answered;
/** What stands in the boxes, by thread.
 * @type {Map<string, string>} */
const drafts = new Map();
/** Whether somebody asked for the box that appears next. */
let isExpected = false;

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

/** Whether this thread is being answered.
 * @param {Node} thread */
export const answers = (thread) => answered === thread.id;

/** @param {Node} thread */
export function beginAnswer(thread) {
  answered = thread.id;
  expectBox();
  redraw();
}

/** The box for the answer to a thread.
 * @param {Node} thread */
export function answer({ id }) {
  const close = () => {
    if (answered === id) answered = undefined;
    redraw();
  };
  const cancel = () => {
    drafts.delete(id);
    close();
  };
  /** @param {any} event */
  const send = (event) => {
    event.preventDefault();
    const text = event.currentTarget.elements.namedItem("answer").value.trim();
    cancel();
    if (text) void reply(id, text);
  };
  /** @param {any} event */
  const keys = (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    if (event.key === "Enter" && !event.shiftKey && !isComposing(event)) { event.preventDefault(); event.currentTarget.form.requestSubmit(); }
  };
  return h("form", { key: "answer", class: "answer", onsubmit: send }, h("textarea", { name: "answer", rows: "2", maxlength: "10000", "aria-label": plain("page.reply"), placeholder: plain("page.reply"), dir: "auto",
    value: drafts.get(id) ?? "", oninput: (/** @type {any} */ event) => drafts.set(id, event.target.value), onkeydown: keys, made: enter }),
    h("div", { class: "comment-actions" }, button("page.cancel", cancel, { class: "quiet small" }), button("page.reply", () => {}, { type: "submit", class: "primary small" })));
}

/** Sends an answer. What the host does not take stands in its box again, before what was begun there meanwhile.
 * @param {string} id the thread @param {string} text */
async function reply(id, text) {
  if (!isRefused(await act(id, "reply", { text }))) return;
  const draft = [text, drafts.get(id)].filter(Boolean).join("\n");
  drafts.set(id, draft);
  // What has the focus is written by nobody else.
  const box = /** @type {HTMLTextAreaElement | null} */ (answered === id ? document.querySelector(".answer textarea") : null);
  if (box) box.value = draft;
  answered ??= id;
  toast("page.sent.not");
}
