// A note that can be written in: the editor, and what stands around it. Loaded when the first note is opened.

import { redraw, toast, trees } from "../app.js";
import { createEditor } from "../../editor/editor.js";
import { show as showDocument, leave } from "../documents/documents.js";
import { open, placeIn } from "../documents/places.js";
import { h } from "../dom/h.js";
import { show } from "../dom/patch.js";
import { Plan } from "../dom/plan.js";
import { isComposing } from "../parts/composing.js";
import { isFree, leaveText } from "../parts/focus.js";
import { leaveComments } from "../screens/comments.js";
import { plain } from "../words/words.js";
import { about } from "./about.js";
import { Bar, titleOf } from "./bar.js";
import { blockMenu } from "./block.js";
import { Bubble, follow, selectionMenu } from "./bubble.js";
import { comment, connect } from "./commenting.js";
import { Finder } from "./finder.js";
import { Linker } from "./linking.js";
import { outline } from "./outline.js";
import { draw, takePictures } from "./pictures.js";
import { SlashMenu } from "./slash.js";
import { savedState } from "./state.js";
import { tableMenu } from "./table.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

/** How often the place of the caret is told at most, in milliseconds. */
const pointEvery = 100;

export class Sheet {
  /** @param {string} note @param {HTMLElement} element the screen, with a place for each part */
  constructor(note, element) {
    this.note = note;
    this.element = element;
    /** @type {Editor | undefined} */
    this.editor = undefined;
    this.isReadonly = false;
    /** What had the focus when the note was asked for. */
    this.opener = document.activeElement;
    this.plan = new Plan(() => this.element.isConnected && this.paint());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pointing = undefined;
    this.bar = new Bar(this);
    this.bubble = new Bubble(this);
    this.finder = new Finder(this);
    this.linker = new Linker(this);
    this.slash = new SlashMenu(this);
    this.hear = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.follow = () => this.draw();
    document.addEventListener("keydown", this.hear, true);
    trees.addEventListener("tree", this.follow);
    this.place("scroll").addEventListener("scroll", this.follow, { passive: true });
    this.document = showDocument(note, () => this.changed());
    this.document.placed = () => { this.editor?.setCursors(this.document.people); this.draw(); };
    this.changed();
  }

  /** @param {string} name @returns {HTMLElement} */
  place(name) {
    return /** @type {HTMLElement} */ (this.element.querySelector(`.note-${name}`));
  }

  leave() {
    document.removeEventListener("keydown", this.hear, true);
    trees.removeEventListener("tree", this.follow);
    clearTimeout(this.pointing);
    this.linker.leave();
    leaveComments(this.note);
    this.editor?.destroy();
    this.editor = undefined;
    leave(this.document);
  }

  /** @param {boolean} isReadonly */
  setReadonly(isReadonly) {
    if (this.isReadonly === isReadonly) return;
    this.isReadonly = isReadonly;
    this.editor?.setReadonly(isReadonly);
    this.draw();
  }

  /** The document, or how it stands with the host, is another one.
   * @private */
  changed() {
    if (this.document.isKnown && !this.editor) this.begin();
    this.draw();
  }

  /** @private */
  begin() {
    const mount = this.place("page");
    this.editor = createEditor({
      mount, doc: this.document.doc, readonly: this.isReadonly, label: plain("note.editor"), draw: draw(this.note),
      onChange: () => this.draw(),
      onSelection: () => this.selected(),
      onLink: follow,
      noteOf: (note) => this.linker.title(note),
      onNote: (note, heading) => this.linker.follow(note, heading),
      onTag: (tag) => this.linker.showTag(tag),
      onNoteTyped: () => void this.linker.open("", true),
      handleLabel: plain("page.note.block"),
      onBlock: blockMenu,
      tableLabels: { column: plain("page.note.column"), row: plain("page.note.row") },
      onTable: (event, part, putBack) => tableMenu(this, event, part, { focus: putBack }),
      slashTitle: (name) => plain(titleOf(name)[0]),
      onFiles: (files, place) => void takePictures(this, files, place),
      onRefused: () => toast("page.note.too_large"),
    });
    // What belongs to the caret is there only while somebody writes.
    for (const kind of ["focus", "blur"]) this.editor.dom.addEventListener(kind, this.follow);
    // Also a note that is only read scrolls by keys.
    this.editor.dom.tabIndex = 0;
    this.document.placed();
    connect(this, mount);
    mount.oncontextmenu = (event) => selectionMenu(this, event);
    if (!this.isReadonly && isFree(this.opener) && matchMedia("(pointer: fine)").matches) this.editor.focus();
    const place = placeIn(this.note);
    if (place) this.seek(place);
    open.goTo = (sought) => sought.note === this.note && this.seek(sought);
    redraw();
  }

  /** @private @param {import("../documents/places.js").Place} place */
  seek({ words, heading }) {
    if (words) this.finder.show(words);
    const found = heading && this.editor?.outline().find(({ id }) => id === heading);
    if (found) this.editor?.goTo(found.position);
    return !!this.editor;
  }

  /** @private */
  selected() {
    this.draw();
    this.pointing ??= setTimeout(() => {
      this.pointing = undefined;
      this.document.point(this.editor?.cursor() ?? null);
    }, pointEvery);
  }

  /** Does something, and goes on writing.
   * @param {string} name @param {any} [argument] */
  run(name, argument) {
    this.editor?.run(name, argument);
    this.editor?.focus();
    this.draw();
  }

  /** Keys of what is open go there before the editor has them.
   * @private @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    // A comment, or a question above the text, has keys of its own.
    const isInside = target === document.body || (target instanceof Element && this.element.contains(target) && !target.closest("dialog, .panels :is(input, textarea)"));
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isCommand && !event.shiftKey && event.key.toLowerCase() === "f" && !document.querySelector("dialog")) this.finder.open();
    else if (!isInside || isComposing(event)) return;
    else if (isCommand && event.shiftKey && event.key.toLowerCase() === "k") this.bubble.openLink();
    else if ((event.ctrlKey || event.metaKey) && event.altKey && event.code === "KeyM") comment(this);
    else if (!this.slash.key(event) && !this.bubble.key(event) && !this.finder.key(event) && !this.leaves(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  /** Tab belongs to lists and tables, so that Escape is the way out of the text.
   * @private @param {KeyboardEvent} event */
  leaves(event) {
    if (event.key !== "Escape" || !this.editor || document.activeElement !== this.editor.dom) return false;
    leaveText();
    return true;
  }

  /** Draws what stands around the text before the next picture. */
  draw() {
    this.plan.ask();
  }

  /** Draws it at once. */
  paint() {
    const { editor } = this;
    const isOff = this.isReadonly || !editor;
    const headings = editor && outline(editor);
    this.fill("state", ...savedState(this.document, this.isReadonly));
    this.fill("about", editor ? about(this.note, this.document.people) : null);
    this.fill("tools", isOff ? null : this.bar.view(editor));
    this.fill("outline", headings?.list ?? null);
    this.fill("contents", headings?.button ?? null);
    this.fill("hint", !isOff && editor.isEmpty() ? h("p", null, plain("page.note.hint")) : null);
    this.fill("finder", editor ? this.finder.view(editor) : null);
    this.fill("layer", isOff ? null : this.slash.view(editor), isOff ? null : this.linker.view(), editor ? this.bubble.view(editor) : null);
  }

  /** @private @param {string} name @param {(import("../dom/h.js").Element_ | null)[]} parts */
  fill(name, ...parts) {
    show(this.place(name), parts.flatMap((part) => part ?? []));
  }
}
