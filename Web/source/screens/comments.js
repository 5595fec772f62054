// Comments in the margin: threads with their answers, those that are settled apart, and a form for the next one.

import { act, node, redraw, toast, trees, ui } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { isRefused } from "../protocol/requests.js";
import { textOf } from "../protocol/tree.js";
import { isComposing } from "../parts/composing.js";
import { button, iconButton } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { enter, expectBox, isOpen, isTooLong, most, stray, strays } from "./answers.js";
import { isSettled, point, sayings, text, thread } from "./threads.js";

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

/** Whether the core gave back what could not be sent. */
let isUnsent = false;
trees.addEventListener("tree", () => {
  const [was, said] = [isUnsent, node("note.comment.text")];
  isUnsent = !!said?.detail;
  if (!said || !isUnsent || was) return;
  if (!isWriting()) [written, isChosen] = [noteHere(), false];
  // What has the focus is written by nobody else.
  const box = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("field.note.comment.text"));
  if (!box || box !== document.activeElement) return;
  const isThere = textOf(said).endsWith(box.value);
  box.value = isThere ? textOf(said) : `${textOf(said)}\n\n${box.value}`;
  if (!isThere) box.dispatchEvent(new Event("input", { bubbles: true }));
});

/** Takes the words of a box that lost its place into the form.
 * @param {string} words */
async function commentInstead(words) {
  flush("note.comment.text");
  const text = [words, textOf(node("note.comment.text"))].filter(Boolean).join("\n");
  if (isTooLong(text) || isRefused(await act("note.comment.text", "set_text", { text }))) return false;
  if (!isWriting()) [written, isChosen] = [noteHere(), false];
  expectBox();
  return true;
}

/** Whether the settled ones are shown. */
let isSettledOpen = false;

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
  point(id);
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
  if (settled.flatMap(sayings).some((node) => isOpen("edit", node) || isOpen("reply", node))) isSettledOpen = true;
  const canComment = section.children?.some((child) => child.id === "note.comment.submit");
  const isTold = !ui.isOld && !node("note.details") && !node("note.details.problem");
  return h("section", { key: "comments", class: "panel", "aria-labelledby": "name.comments" },
    h("header", null, h("h2", { id: "name.comments" }, say(section.label)),
      canComment && iconButton("message-square-plus", "note.comment.submit", toggleForm, { class: "small", "aria-expanded": String(isWriting()) })),
    isWriting() && form(section),
    isTold && strays(threads.flatMap(sayings)).map((draft) => stray(draft, canComment && commentInstead)),
    unsettled.map(thread),
    !threads.length && !isWriting() && h("p", { class: "quiet" }, say("page.comments.none")),
    settled.length > 0 && h("details", { key: "settled", class: "settled", open: isSettledOpen, ontoggle: (/** @type {any} */ event) => (isSettledOpen = event.target.open) }, h("summary", null, say({ key: "page.comments.settled", args: { count: { count: settled.length } } })), settled.map(thread)));
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
    if (fieldsOf(event.currentTarget).some((box) => isTooLong(box.value))) return;
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
    quote && (isChosen ? h("blockquote", { dir: "auto" }, words) : field(quote)), said && field(said, { maxlength: String(most) }),
    h("div", { class: "comment-actions" }, button("page.cancel", end, { class: "quiet small" }), submit && button(submit.label, () => {}, { type: "submit", class: "primary small" })));
}
