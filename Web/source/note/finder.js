// Finds text in the note, and puts other text in its place.

import { h } from "../dom/h.js";
import { button, iconButton } from "../parts/controls.js";
import { plain, say } from "../words/words.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

export class Finder {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.isOpen = false;
    /** Whether it was opened for somebody who reads on, and leaves the focus where it is. */
    this.isQuiet = false;
    this.text = "";
    this.replacement = "";
  }

  open() {
    if (!this.sheet.editor) return;
    const chosen = String(document.getSelection()).split("\n")[0].slice(0, 200);
    if (chosen && this.sheet.editor.dom.contains(document.activeElement)) this.text = chosen;
    [this.isOpen, this.isQuiet] = [true, false];
    // Nothing moves before something is typed.
    this.look(true);
    const { input } = this;
    if (!input) return;
    input.value = this.text;
    input.focus();
    input.select();
  }

  /** Shows the first place of what was looked for in all notes, without taking the focus. A note may have its words apart.
   * @param {string} words */
  show(words) {
    const whole = words.replace(/["*]/g, "").trim();
    for (const text of [whole, ...whole.split(/\s+/).sort((one, other) => other.length - one.length)]) {
      this.sheet.editor?.run("look", { text, isRead: true });
      if (!text || !this.sheet.editor?.matches().count) continue;
      [this.text, this.isOpen, this.isQuiet] = [text, true, true];
      break;
    }
    this.sheet.draw();
  }

  /** @private @returns {HTMLInputElement | null} */
  get input() {
    return this.sheet.element.querySelector(".note-find input");
  }

  close() {
    this.isOpen = false;
    this.sheet.editor?.run("look", { text: "" });
    this.sheet.editor?.focus();
    this.sheet.draw();
  }

  /** @private */
  look(stays = false) {
    this.sheet.editor?.run("look", { text: this.text, stays });
    this.sheet.draw();
  }

  /** @private @param {string} name @param {any} [argument] */
  run(name, argument) {
    this.sheet.editor?.run(name, argument);
    // A button that has nothing more to do loses the focus.
    if (!this.sheet.editor?.matches().count) this.input?.focus();
    this.sheet.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.isOpen) return false;
    const isHere = event.target instanceof Element && event.target.closest(".note-find");
    if (event.key === "Escape") this.close();
    else if (isHere && event.key === "Enter" && event.target instanceof HTMLInputElement) {
      if (event.target.name === "replacement") this.run("replaceMatch", { text: this.replacement });
      else this.run(event.shiftKey ? "previousMatch" : "nextMatch");
    } else return false;
    return true;
  }

  /** @param {Editor} editor */
  view(editor) {
    if (!this.isOpen) return null;
    const { count, current } = editor.matches();
    return h("div", { key: "find", class: "note-find", role: "search", "aria-label": plain("page.note.find") },
      h("div", { key: "find", class: "note-find-row" },
        h("input", { type: "text", name: "find", "aria-label": plain("page.note.find"), placeholder: plain("page.note.find"), value: this.text, autocomplete: "off", spellcheck: "false", dir: "auto",
          oninput: (/** @type {any} */ event) => { this.text = event.target.value; this.look(); },
          made: (/** @type {HTMLInputElement} */ input) => { if (!this.isQuiet) { input.focus(); input.select(); } } }),
        h("span", { class: "note-count", role: "status" }, this.text ? say({ key: "page.note.found", args: { place: { count: current + 1 }, count: { count } } }) : ""),
        iconButton("chevron-up", "page.note.previous", () => this.run("previousMatch"), { disabled: !count }),
        iconButton("chevron-down", "page.note.next", () => this.run("nextMatch"), { disabled: !count }),
        iconButton("x", "page.close", () => this.close())),
      this.sheet.isReadonly ? null : h("div", { key: "replace", class: "note-find-row" },
        h("input", { type: "text", name: "replacement", "aria-label": plain("page.note.replacement"), placeholder: plain("page.note.replacement"), value: this.replacement, autocomplete: "off", spellcheck: "false", dir: "auto",
          oninput: (/** @type {any} */ event) => { this.replacement = event.target.value; } }),
        h("span", { class: "note-find-acts" },
          button("page.note.replace", () => this.run("replaceMatch", { text: this.replacement }), { class: "small", disabled: current < 0 }),
          button("page.note.replace_all", () => this.run("replaceMatches", { text: this.replacement }), { class: "small", disabled: !count }))));
  }
}
