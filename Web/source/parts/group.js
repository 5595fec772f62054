// A heading, a sentence and a card of rows: what settings are made of.

import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { icon } from "./icon.js";

/** @typedef {import("../words/words.js").Words} Words */

/** @param {string} id @param {Words} title @param {any[]} rows @param {Words} [about] @param {import("./icon.js").Name} [picture] */
export function group(id, title, rows, about, picture) {
  return h("section", { key: id, id, class: "group", "aria-labelledby": `${id}.name`, tabindex: "-1" },
    h("h2", { class: "group-name", id: `${id}.name` }, picture && icon(picture), h("span", null, say(title))),
    h("div", { class: "card" }, rows),
    about && h("p", { class: "group-about" }, say(about)));
}

/** A row that only says something.
 * @param {string} key @param {Words} label @param {any} value */
export function fact(key, label, value) {
  return h("div", { key, class: "row" }, h("span", { class: "row-words" }, say(label)), h("span", { class: "value" }, value));
}

/** A row that leads somewhere.
 * @param {string} key @param {Words} label @param {() => void} press @param {{about?: Words, picture?: import("./icon.js").Name, isDestructive?: boolean, isOff?: boolean}} more */
export function way(key, label, press, { about, picture, isDestructive, isOff }) {
  return h("button", { key, type: "button", class: isDestructive ? "row danger" : "row", disabled: isOff, onclick: press },
    picture && h("span", { class: "row-picture" }, icon(picture)),
    h("span", { class: "row-words" }, h("span", null, say(label)), about && h("small", null, say(about))), icon("chevron-right"));
}
