// Links to other notes: what they are called in the text, where they lead, and choosing one.

import { connection, leaving, trees, ui } from "../app.js";
import { h } from "../dom/h.js";
import { isComposing } from "../parts/composing.js";
import { icon } from "../parts/icon.js";
import { dialog } from "../parts/layers.js";
import { plain, say } from "../words/words.js";
import { askTitles, readTitles, titleOf } from "./titles.js";

/** Rows that the choice shows at most. */
const limit = 50;

export class Linker {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    /** What the host was asked for while this note is open. @type {Set<string>} */
    this.asked = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.asking = undefined;
    /** The notes that can be chosen, while one is. @type {{note: string, title: string}[] | undefined} */
    this.choices = undefined;
    this.query = "";
    this.chosen = 0;
    this.hear = () => { if (readTitles(ui.root)) this.sheet.editor?.nameNotes(); };
    trees.addEventListener("tree", this.hear);
    readTitles(ui.root);
  }

  leave() {
    clearTimeout(this.asking);
    trees.removeEventListener("tree", this.hear);
  }

  /** What a note is called. A link to one that nobody has told of stays as it is written until the host has.
   * @param {string} note */
  title(note) {
    const found = titleOf(note);
    // What is not here can come, and a list tells nothing of what was deleted.
    if (!found?.isHere || found.isDeleted) this.ask(note);
    return found ?? null;
  }

  /** @private @param {string} note */
  ask(note) {
    if (this.asked.has(note)) return;
    this.asked.add(note);
    this.asking ??= setTimeout(async () => {
      this.asking = undefined;
      await askTitles(this.asked);
      this.sheet.editor?.nameNotes();
    }, 100);
  }

  /** @param {string} note */
  follow(note) {
    leaving.dispatchEvent(new Event("leaving"));
    void connection.dispatch({ type: "open_note", note });
  }

  /** Lets the person choose a note, and puts a link to it at the caret. */
  async open() {
    [this.query, this.chosen] = ["", 0];
    const all = await askTitles();
    this.choices = all.filter(({ note }) => note !== this.sheet.note);
    this.sheet.draw();
  }

  /** @private @param {string} [note] */
  close(note) {
    this.choices = undefined;
    // Before anything is typed: nothing below a dialog takes the focus.
    this.sheet.paint();
    if (note) this.sheet.run("noteLink", { note });
    else this.sheet.editor?.focus();
    this.sheet.draw();
  }

  /** @private */
  get found() {
    const wanted = this.query.trim().toLocaleLowerCase();
    return (this.choices ?? []).filter(({ title }) => title.toLocaleLowerCase().includes(wanted)).slice(0, limit);
  }

  /** @private @param {KeyboardEvent} event */
  keys(event) {
    const { found } = this;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isComposing(event)) return;
    if (event.key === "Enter") this.close(found[this.chosen]?.note);
    else if (step) this.chosen = (this.chosen + step + found.length) % Math.max(1, found.length);
    else return;
    event.preventDefault();
    this.sheet.draw();
  }

  view() {
    if (!this.choices) return null;
    const { found } = this;
    const type = (/** @type {any} */ event) => {
      [this.query, this.chosen] = [event.target.value, 0];
      this.sheet.draw();
    };
    return dialog("note-link", [
      h("div", { class: "palette-box" }, icon("search"), h("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "note-link-list",
        "aria-activedescendant": found[this.chosen] ? `note-link-${this.chosen}` : null, "aria-label": plain("page.notes.search"), placeholder: plain("page.notes.search"),
        autocomplete: "off", spellcheck: "false", oninput: type, onkeydown: (/** @type {KeyboardEvent} */ event) => this.keys(event) })),
      h("ul", { id: "note-link-list", role: "listbox", "aria-label": plain("notes") }, found.map(({ note, title }, index) => h("li", {
        key: note, id: `note-link-${index}`, role: "option", "aria-selected": String(index === this.chosen), onclick: () => this.close(note),
        drawn: (/** @type {HTMLElement} */ element) => index === this.chosen && element.scrollIntoView({ block: "nearest" }),
      }, h("span", { class: "entry-picture" }, icon("file-text")), h("bdi", null, title)))),
      found.length ? null : h("p", { class: "quiet nothing", role: "status" }, say("page.nothing")),
    ], { class: "palette", "aria-label": plain("page.note.link.note") }, () => this.choices && this.close());
  }
}
