// Dialogs of the settings: what a bug report says, read before it is saved, and the end of everything, which wants a word.

import { act, connection, copy, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { button, iconButton } from "../parts/controls.js";
import { dialog } from "../parts/layers.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The report that is on the screen, as text.
 * @type {string | undefined} */
let text;

/** A dialog that has gone closes no other that came after it. */
function close() {
  if (ui.sheet === "report" || ui.sheet === "erase") ui.sheet = undefined;
  text = undefined;
  redraw();
}

/** What happened in the last stretch of the run, without names and without what was said. */
export function report() {
  return dialog("report", [
    h("header", null, h("h2", { id: "report-title" }, say("page.report")), iconButton("x", "page.close", close)),
    h("p", null, say("page.report.what")),
    h("pre", { class: "report-text", role: "group", tabindex: "0", dir: "ltr", "aria-label": plain("page.report"), "aria-busy": text === undefined ? "true" : null, made: () => void read() }, text ?? ""),
    h("div", { class: "actions" }, button("page.copy.text", () => copy(text ?? ""), { disabled: !text }, "copy"),
      button("page.report.download", () => save(text ?? ""), { class: "primary", disabled: !text }, "download")),
  ], { class: "report", "aria-labelledby": "report-title" }, close);
}

async function read() {
  const found = await connection.ask("report");
  text = found ? JSON.stringify(found, null, 1) : plain("page.report.none");
  redraw();
}

/** @param {string} content */
function save(content) {
  const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "alcove-report.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Asks for a word before everything goes. */
export function erase() {
  const word = plain("page.erase.word");
  const node = ui.root?.id === "lock" ? "lock.erase" : "settings.erase";
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    if (event.currentTarget.elements.namedItem("word").value.trim().toLowerCase() !== word.toLowerCase()) return;
    close();
    void act(node);
  };
  const typed = (/** @type {any} */ event) => {
    const { form, value } = event.currentTarget;
    form.querySelector("[type=submit]").disabled = value.trim().toLowerCase() !== word.toLowerCase();
  };
  return dialog("erase", [h("form", { onsubmit: send, autocomplete: "off" },
    h("h2", { id: "erase-title" }, say("settings.erase")),
    h("p", null, say("page.erase.what")),
    h("div", { class: "field" }, h("label", { for: "erase-word" }, say({ key: "page.erase.type", args: { word: { said: word } } })),
      h("input", { id: "erase-word", name: "word", type: "text", autocapitalize: "none", spellcheck: "false", oninput: typed, made: (/** @type {HTMLElement} */ box) => box.focus() })),
    h("div", { class: "actions" }, button("page.cancel", close),
      button("settings.erase", () => {}, { type: "submit", class: "primary danger", made: (/** @type {HTMLButtonElement} */ element) => { element.disabled = true; } })))],
  { class: "erase", "aria-labelledby": "erase-title" }, close);
}
