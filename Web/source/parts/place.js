// A place as a card. A map on the net learns which place it is asked for, so the person is asked first.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { key, say } from "../words/words.js";
import { ask, button } from "./controls.js";
import { icon } from "./icon.js";
import { askLine } from "./prompt.js";

/** @typedef {import("../protocol/types").Node} Node */

const precision = 5;

/** Whether a message is a place.
 * @param {Node} node */
export const isPlace = ({ label }) => label === "message.place.own" || label === "message.place.other";

/** @param {Node} node */
export function place(node) {
  const text = textOf(node);
  const [latitude, longitude] = text.split(",").map(Number);
  return h("div", { class: "place-card" },
    h("span", { class: "file-picture" }, icon("map-pin")),
    h("span", { class: "file-words" }, h("b", null, say(node.label)), h("small", { dir: "ltr" }, `${degrees(latitude, "N", "S")} ${degrees(longitude, "E", "W")}`)),
    button("page.place.open", () => ask({ title: "page.place.open", about: key("page.place.about", { address: { said: address(latitude, longitude) } }), button: "page.open", act: () => open(latitude, longitude) }), { class: "small" }, "map"));
}

/** @param {number} angle @param {string} positive @param {string} negative */
const degrees = (angle, positive, negative) => `${Math.abs(angle).toFixed(precision)}° ${angle < 0 ? negative : positive}`;

/** Where a map shows it.
 * @param {number} latitude @param {number} longitude */
const address = (latitude, longitude) => `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;

/** @param {number} latitude @param {number} longitude */
function open(latitude, longitude) {
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return;
  window.open(address(latitude, longitude), "_blank", "noopener,noreferrer");
}

/** A place is typed or pasted. The browser is never asked where it is. */
export function askPlace() {
  askLine({ title: "chat.place", label: "page.place.written", about: "page.place.how", most: 2048, button: "page.send", act: (text) => void act("chat.place", "set_text", { text }) });
}
