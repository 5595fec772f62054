// Links to other notes: what they are called in the text, where they lead, and choosing one.

import { connection, leaving, trees, ui } from "../app.js";
import { seek } from "../documents/places.js";
import { h } from "../dom/h.js";
import { isComposing } from "../parts/composing.js";
import { icon } from "../parts/icon.js";
import { dialog } from "../parts/layers.js";
import { showTag } from "../screens/folders.js";
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
    /** Whether somebody typed the beginning of a link, and goes on with what stands in it. */
    this.isTyped = false;
    /** Whether the host has not told the notes yet. */
    this.isWaiting = false;
    /** Whether the first one that fits was chosen before that. */
    this.isHasty = false;
    this.hear = () => {
      if (readTitles(ui.root)) this.sheet.editor?.nameNotes();
      this.sheet.draw();
    };
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

  /** @param {string} note @param {string} [heading] */
  follow(note, heading) {
    if (heading) seek({ note, heading });
    if (note === this.sheet.note) return;
    leaving.dispatchEvent(new Event("leaving"));
    void connection.dispatch({ type: "open_note", note });
  }

  /** Has the list beside the note show those with a tag. Where there is none, whoever touches a tag means to write.
   * @param {string} tag */
  showTag(tag) {
    if (ui.isWide) showTag(tag.slice(1));
  }

  /** Lets the person choose a note, and puts a link to it at the caret.
   * @param {string} query what is looked for at first @param {boolean} isTyped whether `[[` stands before the caret */
  async open(query = "", isTyped = false) {
    [this.query, this.chosen, this.choices, this.isTyped, this.isWaiting, this.isHasty] = [query.trim(), 0, [], isTyped, true, false];
    // At once: what is typed next belongs there.
    this.sheet.paint();
    const all = await askTitles();
    this.isWaiting = false;
    if (!this.choices) return;
    this.choices = all.filter(({ note }) => note !== this.sheet.note);
    if (this.isEnded) this.finish();
    else if (this.isHasty) this.choose(this.found[this.chosen]?.note);
    this.sheet.draw();
  }

  /** @private @param {string} [command] @param {any} [argument] */
  close(command, argument) {
    const rest = this.isTyped ? this.query : "";
    this.choices = undefined;
    // Before anything is typed: nothing below a dialog takes the focus.
    this.sheet.paint();
    this.sheet.editor?.focus();
    if (command) this.sheet.run(command, argument);
    // Who chose nothing has written what was typed.
    else if (rest) this.sheet.run("write", { text: rest });
    this.sheet.draw();
  }

  /** @private */
  get isEnded() {
    return this.isTyped && this.query.includes("]]");
  }

  /** A link that is typed to its end is that to a note which is called so, or has that id; else it is text.
   * @private */
  finish() {
    const end = this.query.indexOf("]]");
    const [name, rest] = [this.query.slice(0, end).trim(), this.query.slice(end + 2)];
    const [, note, heading] = /^([\w-]{22}|[\w-]{36})(?:#(h_[\w-]{8}))?$/.exec(name) ?? [];
    const called = this.choices?.find(({ title }) => title.toLocaleLowerCase() === name.toLocaleLowerCase())?.note ?? note;
    if (!called) return this.close();
    this.close("noteLink", { note: called, heading });
    if (rest) this.sheet.run("write", { text: rest });
  }

  /** @private @param {string | undefined} note */
  choose(note) {
    if (note) this.close("noteLink", { note });
    else if (this.isWaiting) this.isHasty = true;
    else this.close();
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
    if (event.key === "Enter") this.choose(found[this.chosen]?.note);
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
      if (this.isEnded && !this.isWaiting) this.finish();
      this.sheet.draw();
    };
    return dialog("note-link", [
      h("div", { class: "palette-box" }, icon("search"), h("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "note-link-list",
        "aria-activedescendant": found[this.chosen] ? `note-link-${this.chosen}` : null, "aria-label": plain("page.notes.search"), placeholder: plain("page.notes.search"),
        value: this.query, autocomplete: "off", spellcheck: "false", oninput: type, onkeydown: (/** @type {KeyboardEvent} */ event) => this.keys(event) })),
      h("ul", { id: "note-link-list", role: "listbox", "aria-label": plain("notes") }, found.map(({ note, title }, index) => h("li", {
        key: note, id: `note-link-${index}`, role: "option", "aria-selected": String(index === this.chosen), onclick: () => this.choose(note),
        drawn: (/** @type {HTMLElement} */ element) => index === this.chosen && element.scrollIntoView({ block: "nearest" }),
      }, h("span", { class: "entry-picture" }, icon("file-text")), h("bdi", null, title)))),
      found.length || this.isWaiting ? null : h("p", { class: "quiet nothing", role: "status" }, say("page.nothing")),
    ], { class: "palette", "aria-label": plain("page.note.link.note") }, () => this.choices && this.close());
  }
}
