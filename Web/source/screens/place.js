// Where in a conversation its reader is: at its end, where what is new begins, at a message that was looked for, or further up.

import { connection, redraw } from "../app.js";
import { follow, holdSeen, leaveEnd } from "../parts/scroll.js";

/** @typedef {import("../protocol/types").Node} Node */

const pageRows = 200;

/** What was asked for last: a message, or a place in the list. */
let asked = "";
// No message is called so, and without its anchor a list ends at its newest one.
const newest = "newest";

/** Rows of a conversation that are drawn in the picture in which it opens: what fills the window. What is above can wait, and its layout is
 * most of the work. */
const rowsAtFirst = () => Math.ceil(innerHeight / 45);
/** Rows that are drawn with each picture after it, from the newest to the oldest. */
const rowsAtOnce = 30;
/** Rows that are drawn above the first one that is new. */
const rowsBefore = 10;
/** @type {{element?: HTMLElement, room: string, rows: number}} */
let opening = { room: "", rows: 0 };

/** The first row that is drawn now.
 * @param {Node | undefined} list @param {string} room */
export function start(list, room) {
  const rows = list?.children ?? [];
  const isOpen = opening.room === room && (opening.element === undefined || opening.element.isConnected);
  if (!isOpen) opening = { room, rows: 0 };
  // Whoever looks for a message needs what is around it, and whoever goes to where what is new begins, what follows.
  const { unseen } = list?.facts ?? {};
  if (list?.window?.anchor) opening.rows = Infinity;
  const first = unseen ? rows.findIndex((row) => row.id === unseen.first) : -1;
  const least = opening.rows ? rowsAtOnce : rowsAtFirst();
  const wanted = first < 0 ? least : Math.max(least, rows.length - first + rowsBefore - opening.rows);
  if (opening.rows < rows.length) opening.rows = further(opening.rows, wanted, rows.length, !hasMore(list));
  return Math.max(0, rows.length - opening.rows);
}

/** Whether rows are on their way: the host sends those that fill a screen first, and the others with its next patch.
 * @param {Node | undefined} list */
const hasMore = (list) => !!list?.window?.first && !list.window.anchor && (list.children?.length ?? 0) < pageRows;

/** Some more of them, and the rest with the next pictures.
 * @param {number} done @param {number} step @param {number} count @param {boolean} isAll whether no others are on their way */
function further(done, step, count, isAll) {
  requestAnimationFrame(redraw);
  if (done + step < count) return done + step;
  return isAll ? Infinity : count;
}

/** A conversation begins at its newest message, wherever one was in the last, where what is new begins, or at the message that somebody looked for.
 * @param {HTMLElement} element
 * @param {string} room
 * @param {Node | undefined} list
 * @param {number | undefined} unread */
export function begin(element, room, list, unread) {
  if (asked) connection.looks({ windows: { ...windows, "chat.messages": { before: pageRows, after: 0 } } });
  asked = revealed = "";
  arrives = !!unread && !!list?.facts?.unseen && !list.window?.anchor;
  holdSeen(arrives);
  opening.element = element;
  follow(element, room);
  lead(list);
}

/** @param {Node | undefined} list */
export function lead(list) {
  if (arrives) arrive(list);
  reveal(list);
}

/** Whether somebody has just come into a conversation in which something is new. */
let arrives = false;

/** Goes to where what is new begins. It may have to come from the disk, or from further up than what is here.
 * @param {Node | undefined} list */
function arrive(list) {
  const first = list?.facts?.unseen?.first;
  const line = document.querySelector(".log .new");
  if (list?.facts?.unseen && !line) {
    if (hasMore(list) || list.children?.some(({ id }) => id === first)) return;
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

export function toEnd() {
  arrives = false;
  holdSeen(false);
  if (asked || revealed) connection.looks({ windows: { ...windows, "chat.messages": { anchor: newest, before: pageRows, after: 0 } } });
  asked = newest;
  const element = document.querySelector(".log");
  element?.scrollTo({ top: element.scrollHeight });
}

/** What this page asks for besides the messages: the rooms, which the palette leads to from everywhere.
 * @type {Record<string, import("../protocol/types").Request>} */
export const windows = { beside: { before: 1, after: 0 }, "agent.items": { before: 100, after: 0 } };

/** Asks for older or newer messages before the end of those that are here is reached.
 * @param {HTMLElement} element @param {Node | undefined} list */
export function more(element, list) {
  const part = list?.window;
  const children = list?.children ?? [];
  if (!part || !children.length) return;
  const near = element.clientHeight * 2;
  const older = element.scrollTop < near && part.first > 0;
  const newer = element.scrollHeight - element.scrollTop - element.clientHeight < near && part.first + children.length < part.count;
  if (!older && !newer) return;
  if (older && (hasMore(list) || opening.rows < children.length)) return;
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
