// What stands at the selection: formats of the words that are chosen, and the address of a link.

import { h } from "../dom/h.js";
import { ask, iconButton, openMenu } from "../parts/controls.js";
import { plain } from "../words/words.js";
import { keepSelection, move } from "./bar.js";
import { comment } from "./commenting.js";
import { pictureTools } from "./picture.js";
import { beside } from "./places.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

/** Opens an address in another window, after the person has seen it: what a text says and where it leads may differ.
 * @param {string} address */
export function follow(address) {
  ask({ title: "page.note.follow", about: { said: address }, button: "page.open", act: () => void window.open(address, "_blank", "noopener,noreferrer") });
}

/** What can be done with the selection. Without one, or with Shift, the browser's own menu comes.
 * @param {import("./sheet.js").Sheet} sheet @param {MouseEvent} event */
export function selectionMenu(sheet, event) {
  if (event.shiftKey || sheet.isReadonly || !sheet.editor?.selectionBox()) return;
  const take = (/** @type {"cut" | "copy"} */ what) => {
    sheet.editor?.focus();
    document.execCommand(what);
  };
  openMenu(event, "note.selection", [
    { label: "page.note.comment", icon: "message-square-plus", act: () => comment(sheet) },
    { label: "page.note.link", icon: "link", act: () => sheet.bubble.openLink() },
    { label: "page.note.cut", icon: "scissors", act: () => take("cut") },
    { label: "page.copy.text", icon: "copy", act: () => take("copy") },
  ]);
}

/** @type {import("./bar.js").Command[]} */
const formats = [
  ["bold", "page.note.bold", "bold"], ["italic", "page.note.italic", "italic"], ["underline", "page.note.underline", "underline"],
  ["strike", "page.note.strike", "strikethrough"], ["code", "page.note.code", "code"],
];

export class Bubble {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    /** Whether an address is being entered. */
    this.isLinking = false;
    /** The words that become a link. */
    this.chosen = "";
    /** The selection that was put away with Escape. */
    this.hidden = "";
  }

  openLink() {
    if (!this.sheet.editor?.selectionBox()) return;
    this.chosen = String(document.getSelection());
    this.link(true);
    this.sheet.draw();
  }

  /** While its address is entered, the words that become a link are marked: the field has taken the selection.
   * @private @param {boolean} isOn */
  link(isOn) {
    if (this.isLinking === isOn) return;
    this.isLinking = isOn;
    this.sheet.editor?.markQuote(isOn);
  }

  /** Until something else is selected. */
  hide() {
    this.link(false);
    this.hidden = this.sheet.editor?.selected() ?? "";
  }

  close() {
    this.hide();
    this.sheet.editor?.focus();
    this.sheet.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    // The bubble stands at the end of the page for keys.
    if (event.key === "Enter" && event.altKey && this.sheet.editor?.picture() && this.sheet.editor.dom === document.activeElement) {
      /** @type {HTMLElement | null} */ (this.sheet.element.querySelector(".note-bubble button"))?.focus();
      return true;
    }
    const isOpen = this.isLinking || this.sheet.element.querySelector(".note-bubble");
    if (event.key !== "Escape" || !isOpen) return false;
    this.close();
    return true;
  }

  /** @param {Editor} editor */
  view(editor) {
    const picture = this.isLinking ? null : editor.picture();
    if (picture) return this.frame(picture.element.getBoundingClientRect(), pictureTools(this.sheet, picture));
    const link = this.isLinking ? null : linkAtCaret(editor);
    const selection = editor.selectionBox();
    const text = String(document.getSelection()).trim();
    const selected = editor.selected();
    if (selected !== this.hidden) this.hidden = "";
    if (!selection) this.link(false);
    const box = selection?.start ?? link?.getBoundingClientRect();
    const isChosen = selection && !this.sheet.isReadonly && (this.isLinking || (text && !this.sheet.finder.isOpen && selected !== this.hidden && editor.dom.contains(document.activeElement)));
    if (!box || !(isChosen || link)) return null;
    const parts = this.isLinking ? this.form() : [...(isChosen ? this.formats(editor) : []), ...(link ? this.address(link) : [])];
    return this.frame(box, parts);
  }

  /** @private @param {{left: number, right: number, top: number, bottom: number}} box @param {any[]} parts */
  frame(box, parts) {
    if (!isInside(box, this.sheet.place("scroll"))) return null;
    return h("div", { key: "bubble", class: "note-bubble", role: "group", "aria-label": plain("page.note.selection"), onmousedown: keepSelection, onkeydown: move,
      made: (/** @type {HTMLElement} */ element) => beside(element, box, "above"), drawn: (/** @type {HTMLElement} */ element) => beside(element, box, "above") }, parts);
  }

  /** @private @param {Editor} editor */
  formats(editor) {
    const active = editor.active();
    return [
      ...formats.map(([name, words, icon]) => iconButton(icon, words, () => this.sheet.run(name), { key: name, "aria-pressed": String(active.includes(name)) })),
      iconButton("link", "page.note.link", () => this.openLink(), { key: "link", "aria-pressed": String(active.includes("link")) }),
      iconButton("message-square-plus", "page.note.comment", () => comment(this.sheet), { key: "comment" }),
    ];
  }

  /** @private @param {Element} link */
  address(link) {
    const address = link.getAttribute("href") ?? "";
    return [h("button", { key: "follow", type: "button", class: "note-address", onclick: () => follow(address) }, h("bdi", null, address))];
  }

  /** @private */
  form() {
    /** @param {any} event */
    const submit = (event) => {
      event.preventDefault();
      const typed = new FormData(event.currentTarget).get("address")?.toString().trim() ?? "";
      const href = typed && !/^[a-z]+:/i.test(typed) ? `https://${typed}` : typed;
      this.link(false);
      this.sheet.run("link", { href });
    };
    const known = document.getSelection()?.anchorNode?.parentElement?.closest(".note a[href]")?.getAttribute("href") ?? "";
    return [h("form", { key: "form", class: "note-form", onsubmit: submit },
      h("input", { type: "text", name: "address", "aria-label": plain("page.note.address"), placeholder: plain("page.note.address"), value: known, autocomplete: "off", spellcheck: "false", dir: "ltr",
        made: (/** @type {HTMLInputElement} */ input) => { input.focus(); input.select(); } }),
      iconButton("check", "page.note.link", () => {}, { type: "submit" }),
      iconButton("file-text", "page.note.link.note", () => { this.hide(); void this.sheet.linker.open(this.chosen); }),
      known && iconButton("unlink", "page.note.unlink", () => { this.link(false); this.sheet.run("link", { href: "" }); }))];
  }
}

/** The link in which the caret stands.
 * @param {Editor} editor */
function linkAtCaret(editor) {
  const place = document.getSelection()?.anchorNode;
  const link = (place instanceof Element ? place : place?.parentElement)?.closest("a[href]");
  return link && editor.dom.contains(link) && editor.dom.contains(document.activeElement) ? link : null;
}

/** @param {{top: number, bottom: number}} box @param {HTMLElement} scroll */
function isInside(box, scroll) {
  const { top, bottom } = scroll.getBoundingClientRect();
  return box.bottom > top && box.top < bottom;
}
