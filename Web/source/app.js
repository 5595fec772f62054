// What the parts of the page share: the connection, and what is the page's own affair (open menus, unsent text).

import { Connection } from "./protocol/connection.js";
import { find } from "./protocol/tree.js";

/** @typedef {import("./protocol/types").Node} Node */
/** @typedef {import("./words/words.js").Words} Words */
/** @typedef {{id: string, text: string, room: string, at: number}} Unsent */
/** @typedef {{title: Words, about?: Words, button: Words, act: () => void, isDestructive?: boolean}} Question */

/** @typedef {{label: Words, icon: string, act: () => void, isDestructive?: boolean}} Choice */

/** Nothing in here lasts longer than the page. */
export const ui = {
  isWide: true,
  /** @type {Node | undefined} */
  root: undefined,
  /** @type {"connecting" | "open" | "broken" | "ended"} */
  connection: "connecting",
  /** @type {string | undefined} */
  reason: undefined,
  /** @type {{owner: string, items: Choice[], atPointer: boolean, x: number, y: number} | undefined} */
  menu: undefined,
  /** @type {Question | undefined} */
  question: undefined,
  /** @type {"palette" | "help" | undefined} */
  sheet: undefined,
  /** @type {Words | undefined} */
  toast: undefined,
  /** What the composer is about, besides a new message.
   * @type {{kind: "reply" | "edit", message: string, excerpt: string} | undefined} */
  about: undefined,
  /** @type {Unsent[]} */
  unsent: [],
  /** @type {Map<string, string>} */
  secrets: new Map(),
  /** The room whose conversation is on the screen.
   * @type {string | undefined} */
  opened: undefined,
  /** The first message that was new when it was opened.
   * @type {{first: string, count: number} | undefined} */
  fresh: undefined,
};

let isHeld = false;
let isPlanned = false;
/** @type {() => void} */
let draw = () => {};

export const connection = new Connection(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
  {
    shows(root) {
      // A window that nobody sees is covered by the host. Its page stays as it was, with its scroll and focus.
      if (root.id !== "cover.screen") ui.root = root;
      redraw();
    },
    changes(state, reason) {
      ui.connection = state;
      ui.reason = reason ?? ui.reason;
      redraw();
    },
  },
  sessionStorage,
);

/** @param {() => void} painter */
export function paintWith(painter) {
  draw = painter;
}

/** Draws the page before the next picture. */
export function redraw() {
  if (isPlanned) return;
  isPlanned = true;
  const paint = () => {
    isPlanned = false;
    if (!isHeld) draw();
    connection.acknowledge();
  };
  if (document.hidden) setTimeout(paint);
  else requestAnimationFrame(paint);
}

/** Takes an offer; a refusal is said.
 * @param {string} node @param {string} [offer] @param {Record<string, unknown>} [inputs] */
export function act(node, offer = "tap", inputs) {
  return connection.act(node, offer, inputs);
}

/** @param {string} id */
export const node = (id) => find(ui.root, id);

/** Goes from anywhere to what the list of rooms leads to, without showing the way there.
 * @param {string} target */
export async function go(target) {
  ui.menu = ui.sheet = ui.about = undefined;
  leaving.dispatchEvent(new Event("leaving"));
  isHeld = true;
  const steps = Math.max(0, connection.screens.length - 1);
  const answers = Array.from({ length: steps }, () => act("back"));
  if (target !== "home") answers.push(act(target));
  await Promise.race([Promise.all(answers), new Promise((resolve) => setTimeout(resolve, 400))]);
  isHeld = false;
  redraw();
}

/** Fires before another screen is asked for, so that what was typed goes first. */
export const leaving = new EventTarget();

/** One screen back. */
export function back() {
  leaving.dispatchEvent(new Event("leaving"));
  return act("back");
}

/** @param {Words} words */
export function toast(words) {
  ui.toast = words;
  redraw();
  setTimeout(() => {
    if (ui.toast === words) ui.toast = undefined;
    redraw();
  }, 4000);
}

/** @param {string} text @param {Words} [said] */
export async function copy(text, said = "page.copied") {
  await navigator.clipboard.writeText(text);
  toast(said);
}
