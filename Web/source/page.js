// The frame of the page: places, list, and what is open.

import { back, go, redraw, ui } from "./app.js";
import { h } from "./dom/h.js";
import { find, roomOf } from "./protocol/tree.js";
import { plain, say } from "./words/words.js";
import { iconButton } from "./parts/controls.js";
import { layers, notices, offline } from "./parts/layers.js";
import { create, first, home, join, lock } from "./screens/forms.js";
import { sheet, strip } from "./screens/generic.js";
import { help, palette } from "./screens/palette.js";
import { rail } from "./screens/rail.js";
import { rooms } from "./screens/rooms.js";
import { talk } from "./screens/talk.js";

/** @typedef {import("./protocol/types").Node} Node */

/** Screens that stand beside the list of rooms. */
const ofRooms = /^(rooms|chat|create|join|room_settings|safety_number|revoke)$/;
const topScreens = /^(create|join|settings|notes|apps|circle)$/;

/** @param {Node | undefined} root */
export function page(root) {
  if (!root) return h("div", { key: "skeleton", class: "skeleton", "aria-busy": "true" }, offline(), ...layers());
  if (root.id === "lock") return h("div", { key: "locked", class: "frame alone" }, lock(root), offline(), ...layers());
  if (root.id !== "chat") ui.opened = undefined;
  const hasList = ofRooms.test(root.id);
  const kind = ["frame", hasList ? "with-list" : "without-list", root.id === "rooms" ? "at-rooms" : "at-detail"].join(" ");
  document.title = title(root);
  return h("div", { key: "frame", class: kind },
    h("a", { class: "skip", href: "#main" }, say("page.skip")),
    ui.isWide || root.id === "rooms" ? rail(root) : null,
    hasList && (ui.isWide || root.id === "rooms") ? rooms(root, roomOf(root)) : null,
    ui.isWide || root.id !== "rooms" ? detail(root) : narrowWelcome(root),
    ui.sheet === "palette" && palette(root), ui.sheet === "help" && help(), notices(root), ...layers());
}

/** @param {Node} root */
function detail(root) {
  switch (root.id) {
    case "rooms": return home(root);
    case "chat": return talk(root);
    case "create": return screen(root, create(root));
    case "join": return screen(root, join(root));
    default: return screen(root, sheet(root));
  }
}

/** @param {Node} root */
function narrowWelcome(root) {
  const welcome = find(root, "welcome");
  const isEmpty = find(root, "rooms.empty");
  return welcome ? first(welcome) : isEmpty ? home(root) : null;
}

/** @param {Node} root @param {any} content */
function screen(root, content) {
  const isForm = root.id === "create" || root.id === "join";
  const canGoBack = find(root, "back") && !(ui.isWide && topScreens.test(root.id));
  return h("main", { key: `screen.${root.id}`, id: "main", class: "screen" },
    h("header", { class: "head" }, canGoBack && iconButton("chevron-left", "page.back", back),
      h("h1", { class: isForm ? "unseen" : null }, say(root.label))),
    ui.isWide && ofRooms.test(root.id) ? null : offline(),
    isForm ? h("div", { class: "screen-body" }, strip(root, (id) => id.startsWith(`${root.id}.`)), content) : h("div", { class: "screen-body" }, content));
}

/** @param {Node} root */
function title(root) {
  const rooms = find(root, "rooms.beside") ?? root;
  /** @type {(node: Node) => number} */
  const count = (node) => (node.facts?.unread ?? 0) + (node.children ?? []).reduce((sum, child) => sum + count(child), 0);
  const unread = count(rooms);
  return `${unread ? `(${unread}) ` : ""}${plain(root.label)} · Alcove`;
}

/** @param {KeyboardEvent} event */
export function shortcuts(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (ui.root?.id === "lock") return;
  if (isCommand && event.key.toLowerCase() === "k") ui.sheet = ui.sheet === "palette" ? undefined : "palette";
  else if (isCommand && event.shiftKey && event.key.toLowerCase() === "o") void go("rooms.create");
  else if (isCommand && event.key === "/") /** @type {HTMLElement | null} */ (document.querySelector(".composer textarea"))?.focus();
  else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) neighbour(event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "?" && !isTyping && !isCommand) ui.sheet = "help";
  else if (event.key === "Escape" && !ui.sheet && !ui.question && !ui.menu) escape(isTyping);
  else return;
  event.preventDefault();
  redraw();
}

/** @param {boolean} isTyping */
function escape(isTyping) {
  if (isTyping) /** @type {HTMLElement} */ (document.activeElement).blur();
  else if (ui.about) ui.about = undefined;
  else if (find(ui.root, "back") && !(ui.isWide && ui.root?.id === "chat")) void back();
}

/** @param {number} step */
function neighbour(step) {
  const open = roomOf(ui.root);
  const ids = [...document.querySelectorAll(".room")].length ? roomIds() : [];
  const next = ids[ids.indexOf(`room.${open}`) + step];
  if (next) void go(next);
}

function roomIds() {
  const list = find(ui.root, "rooms.beside") ?? ui.root;
  return ["rooms.pinned", "rooms.active", "rooms.pending", "rooms.closed"].flatMap((id) => find(list, id)?.children?.map((room) => room.id) ?? []);
}
