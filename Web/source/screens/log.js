// What was said, in its order: by day, by author and by minute. More of it comes as one scrolls.

import { ui } from "../app.js";
import { h } from "../dom/h.js";
import { countOfNew, plain, say } from "../words/words.js";
import { dayName } from "../words/times.js";
import { isChord } from "../parts/composing.js";
import { iconButton } from "../parts/controls.js";
import { isNear, point } from "../parts/near.js";
import { playingOf } from "../parts/player.js";
import { uploads } from "../parts/uploads.js";
import { gathered, offersOf, receiveAll, uploadBubble } from "./media.js";
import { message, unsentBubble } from "./message.js";
import { isAtEnd, missed, reach } from "../parts/scroll.js";
import { begin, lead, more, start, toEnd } from "./place.js";

/** @typedef {import("../protocol/types").Node} Node */

const groupGap = 60_000;

/** @param {Node | undefined} list @param {string} room @param {number | undefined} unread @param {Node | undefined} typing @param {Node | undefined} forgotten */
export function log(list, room, unread, typing, forgotten) {
  const rows = list?.children ?? [];
  settle(rows, room);
  const unseen = list?.facts?.unseen;
  const waiting = ui.unsent.filter((unsent) => unsent.room === room);
  /** @type {any[]} */
  const drawn = [];
  const from = start(list, room);
  const offers = offersOf(rows);
  reach(!list?.window || list.window.first + rows.length >= list.window.count);
  if (forgotten && !from && !list?.window?.first) drawn.push(h("p", { key: "forgotten", class: "day" }, say(forgotten.label), " ", say(forgotten.detail)));
  rows.forEach((row, index) => {
    if (index < from) return;
    const before = rows[index - 1];
    const after = rows[index + 1];
    const isNewDay = !before || !sameDay(before.at, row.at);
    if (isNewDay) drawn.push(h("div", { key: `day.${row.id}`, class: "day", role: "separator", "aria-label": dayName(row.at ?? 0) }, dayName(row.at ?? 0)));
    if (unseen?.first === row.id) drawn.push(h("div", { key: "new", class: "new", role: "separator", "aria-label": plain(countOfNew(unseen.count)) }, say(countOfNew(unseen.count))));
    if (offers[index] && (index === from || !offers[index - 1])) drawn.push(...receiveAll(offers, index));
    const isFirst = isNewDay || unseen?.first === row.id || !follows(before, row);
    const isLast = !after || !sameDay(after.at, row.at) || !follows(row, after);
    drawn.push(message(row, isFirst, isLast, ui.about?.message === row.id, list?.templates, playingOf(row.id), isNear(row.id)));
  });
  const shown = gathered(drawn, rows);
  uploads.forEach((upload) => upload.room === room && upload.target === "chat.attach" && shown.push(uploadBubble(upload)));
  waiting.forEach((unsent) => shown.push(unsentBubble(unsent)));
  if (typing) shown.push(h("p", { key: "typing", class: "is-typing", role: "status" }, say(typing.label), h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))));
  return h("div", { key: "log", class: "log-frame" },
    h("div", { class: "log", role: "log", "aria-live": isAtEnd() ? "polite" : "off", "aria-label": plain("chat.messages"), tabindex: "0", made: (/** @type {HTMLElement} */ element) => begin(element, room, list, unread), drawn: () => lead(list),
      onkeydown: enter, onpointermove: point, onscroll: (/** @type {any} */ event) => more(event.currentTarget, list) }, h("div", { class: "log-rows" }, shown)),
    !isAtEnd() && h("div", { class: "latest-pill" }, missed() > 0
      ? h("button", { type: "button", class: "button pill", onclick: toEnd }, say(countOfNew(missed())))
      : iconButton("chevron-down", "page.latest", toEnd, { class: "round" })));
}

/** From the conversation as a whole to its newest message.
 * @param {KeyboardEvent} event */
function enter(event) {
  if (event.target !== event.currentTarget || event.key !== "ArrowUp" || isChord(event)) return;
  event.preventDefault();
  /** @type {HTMLElement | undefined} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll(".message[tabindex]")].at(-1))?.focus();
}

/** @param {number | undefined} one @param {number | undefined} other */
const sameDay = (one, other) => new Date(one ?? 0).toDateString() === new Date(other ?? 0).toDateString();

/** @param {Node | undefined} before @param {Node} row */
const follows = (before, row) => before?.side === row.side && row.side !== "note" && (row.at ?? 0) - (before?.at ?? 0) < groupGap;

/** What was sent is shown by its message from now on.
 * @param {Node[]} rows @param {string} room */
function settle(rows, room) {
  if (!ui.unsent.length) return;
  /** @type {string | undefined} */
  let shown;
  ui.unsent = ui.unsent.filter((unsent) => {
    if (unsent.room !== room) return true;
    // Who says the same twice waits for two messages.
    unsent.after = shown ?? unsent.after;
    const start = rows.findIndex((row) => row.id === unsent.after);
    const found = rows.slice(start < 0 ? -20 : start + 1).find((row) =>
      row.side === "own" && !row.is_busy && row.value && "text" in row.value && row.value.text === unsent.text);
    shown = found?.id ?? shown;
    return !found;
  });
}
