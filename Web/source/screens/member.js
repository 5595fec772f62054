// The other person of a room: the trust between the two, their number, and the keys that are left. And the question before it ends.

import { act, back } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { roomOf } from "../protocol/tree.js";
import { avatar } from "../parts/avatar.js";
import { button, offered, press } from "../parts/controls.js";
import { fact, group, way } from "../parts/group.js";
import { sealFile } from "../parts/sealed.js";
import { icon } from "../parts/icon.js";
import { digits } from "./safety.js";
import { pool } from "./circle.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function member(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `member.${name}`);
  const [trust, add, decline, unknown, number, fingerprint] = ["trust", "add", "decline", "unknown", "number", "fingerprint"].map(part);
  const [room, revoke, renew] = ["room", "revoke", "renew"].map(part);
  return h("div", { key: root.id, class: "sheet member" },
    h("div", { class: "hero" }, avatar(`room.${roomOf(root)}`, root.label, "large"), h("p", { class: "hero-name", "aria-hidden": "true" }, say(root.label)), h("p", { class: "quiet" }, say(trust?.label)),
      (add || decline) && h("div", { class: "actions" }, add && offered(add, "primary", "user-plus"), decline && offered(decline, "quiet")),
      add?.is_enabled === false && add.detail && h("p", { class: "quiet narrow" }, say(add.detail)),
      room && h("div", { class: "actions" }, button(room.label, () => press(room), {}, "message-square"))),
    group("member-identity", "member.number", [
      unknown && h("p", { key: "unknown", class: "row quiet" }, say(unknown.label)),
      number?.value && "text" in number.value && h("div", { key: "number", class: "number" }, digits(number.value.text)),
      fingerprint?.value && "text" in fingerprint.value && h("div", { key: "fingerprint", class: "row" }, h("span", { class: "row-words" }, say(fingerprint.label)), h("code", { class: "identity", dir: "ltr" }, fingerprint.value.text)),
    ], number?.detail),
    keys(trust, ["keys.theirs", "keys.ours", "keys.epoch"].flatMap((name) => part(name) ?? []), renew),
    trust?.facts?.keys && group("member-hand", "page.circle.hand", [way("seal-file", "page.seal.file", () => sealFile(roomOf(root) ?? ""), { about: "page.seal.file.about", picture: "file-lock" })]),
    revoke && group("member-end", "page.member.end", [way(revoke.id, revoke.label, () => press(revoke), { about: "page.member.end.about", picture: "user-round-x", isDestructive: true })]));
}

/** @param {Node | undefined} trust @param {Node[]} counts @param {Node | undefined} renew */
function keys(trust, counts, renew) {
  if (!counts.length && !renew) return null;
  const { keys } = trust?.facts ?? {};
  const warning = counts.find(({ detail }) => detail)?.detail;
  return group("member-keys", "page.member.keys", [
    ...counts.map((node) => fact(node.id, node.label, node.id === "member.keys.theirs" && keys ? pool(keys) : node.value && "count" in node.value ? String(node.value.count) : "")),
    renew && h("div", { key: "renew", class: "row" }, h("span", { class: "row-words" }, h("span", null, say(warning ?? "page.member.keys.enough")), renew.is_enabled === false && h("small", null, say("page.member.keys.later"))),
      button(renew.label, () => press(renew), { class: "small", disabled: renew.is_enabled === false, "aria-busy": renew.is_busy ? "true" : null }, "refresh-cw")),
  ], "page.member.keys.about");
}

/** @type {Record<string, import("../parts/icon.js").Name>} */
const pictures = { "revoke.keys": "key-round", "revoke.peer": "unplug", "revoke.messages": "message-square-off", "revoke.identity": "user-round-x" };

/** Says what follows before it happens.
 * @param {Node} root */
export function revoke(root) {
  const confirm = root.children?.find(({ id }) => id === "revoke.confirm");
  return h("div", { key: root.id, class: "centred revoke" },
    h("span", { class: "glyph danger" }, icon("heart-crack")),
    h("ul", { class: "card consequences", "aria-label": plain(root.label) }, Object.entries(pictures).flatMap(([id, picture]) => {
      const node = root.children?.find((child) => child.id === id);
      return node ? [h("li", { key: id, class: "row" }, h("span", { class: "row-picture" }, icon(picture)), h("span", { class: "row-words" }, say(node.label)))] : [];
    })),
    h("div", { class: "actions" }, button("page.cancel", back), confirm && button(confirm.label, () => void act(confirm.id), { class: "primary danger", disabled: confirm.is_enabled === false })));
}
