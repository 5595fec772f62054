// The headings of a note; each leads there. Beside the text they are a list, and where there is no room for that, a menu.

import { h, memo } from "../dom/h.js";
import { iconButton, openMenu } from "../parts/controls.js";
import { say } from "../words/words.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

/** The first block is the title of the note, and not listed.
 * @param {Editor} editor */
const headings = (editor) => editor.outline().filter(({ text, position }) => text.trim() && position > 0).slice(0, 200);

/** Drawn again only when the headings say something else: where they stand changes with each letter.
 * @type {(editor: Editor, levels: string) => import("../dom/h.js").Element_} */
const list = memo((editor) => {
  const goTo = (/** @type {number} */ index) => {
    const heading = headings(editor)[index];
    if (heading) editor.goTo(heading.position);
  };
  return h("nav", { key: "outline", "aria-labelledby": "note-outline-name" },
    h("h2", { id: "note-outline-name" }, say("page.note.outline")),
    h("ul", null, headings(editor).map(({ level, text }, index) =>
      h("li", { key: String(index), class: `level-${Math.min(level, 3)}` }, h("button", { type: "button", onclick: () => goTo(index) }, h("bdi", null, text))))));
});

const icons = /** @type {const} */ (["heading-1", "heading-2", "heading-3"]);

/** The button of the menu. */
const menuButton = memo((/** @type {Editor} */ editor) => {
  const items = () => headings(editor).map(({ level, text, position }) => ({ label: { said: text }, icon: icons[Math.min(level, 3) - 1], act: () => editor.goTo(position) }));
  return iconButton("list", "page.note.outline", (event) => openMenu(event, "note.outline", items()), { key: "outline", "aria-haspopup": "menu" });
});

/** The list and the button; neither without headings.
 * @param {Editor} editor */
export function outline(editor) {
  const found = headings(editor);
  if (!found.length) return { list: null, button: null };
  return { list: list(editor, JSON.stringify(found.map(({ level, text }) => [level, text]))), button: menuButton(editor) };
}
