// The people who are trusted, how much is left to write to them with, messages carried by hand, and trust that has ended.

import { act, go } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { avatar } from "../parts/avatar.js";
import { button } from "../parts/controls.js";
import { dropping } from "../parts/given.js";
import { openSealed, pickSealed } from "../parts/sealed.js";
import { group } from "../parts/group.js";
import { icon } from "../parts/icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function circle(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `circle.${name}`);
  const [open, members, ended, empty] = [part("open"), part("members"), part("tombstones"), part("empty")];
  return h("div", { key: "circle", class: "sheet circle", ...dropping(!!open, (event) => void openSealed(event.dataTransfer?.files[0], open)) },
    empty && nobody(empty),
    members && group("circle-members", members.label, members.children?.map(member) ?? [], "page.circle.about"),
    open && group("circle-hand", "page.circle.hand", [
      h("div", { key: "drop", class: "drop" }, h("span", { class: "row-picture" }, icon("mail-open")), h("span", { class: "row-words" }, h("span", null, say("page.circle.drop")), h("small", null, say("page.circle.drop.about"))),
        button("page.circle.choose", () => pickSealed(open), { class: "small", "aria-label": plain(open.label), disabled: open.is_enabled === false, "aria-busy": open.is_busy ? "true" : null })),
    ]),
    ended && group("circle-ended", ended.label, ended.children?.map(tombstone) ?? [], "page.circle.ended"));
}

/** @param {Node} node */
function member(node) {
  const { facts = {} } = node;
  const seen = node.children?.find(({ id }) => id.endsWith(".seen"));
  const isHere = facts.link === "connected";
  return h("button", { key: node.id, type: "button", class: "row person", onclick: () => act(node.id) },
    h("span", { class: isHere ? "presence here" : "presence" }, avatar(`room.${node.id.slice("member.".length)}`, node.label)),
    h("span", { class: "row-words" }, h("span", { class: "person-name" }, h("b", null, say(node.label)), h("span", { class: "trusted", title: plain("trust.both") }, icon("shield-check", plain("trust.both")))),
      h("small", null, say(node.detail), !isHere && seen?.value && "time" in seen.value && [" · ", say(seen.label), " ", h("time", { title: whole(seen.value.time) }, short(seen.value.time))])),
    facts.keys && pool(facts.keys), icon("chevron-right"));
}

/** How many keys are left, in three steps, and the number for whoever wants it.
 * @param {NonNullable<NonNullable<Node["facts"]>["keys"]>} keys */
export function pool({ theirs, level }) {
  return h("span", { class: "pool", "data-level": level, title: `${plain("member.keys.theirs")}: ${theirs}` },
    h("span", { class: "meter", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
    h("span", { class: "unseen" }, plain("member.keys.theirs"), ": "), h("span", { class: "pool-count" }, String(theirs)));
}

/** @param {Node} node */
function tombstone(node) {
  return h("div", { key: node.id, class: "row tombstone" }, h("span", { class: "row-picture" }, icon("user-round-x")),
    h("span", { class: "row-words" }, h("span", null, say(node.label)), h("small", null, say(node.detail)),
      node.value && "words" in node.value && h("small", { class: "identity" }, say(node.value.words))),
    node.at && h("time", { class: "value", title: whole(node.at) }, short(node.at)));
}

/** @param {Node} empty */
const nobody = ({ label }) => h("div", { key: "nobody", class: "nobody" }, h("span", { class: "glyph" }, icon("users")), h("p", null, say(label)),
  button("rooms.create", () => go("rooms.create"), { class: "primary" }, "user-plus"));
