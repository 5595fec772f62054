// What one room is called, how long both keep what is said, who is at the other end, and its end.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { find, roomOf } from "../protocol/tree.js";
import { avatar } from "../parts/avatar.js";
import { press } from "../parts/controls.js";
import { field } from "../parts/fields.js";
import { group, way } from "../parts/group.js";
import { icon } from "../parts/icon.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function roomSettings(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `room_settings.${name}`);
  const room = find(root, `room.${roomOf(root)}`);
  const [name, pinned, muted, ephemeral, kept, lifetime, summarise] = ["name", "pinned", "muted", "ephemeral", "keep_changed", "lifetime", "summarise"].map(part);
  const title = room?.label ?? { said: name?.value && "text" in name.value ? name.value.text : "" };
  return h("div", { key: root.id, class: "sheet room-settings" },
    h("div", { class: "hero" }, avatar(`room.${roomOf(root)}`, title, "large"), h("h2", null, say(title)), room?.detail && h("p", { class: "quiet" }, say(room.detail))),
    group("room-name", "page.room.here", [name && field(name), pinned && generic(pinned), muted && generic(muted),
      summarise && way(summarise.id, summarise.label, () => press(summarise), { picture: "scroll-text" })], "page.room.here.about"),
    trust(part),
    lifetime && group("room-lifetime", lifetime.label, [lifetimes(lifetime)], "page.room.lifetime.about"),
    group("room-kept", "page.room.kept", [ephemeral && generic(ephemeral), kept && generic(kept)]),
    details(part),
    end(part));
}

/** @typedef {(name: string) => Node | undefined} Part */

/** @param {Part} part */
function trust(part) {
  const [verification, number, member] = ["verification", "safety_number", "member"].map(part);
  const words = verification?.value && "words" in verification.value ? verification.value.words : undefined;
  const isVerified = words === "verification.words" || words === "verification.compared";
  return group("room-trust", "page.room.trust", [
    verification && h("div", { key: "verification", class: "row" }, h("span", { class: `row-picture ${isVerified ? "good" : "open"}` }, icon(isVerified ? "shield-check" : "shield-alert")),
      h("span", { class: "row-words" }, h("span", null, say(verification.label)), h("small", null, say(words)))),
    number && way(number.id, number.label, () => press(number), { picture: "hash", isOff: number.is_enabled === false, about: number.is_enabled === false ? "safety_number.none" : undefined }),
    member && way(member.id, member.label, () => press(member), { picture: "users" }),
  ]);
}

/** @param {Node} node */
function lifetimes(node) {
  return h("div", { key: "lifetimes", class: "lifetimes", role: "radiogroup", "data-asks": "", "aria-label": plain(node.label) }, node.children?.map((choice) => h("button", {
    key: choice.id, type: "button", role: "radio", "aria-checked": String(!!choice.is_selected), disabled: choice.is_enabled === false && !choice.is_selected,
    class: choice.detail ? "asked" : null, title: choice.detail && plain(choice.detail), onclick: () => choice.is_selected || act(choice.id),
  }, choice.detail && icon("clock"), h("span", null, say(choice.label)), choice.detail && h("small", null, say("page.room.asked")))));
}

/** @param {Part} part */
function details(part) {
  const found = ["identity", "server"].flatMap((name) => part(name) ?? []);
  return group("room-details", "page.room.details", found.map((node) => h("div", { key: node.id, class: "row" }, h("span", { class: "row-words" }, say(node.label)),
    node.value && "text" in node.value && h("code", { class: "identity", dir: "ltr" }, node.value.text))));
}

/** @param {Part} part */
function end(part) {
  const [leave, remove] = ["leave", "delete"].map(part);
  return group("room-end", "page.room.end", [
    leave && way(leave.id, leave.label, () => press(leave), { about: "page.leave.about", picture: "log-out", isOff: leave.is_enabled === false }),
    remove && way(remove.id, remove.label, () => press(remove, "page.room.delete.about"), { about: "page.room.delete.about", picture: "trash-2", isDestructive: true }),
  ]);
}
