// What was said, in its order: by day, by author and by minute. More of it comes as one scrolls.

import { connection, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { dayName } from "../words/times.js";
import { iconButton } from "../parts/controls.js";
import { playingOf } from "../parts/player.js";
import { uploads } from "../parts/uploads.js";
import { gathered, uploadBubble } from "./media.js";
import { message, unsentBubble } from "./message.js";
import { follow, holdSeen, isAtEnd, leaveEnd, missed } from "../parts/scroll.js";

/** @typedef {import("../protocol/types").Node} Node */

const pageRows = 200;
const groupGap = 60_000;

/** Rows of a conversation that are drawn in the picture in which it opens, and with each one after it, from the newest to the oldest: what is
 * above the window can wait, and its layout is most of the work. */
const rowsAtOnce = 30;
/** @type {{element?: HTMLElement, room: string, rows: number}} */
let opening = { room: "", rows: 0 };

/** The first row that is drawn now.
 * @param {Node | undefined} list @param {string} room */
function start(list, room) {
  const count = list?.children?.length ?? 0;
  const isOpen = opening.room === room && (opening.element === undefined || opening.element.isConnected);
  if (!isOpen) opening = { room, rows: 0 };
  // Whoever looks for a message, or goes to where what is new begins, needs what is around it.
  if (list?.window?.anchor || list?.facts?.unseen) opening.rows = Infinity;
  if (opening.rows < count) {
    opening.rows += rowsAtOnce;
    if (opening.rows < count) requestAnimationFrame(redraw);
    else opening.rows = Infinity;
  }
  return Math.max(0, count - opening.rows);
}

/** @param {Node | undefined} list @param {string} room @param {number | undefined} unread @param {Node | undefined} typing @param {Node | undefined} forgotten */
export function log(list, room, unread, typing, forgotten) {
  const rows = list?.children ?? [];
  settle(rows, room);
  const unseen = list?.facts?.unseen;
  const waiting = ui.unsent.filter((unsent) => unsent.room === room);
  /** @type {any[]} */
  const drawn = [];
  const from = start(list, room);
  if (forgotten && !from && !list?.window?.first) drawn.push(h("p", { key: "forgotten", class: "day" }, say(forgotten.label), " ", say(forgotten.detail)));
  rows.forEach((row, index) => {
    if (index < from) return;
    const before = rows[index - 1];
    const after = rows[index + 1];
    const isNewDay = !before || !sameDay(before.at, row.at);
    if (isNewDay) drawn.push(h("div", { key: `day.${row.id}`, class: "day", role: "separator", "aria-label": dayName(row.at ?? 0) }, dayName(row.at ?? 0)));
    if (unseen?.first === row.id) drawn.push(h("div", { key: "new", class: "new", role: "separator", "aria-label": plain(countOf(unseen.count)) }, say(countOf(unseen.count))));
    const isFirst = isNewDay || unseen?.first === row.id || !follows(before, row);
    const isLast = !after || !sameDay(after.at, row.at) || !follows(row, after);
    drawn.push(message(row, isFirst, isLast, ui.about?.message === row.id, list?.templates, playingOf(row.id)));
  });
  const shown = gathered(drawn, rows);
  uploads.forEach((upload) => upload.room === room && upload.target === "chat.attach" && shown.push(uploadBubble(upload)));
  waiting.forEach((unsent) => shown.push(unsentBubble(unsent)));
  if (typing) shown.push(h("p", { key: "typing", class: "is-typing", role: "status" }, say(typing.label), h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))));
  return h("div", { key: "log", class: "log-frame" },
    h("div", { class: "log", role: "log", "aria-live": isAtEnd() ? "polite" : "off", "aria-label": plain("chat.messages"), tabindex: "0", made: (/** @type {HTMLElement} */ element) => begin(element, room, list, unread), drawn: () => lead(list),
      onkeydown: enter, onscroll: (/** @type {any} */ event) => more(event.currentTarget, list) }, h("div", { class: "log-space" }), shown),
    !isAtEnd() && h("div", { class: "latest-pill" }, missed() > 0
      ? h("button", { type: "button", class: "button pill", onclick: toEnd }, say(countOf(missed())))
      : iconButton("chevron-down", "page.latest", toEnd, { class: "round" })));
}

/** From the conversation as a whole to its newest message.
 * @param {KeyboardEvent} event */
function enter(event) {
  if (event.target !== event.currentTarget || event.key !== "ArrowUp") return;
  event.preventDefault();
  /** @type {HTMLElement | undefined} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("article")].at(-1))?.focus();
}

/** A conversation begins at its newest message, wherever one was in the last, where what is new begins, or at the message that somebody looked for.
 * @param {HTMLElement} element
 * @param {string} room
 * @param {Node | undefined} list
 * @param {number | undefined} unread */
function begin(element, room, list, unread) {
  if (asked) connection.looks({ windows: { ...windows, "chat.messages": { before: pageRows, after: 0 } } });
  asked = revealed = "";
  arrives = !!unread && !!list?.facts?.unseen && !list.window?.anchor;
  holdSeen(arrives);
  opening.element = element;
  follow(element, room);
  lead(list);
}

/** @param {Node | undefined} list */
function lead(list) {
  if (arrives) arrive(list?.facts?.unseen?.first, !!list?.facts?.unseen);
  reveal(list);
}

/** Whether somebody has just come into a conversation in which something is new. */
let arrives = false;

/** Goes to where what is new begins. It may have to come from the disk, or from further up than what is here.
 * @param {string | undefined} first @param {boolean} isNew */
function arrive(first, isNew) {
  const line = document.querySelector(".log .new");
  if (isNew && !line) {
    if (first && asked !== first) connection.looks({ windows: { ...windows, "chat.messages": { anchor: first, before: pageRows, after: pageRows } } });
    asked = first ?? "";
    return;
  }
  arrives = false;
  if (line) {
    leaveEnd();
    line.scrollIntoView({ block: "start" });
  }
  holdSeen(false);
}

/** The message that was found, once it has been gone to. */
let revealed = "";

/** @param {Node | undefined} list */
function reveal(list) {
  const anchor = list?.window?.anchor ?? "";
  if (anchor === revealed) return;
  revealed = anchor;
  if (!anchor) return;
  leaveEnd();
  goTo(anchor);
}

function toEnd() {
  arrives = false;
  holdSeen(false);
  // No message is called so, and without its anchor a list ends at its newest one.
  if (asked || revealed) connection.looks({ windows: { ...windows, "chat.messages": { anchor: newest, before: pageRows, after: 0 } } });
  asked = newest;
  const element = document.querySelector(".log");
  element?.scrollTo({ top: element.scrollHeight });
}

/** What this page asks for besides the messages: the rooms, which the palette leads to from everywhere.
 * @type {Record<string, import("../protocol/types").Request>} */
export const windows = { beside: { before: 1, after: 0 }, "agent.items": { before: 100, after: 0 } };

/** @param {number} count */
const countOf = (count) => key("page.new", { count: { count } });

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

let asked = "";
const newest = "newest";

/** Asks for older or newer messages before the end of those that are here is reached.
 * @param {HTMLElement} element @param {Node | undefined} list */
function more(element, list) {
  const part = list?.window;
  const children = list?.children ?? [];
  if (!part || !children.length) return;
  const near = element.clientHeight * 2;
  const older = element.scrollTop < near && part.first > 0;
  const newer = element.scrollHeight - element.scrollTop - element.clientHeight < near && part.first + children.length < part.count;
  if (!older && !newer) return;
  const anchor = older ? children[Math.min(children.length - 1, 40)].id : children[Math.max(0, children.length - 40)].id;
  const place = `${part.first} ${children.length} ${anchor}`;
  if (asked === place) return;
  asked = place;
  connection.looks({ windows: { ...windows, "chat.messages": { anchor, before: pageRows, after: pageRows } } });
}

/** @param {string} id */
export function goTo(id) {
  const row = document.getElementById(id);
  row?.scrollIntoView({ block: "center" });
  row?.classList.add("found");
  setTimeout(() => row?.classList.remove("found"), 1200);
}
