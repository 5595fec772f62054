// What the parts of the page share: the connection, and what is the page's own affair (open menus, unsent text).

import { Plan } from "./dom/plan.js";
import { Connection } from "./protocol/connection.js";
import { isRefused } from "./protocol/requests.js";
import { find } from "./protocol/tree.js";

/** @typedef {import("./protocol/types").Node} Node */
/** @typedef {import("./words/words.js").Words} Words */
/** @typedef {{id: string, text: string, room: string, at: number, after?: string}} Unsent */
/** @typedef {{title: Words, about?: Words, button: Words, act: () => void, isDestructive?: boolean}} Question */

/** @typedef {{label: Words, icon?: import("./parts/icon.js").Name, act: () => void, isDestructive?: boolean}} Choice */

/** Nothing in here lasts longer than the page. */
export const ui = {
  isWide: true,
  /** Whether there is room for a third column. */
  isVeryWide: true,
  /** Whether the person wants to see more of the room that is open. */
  inspects: false,
  /** Whether another window is in front. */
  isAway: false,
  /** Whether the page is to be covered then. */
  covers: false,
  /** @type {Node | undefined} */
  root: undefined,
  /** What the host shows of a window that nobody sees.
   * @type {Node | undefined} */
  cover: undefined,
  /** Whether it is of a host that is gone, and nothing of the next one has been seen. */
  isOld: false,
  /** @type {"connecting" | "open" | "broken" | "ended"} */
  connection: "connecting",
  /** @type {string | undefined} */
  reason: undefined,
  /** @type {{owner: string, items: Choice[], opener: {focus: () => void} | null, atPointer: boolean, x: number, y: number} | undefined} */
  menu: undefined,
  /** @type {Question | undefined} */
  question: undefined,
  /** @type {"palette" | "help" | "report" | "erase" | "reactions" | undefined} */
  sheet: undefined,
  /** @type {Words | undefined} */
  toast: undefined,
  /** What the composer is about, besides a new message; of one that is changed the text, as far as it is.
   * @type {{kind: "reply" | "edit", room: string, message: string, excerpt: string, text?: string} | undefined} */
  about: undefined,
  /** @type {Unsent[]} */
  unsent: [],
  /** @type {Map<string, string>} */
  secrets: new Map(),
  /** Whether a window of an app was asked for, which is to be shown when it is there. */
  expectsWindow: false,
};

let isHeld = false;
/** Fires "tree" when another tree has come, and "anew" before the first tree of a host that began anew and knows nothing of what was typed. */
export const trees = new EventTarget();
/** @type {() => void} */
let draw = () => {};

export const connection = new Connection(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
  {
    shows(root) {
      // What lies above the page belongs to what nobody may see now, and it would open by itself when that is back.
      if (root.id === "lock" && ui.root?.id !== "lock") ui.menu = ui.question = ui.sheet = undefined;
      // A window that nobody sees is covered by the host. Its page stays as it was, with its scroll and focus.
      if (root.id === "cover.screen") ui.cover = root;
      else [ui.root, ui.isOld, ui.cover] = [root, false, undefined];
      // On the way to somewhere the next tree is what is wanted, and in a hidden window nobody waits for a picture.
      if (isHeld || document.hidden) connection.acknowledge();
      trees.dispatchEvent(new Event("tree"));
      redraw();
    },
    anew() {
      ui.isOld = true;
      trees.dispatchEvent(new Event("anew"));
    },
    changes(state, reason) {
      ui.connection = state;
      ui.reason = reason ?? ui.reason;
      redraw();
    },
  },
);

/** @param {() => void} painter */
export function paintWith(painter) {
  draw = painter;
}

/** Draws the page before the next picture. */
export const redraw = () => plan.ask();

const plan = new Plan(paint);

function paint() {
  plan.stop();
  try {
    if (!isHeld) draw();
  } finally {
    // What cannot be drawn must not keep the next tree away, which can.
    connection.acknowledge();
  }
}

/** Draws the page at once, also on the way to somewhere: the next key belongs to what is drawn. */
export function redrawNow() {
  draw();
}

const opensWindow = /^app\.(.+\.)?open(\.\d+)?$/;

/** Takes an offer; a refusal is said.
 * @param {string} node @param {string} [offer] @param {Record<string, unknown>} [inputs] @param {string} [room] the one that has to be open */
export function act(node, offer = "tap", inputs, room) {
  if (opensWindow.test(node)) ui.expectsWindow = true;
  return connection.act(node, offer, inputs, room);
}

/** Gives the host a secret to keep, or with `once` for the next action alone. A refusal is said, and what was typed stays.
 * @param {string} text @param {boolean} once @returns {Promise<string | undefined>} the reference for the action */
export async function secret(text, once) {
  const reference = await connection.secret(text, once);
  if (!reference) toast("page.secret.refused");
  return reference;
}

/** @param {string} id */
export const node = (id) => find(ui.root, id);

/** Goes from anywhere to what the list of rooms or of notes leads to, and further, without showing the way there.
 * @param {string} target @param {"rooms" | "notes" | "agents"} [list] @param {string} [further] */
export async function go(target, list = "rooms", further) {
  // While the host is away nothing leads anywhere, and the page says so.
  if (ui.connection !== "open") return toast(ui.connection === "ended" ? "page.ended" : "page.offline");
  ui.menu = ui.sheet = undefined;
  // Where one is already, the way there would begin with less than is shown, and what is half changed there stays.
  const here = connection.screens.at(-1);
  if (here?.page === "chat" && target === `room.${here.room}`) return redraw();
  ui.about = undefined;
  leaving.dispatchEvent(new Event("leaving"));
  isHeld = true;
  const place = connection.screens.map(({ page }) => page).lastIndexOf(list);
  const steps = Math.max(0, connection.screens.length - 1 - Math.max(0, place));
  const answers = Array.from({ length: steps }, () => act("back"));
  if (target !== "home") answers.push(act(target));
  if (further) answers.push(act(further));
  const isThere = () => (target === "home" ? connection.screens.length - 1 <= Math.max(0, place) : connection.screens.length - 1 > Math.max(0, place) + (further ? 1 : 0));
  await Promise.race([led(answers, isThere), new Promise((resolve) => setTimeout(resolve, 400))]);
  isHeld = false;
  // At once: the rest of the time until the next picture is enough for it.
  paint();
}

/** Waits until what was asked for has led there; not for what was refused.
 * @param {Promise<string | undefined>[]} answers @param {() => boolean} isThere */
async function led(answers, isThere) {
  if ((await Promise.all(answers)).some(isRefused)) return;
  while (isHeld && !isThere()) await new Promise((resolve) => trees.addEventListener("tree", resolve, { once: true }));
}

/** Waits until the tree has something, for as long as a person would.
 * @param {string} id */
export async function appears(id) {
  const end = Date.now() + 5000;
  while (!node(id) && Date.now() < end) {
    await Promise.race([new Promise((resolve) => trees.addEventListener("tree", resolve, { once: true })), new Promise((resolve) => setTimeout(resolve, 250))]);
  }
  return !!node(id);
}

/** Fires before another screen is asked for, so that what was typed goes first. */
export const leaving = new EventTarget();

/** Whether what is open was found by a search, which is one screen back. */
export const comesFromSearch = () => connection.screens.at(-2)?.page === "search";

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
