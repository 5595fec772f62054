// Setting a passphrase: what is typed stays in the field until it goes to the host, and only its strength is told.

import { act, secret } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { button, iconButton } from "./controls.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {"weak" | "fair" | "strong"} Strength */

/** @param {Node} node @param {import("../words/words.js").Words} [name] of the button */
export function passphrase(node, name = "page.save") {
  const needsPresent = node.offers?.[0]?.inputs?.includes("current");
  const isOff = node.is_enabled === false;
  /** @param {string} name @param {import("../words/words.js").Words} label */
  const box = (name, label) => h("input", { key: name, name, type: "password", required: true, "aria-label": plain(label), placeholder: plain(label), disabled: isOff,
    autocomplete: name === "current" ? "current-password" : "new-password", oninput: name === "passphrase" ? judge : null });
  return h("form", { key: node.id, class: "field passphrase", onsubmit: (/** @type {Event} */ event) => submit(event, node) },
    h("span", { class: "field-name" }, say(node.label)),
    needsPresent && box("current", "page.passphrase.current"),
    h("div", { key: "line", class: "passphrase-line" }, box("passphrase", node.id === "settings.export.passphrase" ? node.label : "page.passphrase.new"), iconButton("eye", "page.lock.show", show, { "aria-pressed": "false" })),
    h("p", { class: "strength", role: "status" }, h("span", { class: "meter", "aria-hidden": "true" }, h("i"), h("i"), h("i")), h("span", { class: "strength-words", filled: true }, plain("page.strength.about"))),
    button(name, () => {}, { type: "submit", class: "small primary", disabled: isOff, "aria-busy": node.is_busy ? "true" : null }));
}

/** @param {Event} event @param {Node} node */
async function submit(event, node) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  /** @type {Record<string, string>} */
  const references = {};
  for (const name of node.offers?.[0]?.inputs ?? []) {
    const box = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    const reference = await secret(box.value, true);
    if (!reference) return;
    references[name] = reference;
  }
  form.reset();
  tell(form, undefined);
  await act(node.id, "set_secret", references);
}

/** @param {any} event */
function show(event) {
  const pressed = event.currentTarget;
  const box = pressed.closest("form").elements.namedItem("passphrase");
  box.type = box.type === "password" ? "text" : "password";
  pressed.setAttribute("aria-pressed", String(box.type === "text"));
}

/** @param {any} event */
function judge(event) {
  const { value, form } = event.currentTarget;
  tell(form, value ? strength(value) : undefined);
}

/** @param {HTMLFormElement} form @param {Strength | undefined} strength */
function tell(form, strength) {
  const line = /** @type {HTMLElement} */ (form.querySelector(".strength"));
  line.dataset.strength = strength ?? "";
  /** @type {Record<string, string>} */
  const sentences = { weak: plain("page.strength.weak"), fair: plain("page.strength.fair"), strong: plain("page.strength.strong") };
  /** @type {HTMLElement} */ (line.querySelector(".strength-words")).textContent = strength ? sentences[strength] : plain("page.strength.about");
}

/** How hard it is to guess for somebody who has the disk; a hint, and no measure.
 * @param {string} text @returns {Strength} */
export function strength(text) {
  const letters = [...text.toLowerCase()];
  const kinds = new Set(letters).size;
  if (letters.length < 12 || kinds < 6 || /^\d{1,17}$/.test(text)) return "weak";
  const words = new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)).size;
  return words >= 4 || (letters.length >= 18 && kinds >= 10) ? "strong" : "fair";
}
