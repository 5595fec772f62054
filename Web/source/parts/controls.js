// Buttons and menus, alike everywhere.

import { act, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { pickFiles } from "./given.js";
import { icon } from "./icon.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../words/words.js").Words} Words */

/** @param {import("./icon.js").Name} name @param {Words} label @param {(event: any) => void} press @param {Record<string, any>} [props] */
export function iconButton(name, label, press, props = {}) {
  const text = plain(label);
  const { class: kind = "", ...rest } = props;
  return h("button", { type: "button", title: text, "aria-label": text, onclick: press, ...rest, class: `icon-button ${kind}` }, icon(name));
}

/** @param {Words} label @param {(event: any) => void} press @param {Record<string, any>} [props] @param {import("./icon.js").Name} [picture] */
export function button(label, press, props = {}, picture) {
  const { class: kind = "", ...rest } = props;
  return h("button", { type: "button", onclick: press, ...rest, class: `button ${kind}` }, picture && icon(picture), h("span", null, say(label)));
}

/** @param {Node} node */
export const isDestructive = (node) => !!node.offers?.some((offer) => offer.is_destructive);

/** What cannot be undone is asked about first, unless the core asks: the offer leads to its question, or answers it.
 * @param {Node} node */
const needsQuestion = (node) => isDestructive(node) && ui.root?.region !== "overlay" && node.offers?.[0]?.action.type !== "navigate";

/** Takes the node's offer, after a question if it cannot be undone.
 * @param {Node} node @param {Words} [about] */
export function press(node, about = node.id.endsWith(".leave") ? "page.leave.about" : "page.confirm.about") {
  if (node.offers?.[0]?.verb === "attach") pickFiles(node);
  else if (node.id.endsWith(".erase")) {
    ui.sheet = "erase";
    redraw();
  }
  else if (!needsQuestion(node)) void act(node.id);
  else ask({ title: node.label, about, button: node.label, isDestructive: true, act: () => void act(node.id) });
}

/** @param {import("../app.js").Question} question */
export function ask(question) {
  ui.menu = undefined;
  ui.question = question;
  redraw();
}

/** A button that the core offers.
 * @param {Node} node @param {string} [kind] @param {import("./icon.js").Name} [picture] */
export function offered(node, kind = "", picture) {
  return button(node.label, () => press(node), {
    key: node.id, class: `${kind} ${isDestructive(node) ? "danger" : ""}`, disabled: node.is_enabled === false,
    "aria-busy": node.is_busy ? "true" : null, title: node.detail && plain(node.detail),
  }, picture);
}

/** Opens a menu below what was pressed.
 * @param {any} event @param {string} owner @param {import("../app.js").Choice[]} items @param {{focus: () => void} | null} [opener] has the focus when nothing was chosen */
export function openMenu(event, owner, items, opener = /** @type {HTMLElement | null} */ (document.activeElement)) {
  event.preventDefault();
  const box = event.currentTarget.getBoundingClientRect();
  const atPointer = event.type === "contextmenu" && event.clientX > 0;
  ui.menu = { owner, items, opener, atPointer, x: atPointer ? event.clientX : box.right, y: atPointer ? event.clientY : box.bottom + 4 };
  redraw();
}
