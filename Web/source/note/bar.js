// The formats, in one row. What is on at the selection is pressed.

import { h, memo } from "../dom/h.js";
import { isChord } from "../parts/composing.js";
import { iconButton, openMenu } from "../parts/controls.js";
import { plain } from "../words/words.js";
import { comment } from "./commenting.js";
import { pickPictures } from "./pictures.js";
import { tableMenu } from "./table.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */
/** @typedef {import("../parts/icon.js").Name} Name */
/** @typedef {[name: string, words: string, icon: Name]} Command */

/** Commands with their words and icons, in groups.
 * @type {Command[][]} */
const groups = [
  [["bold", "page.note.bold", "bold"], ["italic", "page.note.italic", "italic"], ["strike", "page.note.strike", "strikethrough"], ["code", "page.note.code", "code"], ["link", "page.note.link", "link"], ["comment", "page.note.comment", "message-square-plus"]],
  [["bullets", "page.note.bullets", "list"], ["numbers", "page.note.numbers", "list-ordered"], ["tasks", "page.note.tasks", "list-todo"]],
  [["quote", "page.note.quote", "text-quote"], ["codeBlock", "page.note.code_block", "square-code"], ["table", "page.note.table", "table"], ["image", "page.note.image", "image"], ["noteLink", "page.note.link.note", "file-text"], ["rule", "page.note.rule", "minus"]],
  [["undo", "page.note.undo", "undo-2"], ["redo", "page.note.redo", "redo-2"]],
];

/** Where the bar is narrow, some stand in a menu, and others only at the selection. */
const [lists, insertions] = [groups[1], groups[2]];

/** @type {Command[]} */
const texts = [
  ["paragraph", "page.note.paragraph", "pilcrow"], ["heading1", "page.note.heading_1", "heading-1"],
  ["heading2", "page.note.heading_2", "heading-2"], ["heading3", "page.note.heading_3", "heading-3"],
];

/** The words and the icon of a command.
 * @param {string} name @returns {[string, Name]} */
export function titleOf(name) {
  const found = [...groups.flat(), ...texts].find(([command]) => command === name);
  return found ? [found[1], found[2]] : [name, "type"];
}

export class Bar {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /** @param {Editor} editor */
  view(editor) {
    return row(this, editor, editor.active().join(" "), editor.can("undo"), editor.can("redo"));
  }

  /** @param {Editor} editor @param {Command} one @param {string[]} active */
  command(editor, one, active) {
    const [name] = one;
    const isOn = active.includes(name);
    if (name === "table" && isOn) return null;
    if (name === "link") return this.button(editor, one, isOn, () => this.sheet.bubble.openLink());
    if (name === "image") return this.button(editor, one, false, () => pickPictures(this.sheet));
    if (name === "noteLink") return this.button(editor, one, false, () => void this.sheet.linker.open(String(document.getSelection())));
    if (name === "comment") return this.button(editor, one, false, () => comment(this.sheet));
    const isOff = (name === "undo" || name === "redo") && !editor.can(name);
    return this.button(editor, one, isOn, () => this.sheet.run(name), { disabled: isOff });
  }

  /** @param {Editor} _editor @param {Command} one @param {boolean} isOn @param {(event: any) => void} press @param {Record<string, any>} [props] */
  button(_editor, [name, words, icon], isOn, press, props = {}) {
    const isToggle = !["undo", "redo", "rule", "image", "noteLink", "text", "comment", "insert"].includes(name);
    return iconButton(icon, words, press, { key: name, "data-command": name, "aria-pressed": isToggle ? String(isOn) : null, ...props });
  }

  /** @param {Command[]} commands */
  items(commands) {
    const act = (/** @type {string} */ name) => (name === "image" ? pickPictures(this.sheet) : name === "noteLink" ? void this.sheet.linker.open() : this.sheet.run(name));
    return commands.map(([name, label, icon]) => ({ label, icon, act: () => act(name) }));
  }
}

/** Drawn again only when something else is on, or can be done: a letter changes neither.
 * @type {(bar: Bar, editor: Editor, active: string, canUndo: boolean, canRedo: boolean) => import("../dom/h.js").Element_} */
const row = memo((bar, editor, names) => {
  const active = names.split(" ");
  const heading = texts.find(([name]) => active.includes(name)) ?? texts[0];
  const isInTable = active.includes("table");
  return h("div", { key: "bar", class: isInTable ? "note-bar in-table" : "note-bar", role: "toolbar", "aria-label": plain("page.note.formats"), onmousedown: keepSelection, onkeydown: move },
    bar.button(editor, ["text", "page.note.text", heading[2]], false, (event) => openMenu(event, "note.text", bar.items(texts)), { "aria-haspopup": "menu" }),
    isInTable && bar.button(editor, ["cells", "page.note.table", "table"], true, (event) => tableMenu(bar.sheet, event, "table"), { "aria-haspopup": "menu" }),
    groups.map((group, index) => h("span", { key: `group ${index}`, class: `note-group ${group === lists ? "note-lists" : group === insertions ? "note-insertions" : ""}` }, group.map((one) => bar.command(editor, one, active)))),
    bar.button(editor, ["insert", "page.note.insert", "plus"], false, (event) => openMenu(event, "note.insert", bar.items([...lists, ...insertions])), { class: "note-insert", "aria-haspopup": "menu" }));
});

/** The selection stays where it is when a button is pressed with the pointer.
 * @param {MouseEvent} event */
export function keepSelection(event) {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

/** Arrows go from button to button.
 * @param {KeyboardEvent} event */
export function move(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || isChord(event)) return;
  const buttons = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button:not(:disabled), a")];
  const place = buttons.indexOf(/** @type {Element} */ (document.activeElement)) + (document.dir === "rtl" ? -step : step);
  /** @type {HTMLElement | undefined} */ (buttons.at(place % buttons.length))?.focus();
  event.preventDefault();
}
