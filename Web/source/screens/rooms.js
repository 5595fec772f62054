// The list of rooms: pinned ones first, then the newest.

import { act, go, node, redraw, ui } from "../app.js";
import { h, memo } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { keyName } from "../words/keys.js";
import { key, plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { avatar } from "../parts/avatar.js";
import { iconButton, openMenu, press } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { offline } from "../parts/layers.js";
import { strip } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

const sections = ["rooms.closed", "rooms.pinned", "rooms.active", "rooms.pending"];

/** @param {Node} root @param {string | undefined} open the room that is open beside */
export function rooms(root, open) {
  const isAlone = !ui.isWide && !find(root, "welcome") && !find(root, "rooms.empty");
  const list = root.id === "rooms" ? root : find(root, "rooms.beside");
  if (!list) return null;
  const [closed, ...found] = sections.map((id) => list.children?.find((child) => child.id === id));
  // A room that is pinned, or that somebody enters, stays in one list, and so does the focus that is on it.
  const rows = found.flatMap((section) => section?.children ?? []);
  const draw = (/** @type {Node} */ room) => item(room, room.id === `room.${open}`, ui.isWide);
  return h(isAlone ? "main" : "section", { key: "rooms", id: isAlone ? "main" : null, class: "rooms", "aria-label": plain("rooms") },
    h("header", null, h("h1", null, say("rooms")), iconButton("plus", "rooms.create", add, { "aria-haspopup": "menu" })),
    h("button", { type: "button", class: "search", onclick: () => { ui.sheet = "palette"; redraw(); } },
      icon("search"), h("span", null, say("page.palette")), h("kbd", { "aria-hidden": "true" }, `${keyName("Ctrl")} K`)),
    offline(),
    root.id === "rooms" && !ui.isWide ? strip(root, shownElsewhere) : null,
    h("div", { key: "list", class: "rooms-list" },
      rows.length > 0 && h("ul", { key: "open" }, rows.map(draw)),
      closed && h("div", { key: "closed" }, h("h2", null, say(closed.label)), h("ul", null, closed.children?.map(draw))),
      node("rooms.clear") && h("button", { type: "button", class: "button quiet", onclick: () => press(/** @type {Node} */ (node("rooms.clear"))) },
        h("span", null, say("rooms.clear")))));
}

/** What the list and the welcome draw themselves.
 * @param {string} id */
export const shownElsewhere = (id) => /^(rooms|welcome)(\.|$)/.test(id);

/** @param {any} event */
function add(event) {
  openMenu(event, "add", [
    { label: "rooms.create", icon: "message-square-plus", act: () => go("rooms.create") },
    { label: "rooms.join", icon: "log-in", act: () => go("rooms.join") },
  ]);
}

const item = memo((/** @type {Node} */ room, /** @type {boolean} */ isOpen, /** @type {boolean} */ _isWide) => {
  const { facts = {}, label, detail, at } = room;
  const pin = room.children?.find((child) => child.id === `${room.id}.pin`);
  const isTalking = facts.link !== undefined && facts.link !== "closed";
  const line = facts.typing ? "chat.typing" : facts.latest ?? detail;
  return h("li", { key: room.id },
    h("button", { type: "button", class: "room", "aria-current": isOpen ? "true" : null, onclick: () => go(room.id),
      oncontextmenu: (/** @type {Event} */ event) => openMenu(event, room.id, menu(room)) },
      avatar(room.id, label),
      h("span", { class: "room-lines" },
        h("span", { class: "line" }, h("b", null, say(label)),
          at && h("time", { datetime: new Date(at).toISOString(), title: whole(at) }, short(at))),
        h("span", { class: "line" }, h("span", { class: facts.typing ? "latest typing" : "latest", title: isTalking ? plain(detail) : null }, say(line)),
          facts.muted ? icon("bell-off", plain("page.muted")) : null,
          facts.unread ? h("span", { class: facts.muted ? "badge muted" : "badge" }, String(facts.unread), h("span", { class: "unseen" }, " ", plain("room.unread"))) : null,
          pin?.is_selected && !facts.unread ? icon("pin", plain("room_settings.pinned")) : null))),
    iconButton("ellipsis", key("page.more.of", { name: { words: label } }), (event) => openMenu(event, room.id, menu(room)),
      { class: "room-more", "aria-haspopup": "menu" }));
});

/** @param {Node} room */
function menu(room) {
  /** @type {Record<string, import("../parts/icon.js").Name>} */
  const pictures = { pin: "pin", up: "arrow-up", down: "arrow-down", delete: "trash-2" };
  return (room.children ?? []).filter((child) => child.offers?.length && child.is_enabled !== false).map((child) => {
    const name = child.id.split(".").at(-1) ?? "";
    const isPin = name === "pin";
    return {
      label: isPin && child.is_selected ? "page.unpin" : child.label, icon: pictures[name] ?? "circle",
      isDestructive: name === "delete", act: () => (name === "delete" ? press(child) : void act(child.id)),
    };
  });
}
