// Comments in the margin: threads with their answers, those that are settled apart, and a form for the next one.

import { act, node, redraw, toast, trees, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { isRefused } from "../protocol/requests.js";
import { isComposing } from "../parts/composing.js";
import { button, iconButton, press } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { begin, box, enter, expectBox, isOpen, returnTo } from "./answers.js";
import { details, remark } from "./remarks.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Characters of a selection that are quoted; a comment on more is shown at its beginning. */
const quoteLimit = 500;

/** The note about which a comment is being written.
 * @type {string | undefined} */
let written;
/** Whether the comment is on words that were selected, and need not be typed. */
let isChosen = false;
/** @type {{quote: string, nth: number} | undefined} */
let chosen;
/** The note whose comments were open at a host that is gone.
 * @type {string | undefined} */
let lost;
/** The thread whose words were clicked.
 * @type {string | undefined} */
let pointed;
/** Whether it is still to come into sight. */
let isSought = false;

/** The text that is commented; the editor says how to go to the words of a thread, how to bring them into sight without the focus, and how to mark those that
 * a comment is being written about. */
export const text = { goTo: (/** @type {string} */ _thread) => {}, show: (/** @type {string} */ _thread) => {}, mark: (/** @type {boolean} */ _isOn) => {} };

/** The note that is open. */
const noteHere = () => node("note.editor")?.facts?.doc;
const isWriting = () => written !== undefined && written === noteHere();

trees.addEventListener("anew", () => {
  lost = document.querySelector(".panel[aria-labelledby='name.comments']") ? noteHere() : undefined;
});

// Its form and the answers keep what was typed.
trees.addEventListener("tree", () => {
  if (!lost || ui.isOld || !node("note.inspector")) return;
  const isBack = lost === noteHere();
  lost = undefined;
  if (!isBack) written = undefined;
  else open();
  if (isWriting() && isChosen) quoteChosen();
});

/** A note is left, and the form for a comment on it with it: the core keeps nothing of that. Only a host that began anew leads back.
 * @param {string} note */
export function leaveComments(note) {
  if (written === note && lost !== note) written = undefined;
}

/** Opens the form for a comment on words of the note.
 * @param {{quote: string, nth: number}} words */
export function beginComment(words) {
  written = noteHere();
  isChosen = true;
  chosen = { ...words, quote: words.quote.slice(0, quoteLimit) };
  open();
  quoteChosen();
  const box = /** @type {HTMLElement | null} */ (document.querySelector(".comment-form.chosen :is(input, textarea)"));
  if (box) box.focus();
  else expectBox();
  redraw();
}

/** Shows the thread about words of the note.
 * @param {string} id */
export function showThread(id) {
  pointed = `comment.${id}`;
  isSought = true;
  open();
  redraw();
}

function toggleForm() {
  [written, isChosen] = [isWriting() ? undefined : noteHere(), false];
  if (written) expectBox();
  redraw();
}

function quoteChosen() {
  void act("note.comment.quote", "set_text", chosen);
}

function open() {
  const toggle = node("note.inspector");
  if (toggle && !toggle.is_selected) void act(toggle.id);
}

/** Leaves the form, for the text. */
function end() {
  written = undefined;
  /** @type {HTMLElement | null} */ (document.querySelector(".note"))?.focus();
  redraw();
}

/** @param {Node} section */
export function comments(section) {
  const threads = section.children?.find((child) => child.id === "note.threads")?.children ?? [];
  const settled = threads.filter(isSettled);
  const unsettled = threads.filter((thread) => !isSettled(thread));
  return h("section", { key: "comments", class: "panel", "aria-labelledby": "name.comments" },
    h("header", null, h("h2", { id: "name.comments" }, say(section.label)),
      section.children?.some((child) => child.id === "note.comment.submit") && iconButton("message-square-plus", "note.comment.submit", toggleForm, { class: "small", "aria-expanded": String(isWriting()) })),
    isWriting() && form(section),
    unsettled.map(thread),
    !threads.length && !isWriting() && h("p", { class: "quiet" }, say("page.comments.none")),
    settled.length > 0 && h("details", { key: "settled", class: "settled" }, h("summary", null, say({ key: "page.comments.settled", args: { count: { count: settled.length } } })), settled.map(thread)));
}

/** @param {Node} thread */
const child = (thread, name = "") => thread.children?.find((child) => child.id === `${thread.id}.${name}`);
/** @param {Node} thread */
const isSettled = (thread) => !!child(thread, "resolve")?.is_selected;

/** @param {Node} thread */
function thread(thread) {
  const [resolve, remove] = [child(thread, "resolve"), child(thread, "delete")];
  const replies = (thread.children ?? []).filter((child) => child.id.startsWith("reply."));
  const quote = details(thread).find((words) => words.key === "comment.about")?.args?.quote?.said;
  const isPointed = thread.id === pointed;
  const point = (/** @type {HTMLElement} */ element) => {
    if (!isPointed || !isSought) return;
    isSought = false;
    element.scrollIntoView({ block: "nearest" });
    text.show(thread.id.slice("comment.".length));
  };
  return h("article", { key: thread.id, class: isPointed ? "comment pointed" : "comment", "aria-label": plain(thread.label), made: point, drawn: point },
    quote ? h("button", { type: "button", class: "comment-quote", title: plain("page.comment.show"), dir: "auto", onclick: () => text.goTo(thread.id.slice("comment.".length)) }, quote) : null,
    remark(thread), replies.map(remark),
    isOpen("reply", thread) ? box("reply", thread) : h("div", { class: "comment-actions" },
      thread.uses?.includes("reply") && button("page.reply", () => begin("reply", thread), { class: "quiet small", made: returnTo("reply", thread) }),
      resolve && resolve.is_enabled !== false && button(isSettled(thread) ? "page.comment.reopen" : "page.comment.settle", () => act(resolve.id), { class: "quiet small" }),
      remove && remove.is_enabled !== false && iconButton("trash-2", remove.label, () => press(remove), { class: "small" })));
}

/** @param {any} form @returns {HTMLInputElement[]} */
const fieldsOf = (form) => [...form.querySelectorAll("input, textarea")];

/** @param {Node} section */
function form(section) {
  const [quote, said, submit] = ["quote", "text", "submit"].map((name) => section.children?.find((child) => child.id === `note.comment.${name}`));
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    const empty = fieldsOf(event.currentTarget).find((box) => !box.value.trim());
    if (empty) return empty.focus();
    flush("note.comment.quote");
    flush("note.comment.text");
    const [sent, note] = [act("note.comment.submit"), written];
    end();
    if (!isRefused(await sent)) return;
    // The core has the words yet, as long as the note is open.
    if (note === noteHere()) written ??= note;
    toast("page.sent.not");
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !isComposing(event) && event.target instanceof HTMLTextAreaElement) void send(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
  };
  const words = quote?.value && "text" in quote.value ? quote.value.text : "";
  return h("form", { key: isChosen ? "chosen" : "form", class: isChosen ? "comment-form chosen" : "comment-form", onsubmit: send, onkeydown: keys, left: () => text.mark(false),
    made: (/** @type {HTMLElement} */ element) => { enter(fieldsOf(element)[0]); if (isChosen) text.mark(true); } },
    quote && (isChosen ? h("blockquote", { dir: "auto" }, words) : field(quote)), said && field(said),
    h("div", { class: "comment-actions" }, button("page.cancel", end, { class: "quiet small" }), submit && button(submit.label, () => {}, { type: "submit", class: "primary small" })));
}
