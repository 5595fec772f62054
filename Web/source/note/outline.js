import { h } from "../dom/h.js";
import { say } from "../words/words.js";

/** The headings of a note; each leads there. The first block is the title of the note, and not listed.
 * @param {import("../../editor/editor.js").Editor} editor */
export function outline(editor) {
  const headings = editor.outline().filter(({ text, position }) => text.trim() && position > 0).slice(0, 200);
  if (!headings.length) return null;
  return h("nav", { key: "outline", "aria-labelledby": "note-outline-name" },
    h("h2", { id: "note-outline-name" }, say("page.note.outline")),
    h("ul", null, headings.map(({ level, text, position }, index) =>
      h("li", { key: String(index), class: `level-${Math.min(level, 3)}` }, h("button", { type: "button", onclick: () => editor.goTo(position) }, h("bdi", null, text))))));
}
