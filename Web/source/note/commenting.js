// Between the text and what is said about it: the words of a comment, and of the one that is being written, stay in sight beside it.

import { toast } from "../app.js";
import { beginComment, comments, showThread } from "../screens/comments.js";
import { later } from "../screens/panels.js";
import { text } from "../screens/threads.js";
import { history } from "./history.js";

later.comments = comments;
later.history = history;

/** @typedef {import("./sheet.js").Sheet} Sheet */

/** The least distance to the edge of what is seen, in pixels. */
const margin = 32;

/** Begins a comment on the words that are selected.
 * @param {Sheet} sheet */
export function comment(sheet) {
  const chosen = sheet.editor?.quote();
  if (sheet.isReadonly || !chosen) return toast("page.note.comment.choose");
  // The host looks for the words in what it has.
  sheet.document.flush();
  sheet.bubble.hide();
  beginComment(chosen);
  sheet.draw();
}

/** Leads from words to what is said about them, and back.
 * @param {Sheet} sheet @param {HTMLElement} mount where the text is */
export function connect(sheet, mount) {
  mount.addEventListener("click", (event) => {
    const thread = event.target instanceof Element && event.target.closest("[data-thread]")?.getAttribute("data-thread");
    if (thread) showThread(thread);
  });
  text.goTo = (thread) => {
    const place = sheet.editor?.commentPlaces().get(thread);
    if (place !== undefined) sheet.editor?.goTo(place);
  };
  text.show = (thread) => {
    const words = mount.querySelector(`[data-thread="${CSS.escape(thread)}"]`);
    if (words) bring(sheet, words.getBoundingClientRect());
  };
  text.mark = (isOn) => {
    sheet.editor?.markQuote(isOn);
    const box = isOn && sheet.editor?.selectionBox();
    if (box) bring(sheet, { top: box.start.top, bottom: Math.min(box.end.bottom, box.start.top + innerHeight / 4) });
  };
}

/** Scrolls as little as it takes.
 * @param {Sheet} sheet @param {{top: number, bottom: number}} box */
function bring(sheet, box) {
  const scroll = sheet.place("scroll");
  const { top, bottom } = scroll.getBoundingClientRect();
  if (box.top < top + margin) scroll.scrollTop += box.top - top - margin;
  else if (box.bottom > bottom - margin) scroll.scrollTop += box.bottom - bottom + margin;
}
