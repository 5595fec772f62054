// A conversation: who it is with, what was said, and where to write.

import { act, back, comesFromSearch, go, redraw, ui } from "../app.js";
import { roomOf } from "../protocol/tree.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { avatar } from "../parts/avatar.js";
import { banner } from "../parts/banner.js";
import { button, iconButton, offered, openMenu, press } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { offline } from "../parts/layers.js";
import { dropping, pickFolder, takeDropped } from "../parts/given.js";
import { uploads } from "../parts/uploads.js";
import { askPlace } from "../parts/place.js";
import { composer } from "./composer.js";
import { invitation } from "./invitation.js";
import { log } from "./log.js";
import { strip } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

const drawnHere = new Set(["chat.status", "chat.settings", "chat.search", "chat.messages", "chat.typing", "chat.draft", "chat.send", "chat.attach", "chat.record", "chat.recording", "chat.recording.cancel", "chat.recording.send", "chat.place", "chat.seal", "chat.leave",
  "chat.code", "chat.words", "chat.expires", "chat.take_draft", "chat.forgotten", "chat.reconnect", "chat.delete", "chat.retry", "chat.again", "chat.join_again"]);

/** @param {Node} root */
export function talk(root) {
  const room = roomOf(root) ?? "";
  const part = (/** @type {string} */ name) => root.children?.find((child) => child.id === `chat.${name}`);
  const next = part("again") ?? part("join_again");
  const isDead = !!next && !part("messages");
  const notices = (root.children ?? []).filter((child) => child.role === "banner" && child.id !== "storage" && !(isDead && child.id === "chat.problem"));
  const offers = ["reconnect", "retry"].flatMap((name) => part(name) ?? []);
  return h("main", { key: `talk.${room}`, id: "main", class: "talk", ...dropping(!!part("attach"), (event) => void takeDropped(event.dataTransfer)) },
    head(root, room, part, isDead),
    ui.isWide ? null : offline(),
    notices.length || offers.length ? h("div", { key: "banners", class: "banners" }, notices.map(banner),
      offers.length > 0 && h("div", { class: "banner-actions" }, offers.map((node) => offered(node, "small")))) : null,
    strip(root, (id) => drawnHere.has(id) || isDead && id === "chat.problem" || notices.some((notice) => notice.id === id)),
    part("code") ? invitation(part) : part("messages") || ui.unsent.length || uploads.length || part("typing") ? log(part("messages"), room, part("status")?.facts?.unread, part("typing"), part("forgotten")) : isDead ? dead(part, next) : nothing(root, room, part("status")),
    part("draft") ? composer(part, room, root.label) : part("delete") && !isDead ? h("div", { key: "over", class: "over" }, next && offered(next, "primary"), offered(/** @type {Node} */ (part("delete")))) : null);
}

/** A room where nothing is left to say has its state in the middle.
 * @param {Node} root @param {string} room @param {(name: string) => Node | undefined} part @param {boolean} isDead */
function head(root, room, part, isDead) {
  const status = part("status");
  const isVerified = status?.facts?.verification === "verified";
  return h("header", { key: "head", class: "head" },
    ui.isWide && !comesFromSearch() ? null : iconButton("chevron-left", "page.back", back),
    avatar(`room.${room}`, root.label),
    h("div", { class: "head-words" }, h("h1", null, say(root.label)), status && !isDead && link(status, isVerified)),
    h("div", { class: "head-actions" },
      part("search") && iconButton("search", "chat.search", () => act("chat.search")),
      ui.isVeryWide && iconButton("panel-right", "page.inspector", () => { ui.inspects = !ui.inspects; redraw(); }, { "aria-pressed": String(ui.inspects) }),
      iconButton("ellipsis", "page.more", (event) => openMenu(event, "talk", actions(root, part)), { "aria-haspopup": "menu" })));
}

/** Before the first word.
 * @param {Node} root
 * @param {string} room
 * @param {Node | undefined} status
 */
function nothing(root, room, status) {
  return h("div", { key: "nothing", class: "centred nothing-said" }, avatar(`room.${room}`, root.label, "large"), h("h2", null, say(root.label)), h("p", { class: "quiet" }, say(status?.label)));
}

/** Where the two did not meet: what happened, and what leads on.
 * @param {(name: string) => Node | undefined} part @param {Node} next */
function dead(part, next) {
  const [status, problem, remove] = ["status", "problem", "delete"].map(part);
  return h("div", { key: "dead", class: "centred nothing-said" }, h("span", { class: "glyph danger" }, icon("unplug")),
    h("h2", null, say(status?.label)), problem && h("p", { class: "quiet narrow", role: "status" }, say(problem.label)),
    h("div", { class: "actions" }, button(next.label, () => go(next.id === "chat.again" ? "rooms.create" : "rooms.join"), { class: "primary" }, next.id === "chat.again" ? "message-square-plus" : "log-in"), remove && offered(remove, "quiet")));
}

/** The link in one quiet line; the shield leads to the comparison of the numbers.
 * @param {Node} status @param {boolean} isVerified */
function link(status, isVerified) {
  const { verification } = status.facts ?? {};
  const text = [say(status.label), status.detail && ui.isWide && h("span", null, " · ", say(status.detail))];
  return h("span", { class: `link ${status.is_busy ? "working" : ""}`, role: "status" },
    verification ? h("button", { type: "button", class: isVerified ? "shield" : "shield open", "aria-label": plain("room_settings.safety_number"), title: plain("room_settings.safety_number"), onclick: compare },
      icon(isVerified ? "shield-check" : "shield-alert")) : null,
    h("span", null, text));
}

/** The safety number is two screens away. */
export function compare() {
  void act("chat.settings");
  void act("room_settings.safety_number");
}

/** @param {Node} _root @param {(name: string) => Node | undefined} part */
function actions(_root, part) {
  /** @type {[string, import("../parts/icon.js").Name][]} */
  const known = [["settings", "settings-2"], ["attach", "folder"], ["place", "map-pin"], ["seal", "mail"], ["leave", "log-out"], ["delete", "trash-2"]];
  return known.flatMap(([name, picture]) => {
    const node = part(name);
    if (!node?.offers?.length) return [];
    const label = name === "attach" ? "page.attach.folder" : node.label;
    return [{ label, icon: picture, isDestructive: name === "delete", act: name === "attach" ? pickFolder : name === "place" ? askPlace : () => press(node) }];
  });
}
