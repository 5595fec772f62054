// Asks for a line of text, or for one of several things, before something is done.

import { redraw, redrawNow } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { button } from "./controls.js";
import { icon } from "./icon.js";
import { dialog } from "./layers.js";

/** @typedef {import("../words/words.js").Words} Words */
/** @typedef {{title: Words, label: Words, value?: string, about?: Words, most?: number, isOptional?: boolean, button: Words, act: (text: string) => void}} Line */
/** @typedef {{id: string, label: Words, level: number, isChosen: boolean}} Option */
/** @typedef {{title: Words, options: Option[], act: (id: string) => void}} Choice */

/** @type {{line: Line} | {choice: Choice} | undefined} */
let asked;

/** @param {Line} line */
export function askLine(line) {
  asked = { line };
  redraw();
}

/** @param {Choice} choice */
export function askChoice(choice) {
  asked = { choice };
  redraw();
}

/** At once: nothing below a dialog takes the focus, and what follows may give it. */
function close() {
  asked = undefined;
  redrawNow();
}

/** The question that is open. */
export function prompt() {
  if (!asked) return null;
  return "line" in asked ? line(asked.line) : choice(asked.choice);
}

/** @param {Line} line */
function line({ title, label, value = "", about, most = 200, isOptional = false, button: name, act }) {
  /** @param {any} event */
  const send = (event) => {
    event.preventDefault();
    const text = event.currentTarget.elements.namedItem("line").value.trim();
    if (!text && !isOptional) return;
    close();
    act(text);
  };
  return dialog("prompt", [
    h("h2", { id: "prompt-title" }, say(title)),
    about && h("p", { class: "quiet" }, say(about)),
    h("form", { key: "line", onsubmit: send },
      h("input", { type: "text", name: "line", value, required: !isOptional, maxlength: String(most), autocomplete: "off", dir: "auto", "aria-label": plain(label), placeholder: plain(label),
        made: (/** @type {HTMLInputElement} */ element) => element.select() }),
      h("div", { class: "actions" }, button("page.cancel", close), button(name, () => {}, { type: "submit", class: "primary" }))),
  ], { class: "prompt", "aria-labelledby": "prompt-title" }, close);
}

/** @param {Choice} choice */
function choice({ title, options, act }) {
  return dialog("prompt", [
    h("h2", { id: "prompt-title" }, say(title)),
    h("ul", { class: "options" }, options.map((option) => h("li", { key: option.id },
      h("button", { type: "button", class: "option", "aria-current": option.isChosen ? "true" : null, style: { "--level": option.level }, disabled: option.isChosen,
        onclick: () => { close(); act(option.id); } }, icon("folder"), h("span", null, say(option.label)), option.isChosen && icon("check"))))),
    h("div", { class: "actions" }, button("page.cancel", close)),
  ], { class: "prompt", "aria-labelledby": "prompt-title" }, close);
}
