// Threads of comments: what somebody said about words of a note, and the answers to it.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { plain } from "../words/words.js";
import { button, iconButton, press } from "../parts/controls.js";
import { begin, box, isOpen, returnTo } from "./answers.js";
import { about, details, remark } from "./remarks.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The thread whose words were clicked.
 * @type {string | undefined} */
let pointed;
/** Whether it is still to come into sight. */
let isSought = false;

/** The text that is commented; the editor says how to go to the words of a thread, how to bring them into sight without the focus, and how to mark those that
 * a comment is being written about. */
export const text = { goTo: (/** @type {string} */ _thread) => {}, show: (/** @type {string} */ _thread) => {}, mark: (/** @type {boolean} */ _isOn) => {} };

/** The words of a thread were clicked: it comes into sight.
 * @param {string} id */
export function point(id) {
  pointed = `comment.${id}`;
  isSought = true;
}

/** @param {Node} thread */
const child = (thread, name = "") => thread.children?.find((child) => child.id === `${thread.id}.${name}`);
/** What was said in it.
 * @param {Node} thread */
export const sayings = (thread) => [thread, ...(thread.children ?? []).filter((child) => child.id.startsWith("reply."))];
/** @param {Node} thread */
export const isSettled = (thread) => !!child(thread, "resolve")?.is_selected;

/** @param {Node} thread */
export function thread(thread) {
  const [resolve, remove] = [child(thread, "resolve"), child(thread, "delete")];
  const replies = sayings(thread).slice(1);
  const quote = details(thread).find((words) => words.key === "comment.about")?.args?.quote?.said;
  const settles = isSettled(thread) ? "page.comment.reopen" : "page.comment.settle";
  const isPointed = thread.id === pointed;
  const show = (/** @type {HTMLElement} */ element) => {
    if (!isPointed || !isSought) return;
    isSought = false;
    element.scrollIntoView({ block: "nearest" });
    text.show(thread.id.slice("comment.".length));
  };
  return h("article", { key: thread.id, class: isPointed ? "comment pointed" : "comment", "aria-label": plain(thread.label), made: show, drawn: show },
    quote ? h("button", { type: "button", class: "comment-quote", title: plain("page.comment.show"), dir: "auto", onclick: () => text.goTo(thread.id.slice("comment.".length)) }, quote) : null,
    remark(thread), replies.map(remark),
    isOpen("reply", thread) ? box("reply", thread) : h("div", { class: "comment-actions" },
      thread.uses?.includes("reply") && button("page.reply", () => begin("reply", thread), { class: "quiet small", "aria-label": about("page.reply", thread), made: returnTo("reply", thread) }),
      resolve && resolve.is_enabled !== false && button(settles, () => act(resolve.id), { class: "quiet small", "aria-label": about(settles, thread) }),
      remove && remove.is_enabled !== false && iconButton("trash-2", remove.label, () => press(remove), { class: "small", "aria-label": about(remove.label, thread) })));
}
