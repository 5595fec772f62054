// Comments in the margin: threads with their answers, those that are settled apart, and a form for the next one.

import { act, node, redraw, toast, trees, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { avatar } from "../parts/avatar.js";
import { isComposing } from "../parts/composing.js";
import { button, iconButton, press } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { linked } from "../parts/links.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Characters of a selection that are quoted; a comment on more is shown at its beginning. */
const quoteLimit = 500;

/** The thread that is being answered.
 * @type {string | undefined} */
let answered;
/** Answers that the host did not take, by thread.
 * @type {Map<string, string>} */
const refused = new Map();
let isWriting = false;
/** Whether the comment is on words that were selected, and need not be typed. */
let isChosen = false;
/** @type {{quote: string, nth: number} | undefined} */
let chosen;
/** Whether the comments were open at a host that is gone. */
let isLost = false;
/** The thread whose words were clicked.
 * @type {string | undefined} */
let pointed;
/** Whether it is still to come into sight. */
let isSought = false;

/** The text that is commented; the editor says how to go to the words of a thread. */
export const text = { goTo: (/** @type {string} */ _thread) => {} };

trees.addEventListener("anew", () => {
  isLost = !!document.querySelector(".panel[aria-labelledby='name.comments']");
  const answer = /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".answer textarea"));
  if (answered && answer) refused.set(answered, answer.value);
});

// Its form and the answers keep what was typed.
trees.addEventListener("tree", () => {
  if (!isLost || ui.isOld || !node("note.inspector")) return;
  isLost = false;
  open();
  if (isChosen) quoteChosen();
});

/** Opens the form for a comment on words of the note.
 * @param {{quote: string, nth: number}} words */
export function beginComment(words) {
  isWriting = isChosen = true;
  chosen = { ...words, quote: words.quote.slice(0, quoteLimit) };
  open();
  quoteChosen();
  /** @type {HTMLElement | null} */ (document.querySelector(".comment-form.chosen :is(input, textarea)"))?.focus();
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

function quoteChosen() {
  void act("note.comment.quote", "set_text", chosen);
}

function open() {
  const toggle = node("note.inspector");
  if (toggle && !toggle.is_selected) void act(toggle.id);
}

/** Leaves the form, for the text. */
function end() {
  isWriting = isChosen = false;
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
      section.children?.some((child) => child.id === "note.comment.submit") && iconButton("message-square-plus", "note.comment.submit", () => { [isWriting, isChosen] = [!isWriting, false]; redraw(); }, { class: "small", "aria-expanded": String(isWriting) })),
    isWriting && form(section),
    unsettled.map(thread),
    !threads.length && !isWriting && h("p", { class: "quiet" }, say("page.comments.none")),
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
  const quote = typeof thread.detail === "object" && "key" in thread.detail ? thread.detail.args?.quote?.said : undefined;
  const isPointed = thread.id === pointed;
  const point = (/** @type {HTMLElement} */ element) => {
    if (!isPointed || !isSought) return;
    isSought = false;
    element.scrollIntoView({ block: "nearest" });
  };
  return h("article", { key: thread.id, class: isPointed ? "comment pointed" : "comment", "aria-label": plain(thread.label), made: point, drawn: point },
    quote ? h("button", { type: "button", class: "comment-quote", title: plain("page.comment.show"), dir: "auto", onclick: () => text.goTo(thread.id.slice("comment.".length)) }, quote) : null,
    remark(thread), replies.map(remark),
    answered === thread.id ? answer(thread) : h("div", { class: "comment-actions" },
      thread.uses?.includes("reply") && button("page.reply", () => { answered = thread.id; redraw(); }, { class: "quiet small" }),
      resolve && resolve.is_enabled !== false && button(isSettled(thread) ? "page.comment.reopen" : "page.comment.settle", () => act(resolve.id), { class: "quiet small" }),
      remove && remove.is_enabled !== false && iconButton("trash-2", remove.label, () => press(remove), { class: "small" })));
}

/** @param {Node} node */
function remark(node) {
  const text = node.value && "text" in node.value ? node.value.text : "";
  return h("div", { key: node.id, class: "remark" }, avatar(plain(node.label), node.label, "small"),
    h("div", { class: "remark-words" }, h("p", { class: "remark-head" }, h("b", null, say(node.label)), node.at && h("time", { title: whole(node.at) }, short(node.at))),
      h("p", { class: "remark-text", dir: "auto" }, linked(text))));
}

/** @param {Node} thread */
function answer(thread) {
  const close = () => {
    answered = undefined;
    redraw();
  };
  /** @param {any} event */
  const send = async (event) => {
    event.preventDefault();
    const text = event.currentTarget.elements.namedItem("answer").value.trim();
    refused.delete(thread.id);
    close();
    const code = text && (await act(thread.id, "reply", { text }));
    if (!code || code === "unsaved") return;
    refused.set(thread.id, text);
    answered = thread.id;
    toast("page.sent.not");
  };
  /** @param {any} event */
  const keys = (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    if (event.key === "Enter" && !event.shiftKey && !isComposing(event)) { event.preventDefault(); event.currentTarget.form.requestSubmit(); }
  };
  return h("form", { class: "answer", onsubmit: send }, h("textarea", { name: "answer", rows: "2", maxlength: "10000", "aria-label": plain("page.reply"), placeholder: plain("page.reply"), dir: "auto", onkeydown: keys,
    made: (/** @type {HTMLTextAreaElement} */ element) => { element.value = refused.get(thread.id) ?? ""; refused.delete(thread.id); element.focus(); } }),
    h("div", { class: "comment-actions" }, button("page.cancel", close, { class: "quiet small" }), button("page.reply", () => {}, { type: "submit", class: "primary small" })));
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
    const sent = act("note.comment.submit");
    end();
    // What the host did not take is written again.
    if (await sent) {
      isWriting = true;
      toast("page.sent.not");
    }
    redraw();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !isComposing(event) && event.target instanceof HTMLTextAreaElement) void send(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end();
  };
  const words = quote?.value && "text" in quote.value ? quote.value.text : "";
  return h("form", { key: isChosen ? "chosen" : "form", class: isChosen ? "comment-form chosen" : "comment-form", onsubmit: send, onkeydown: keys, made: (/** @type {HTMLElement} */ element) => fieldsOf(element)[0]?.focus() },
    quote && (isChosen ? h("blockquote", { dir: "auto" }, words) : field(quote)), said && field(said),
    h("div", { class: "comment-actions" }, button("page.cancel", end, { class: "quiet small" }), submit && button(submit.label, () => {}, { type: "submit", class: "primary small" })));
}
