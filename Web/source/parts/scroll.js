// Keeps a conversation where its reader is: at the newest message, or at what they read. Tells the host what has been on the screen.

import { connection, redraw } from "../app.js";

let atEnd = true;
let missing = 0;
/** The newest message that was there when its reader last was at the end. */
let newest = "";
/** @type {HTMLElement | undefined} */
let shown;
let room = "";
let seen = "";
let isHeld = false;
/** Whether the newest message is among those that are drawn, and whether it was the time before. */
let [reaches, reached] = [true, true];

/** Told with each drawing.
 * @param {boolean} is whether the newest message is among those that are drawn */
export function reach(is) {
  [reached, reaches] = [reaches, is];
}

/** Somebody goes to a message that may be further up. */
export function leaveEnd() {
  atEnd = false;
  kept = undefined;
  requestAnimationFrame(() => {
    atEnd = !shown || isNearEnd(shown);
    redraw();
  });
}

/** @param {HTMLElement} log */
const isNearEnd = (log) => log.scrollHeight - log.scrollTop - log.clientHeight < slack;

export const isAtEnd = () => atEnd;
export const missed = () => missing;

const slack = 40;

/** @param {HTMLElement} log @param {string} inRoom */
export function follow(log, inRoom) {
  shown = log;
  room = inRoom;
  atEnd = true;
  missing = 0;
  newest = "";
  seen = "";
  kept = undefined;
  const toEnd = () => log.scrollTo({ top: log.scrollHeight });
  toEnd();
  noteNewest();
  const look = () => {
    const is = isNearEnd(log);
    if (is !== atEnd) {
      atEnd = is;
      if (is) {
        missing = 0;
        noteNewest();
      }
      redraw();
    }
    kept = is ? undefined : firstVisible(log);
  };
  log.addEventListener("scroll", () => {
    look();
    noteSeen();
  }, { passive: true });
  const sizes = new ResizeObserver(() => atEnd && toEnd());
  sizes.observe(log);
  new MutationObserver((changes) => {
    // Buttons that come and go with the pointer move nothing.
    if (changes.every(({ target }) => target instanceof Element && target.matches("article"))) return;
    if (atEnd) {
      toEnd();
      noteNewest();
    } else {
      keep(log);
      countMissed();
      // Rows that became smaller can bring the end into sight, and nothing scrolls.
      if (isNearEnd(log)) look();
    }
    noteSeen();
  }).observe(log, { childList: true, subtree: true });
  noteSeen();
}

/** The row at the upper edge, and where it is.
 * @type {{row: Element, top: number} | undefined} */
let kept;

/** @param {HTMLElement} log */
function firstVisible(log) {
  const edge = log.getBoundingClientRect().top;
  const row = [...log.querySelectorAll(".message")].find((row) => row.getBoundingClientRect().bottom > edge);
  return row && { row, top: row.getBoundingClientRect().top };
}

/** Rows that came above push nothing down. Browsers see to it, but not all of them, and not at the very top.
 * @param {HTMLElement} log */
function keep(log) {
  if (!kept?.row.isConnected) return;
  const moved = kept.row.getBoundingClientRect().top - kept.top;
  if (Math.abs(moved) > 1) log.scrollTop += moved;
}

/** Messages that the page has from the host; what is on its way there has no such id. */
const messages = () => [...(shown?.querySelectorAll(".message[id^='message.']") ?? [])];

function noteNewest() {
  newest = messages().at(-1)?.id ?? "";
}

function countMissed() {
  // What was further down all the time is not missed.
  if (!reached) return;
  const rows = messages();
  const index = rows.findIndex(({ id }) => id === newest);
  const count = rows.slice(index + 1).filter((row) => row.classList.contains("other")).length;
  if (count === missing || newest && index < 0) return;
  missing = count;
  redraw();
}

/** Nothing counts as seen while a person is on the way to where they are led.
 * @param {boolean} on */
export function holdSeen(on) {
  isHeld = on;
  if (!on) noteSeen();
}

/** The newest message that is wholly above the lower edge. Behind another window a page is often not hidden, and nobody sees it. */
export function noteSeen() {
  if (!shown?.isConnected || document.hidden || !document.hasFocus() || isHeld) return;
  const edge = shown.getBoundingClientRect().bottom + slack;
  const rows = shown.querySelectorAll(".message");
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    if (row.getBoundingClientRect().bottom > edge || !row.id) continue;
    if (row.id === seen) return;
    seen = row.id;
    connection.looks({ seen: { [room]: seen.slice("message.".length) } });
    return;
  }
}
