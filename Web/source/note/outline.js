// The headings of a note; each leads there. Beside the text they are a list, and where there is no room for that, a menu.

import { h } from "../dom/h.js";
import { iconButton, openMenu } from "../parts/controls.js";
import { say } from "../words/words.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

/** The first block is the title of the note, and not listed.
 * @param {Editor} editor */
const headings = (editor) => editor.outline().filter(({ text, position }) => text.trim() && position > 0).slice(0, 200);

/** @param {Editor} editor */
export function outline(editor) {
  const found = headings(editor);
  if (!found.length) return null;
  return h("nav", { key: "outline", "aria-labelledby": "note-outline-name" },
    h("h2", { id: "note-outline-name" }, say("page.note.outline")),
    h("ul", null, found.map(({ level, text, position }, index) =>
      h("li", { key: String(index), class: `level-${Math.min(level, 3)}` }, h("button", { type: "button", onclick: () => editor.goTo(position) }, h("bdi", null, text))))));
}

const icons = /** @type {const} */ (["heading-1", "heading-2", "heading-3"]);

/** The button of the menu.
 * @param {Editor} editor */
export function outlineButton(editor) {
  const found = headings(editor);
  if (!found.length) return null;
  const items = () => headings(editor).map(({ level, text, position }) => ({ label: { said: text }, icon: icons[Math.min(level, 3) - 1], act: () => editor.goTo(position) }));
  return iconButton("list", "page.note.outline", (event) => openMenu(event, "note.outline", items()), { key: "outline", "aria-haspopup": "menu" });
}
