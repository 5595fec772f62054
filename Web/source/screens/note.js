// One note. What it takes to write in it is loaded when the first one is opened; it fills the places that are left empty here.

import { act, back, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { say } from "../words/words.js";
import { banner } from "../parts/banner.js";
import { iconButton } from "../parts/controls.js";
import { missing } from "../parts/later.js";
import { offline } from "../parts/layers.js";
import { Part } from "../parts/part.js";
import { strip } from "./generic.js";
import { isOfPanels, panels, panelsButton } from "./panels.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../note/sheet.js").Sheet} Sheet */

const drawnHere = new Set(["note.editor", "note.settings"]);

const writing = new Part(() => import("../note/sheet.js"));

/** The note that is on the screen.
 * @type {{note: string, element: HTMLElement, sheet?: Sheet} | undefined} */
let shown;

/** @param {Node} root */
export function noteScreen(root) {
  const editor = find(root, "note.editor");
  const settings = find(root, "note.settings");
  const note = editor?.facts?.doc ?? "";
  const notices = (root.children ?? []).filter((child) => child.role === "banner" && child.id !== "storage");
  shown?.sheet?.setReadonly(isReadonly(editor));
  return h("main", { key: `note.${note}`, id: "main", class: "note-screen", made: (/** @type {HTMLElement} */ element) => note && void open(note, element) },
    h("div", { key: "back", class: "note-back" }, find(root, "back") && iconButton("chevron-left", "page.back", back)),
    h("header", { key: "head", class: "head note-head" },
      h("h1", null, say(root.label)),
      h("span", { key: "state", class: "note-state", filled: true }), h("span", { key: "contents", class: "note-contents", filled: true }),
      editor && iconButton("search", "page.note.find", () => shown?.sheet?.finder.open()),
      panelsButton(root),
      settings && iconButton("ellipsis", settings.label, () => void act("note.settings"))),
    h("div", { key: "tools", class: "note-tools", filled: true }),
    h("div", { key: "banners", class: "note-banners" }, ui.isWide ? null : offline(), writing.isMissing && !writing.loaded && missing(), notices.map(banner),
      strip(root, (id) => drawnHere.has(id) || isOfPanels(id) || notices.some((notice) => notice.id === id))),
    h("div", { key: "area", class: "note-area" }, h("div", { key: "body", class: "note-body" },
      h("div", { key: "text", class: "note-text" }, h("div", { key: "scroll", class: "note-scroll" }, h("div", { key: "about", class: "note-about", filled: true }),
        h("div", { key: "paper", class: "note-paper" }, h("div", { key: "hint", class: "note-hint", filled: true, "aria-hidden": "true" }), h("div", { key: "page", class: "note-page", filled: true }))), h("div", { key: "finder", class: "note-finder", filled: true })),
      h("div", { key: "side", class: "note-side" }, h("div", { key: "outline", class: "note-outline", filled: true }), panels(root)))),
    h("div", { key: "layer", class: "note-layer", filled: true }));
}

/** @param {Node | undefined} editor */
const isReadonly = (editor) => editor?.states?.includes("readonly") ?? false;

/** @param {string} note @param {HTMLElement} element */
async function open(note, element) {
  leaveNote();
  const here = (shown = /** @type {NonNullable<typeof shown>} */ ({ note, element }));
  const loaded = await writing.bring();
  if (shown !== here || !element.isConnected) return;
  if (!loaded) {
    setTimeout(() => shown === here && element.isConnected && void open(note, element), 1000);
    return;
  }
  here.sheet = new loaded.Sheet(note, element);
  here.sheet.setReadonly(isReadonly(find(ui.root, "note.editor")));
  redraw();
}

/** Lets go of a note whose screen is gone. */
export function leaveNote() {
  shown?.sheet?.leave();
  shown = undefined;
}

/** After each drawing: the screen may have gone with what was around it. */
export function settleNote() {
  if (shown && !shown.element.isConnected) leaveNote();
}

/** Loads the editor beforehand, for whoever looks at the list of notes. */
export const prepareNotes = () => void writing.bring();
