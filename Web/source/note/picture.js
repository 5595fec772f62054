// What can be done with a picture that is selected: what it is called, how wide it is, and a look at the whole.

import { h } from "../dom/h.js";
import { button, iconButton } from "../parts/controls.js";
import { save } from "../parts/file.js";
import { askLine } from "../parts/prompt.js";
import { open } from "../parts/viewing.js";
import { plain } from "../words/words.js";
import { addressOf } from "./pictures.js";

/** @typedef {ReturnType<import("../../editor/editor.js").Editor["picture"]>} Picture */

/** Shares of the text's width, in percent. */
const shares = [50, 75, 100];

/** @param {import("./sheet.js").Sheet} sheet @param {NonNullable<Picture>} picture */
export function pictureTools(sheet, { attributes: { imageId, alt, caption, width } }) {
  const change = (/** @type {object} */ attributes) => sheet.run("changePicture", attributes);
  const ask = (/** @type {"alt" | "caption"} */ name, /** @type {"page.note.picture.alt" | "page.note.picture.caption"} */ label, /** @type {string | null} */ value) =>
    button(label, () => askLine({ title: label, label, value: value ?? "", isOptional: true, button: "page.save", act: (text) => change({ [name]: text || null }) }), { key: name, class: "quiet small" });
  // The viewer shows what a conversation has; this is no message, and its address is its name.
  const shown = { id: addressOf(sheet.note, imageId), role: "file", label: { said: alt || caption || plain("page.note.image") }, facts: { bytes: 0, media: { kind: "picture" } }, uses: ["open"] };
  return [
    ...(sheet.isReadonly ? [] : [
      ask("alt", "page.note.picture.alt", alt), ask("caption", "page.note.picture.caption", caption),
      ...shares.map((share) => h("button", { key: String(share), type: "button", class: "icon-button note-width", "aria-label": plain({ key: "page.note.picture.width", args: { share: { count: share } } }),
        "aria-pressed": String((width ?? "100%") === `${share}%`), onclick: () => change({ width: share === 100 ? null : `${share}%` }) }, `${share} %`)),
    ]),
    iconButton("zoom-in", "page.note.picture.open", () => open(/** @type {any} */ (shown), [/** @type {any} */ (shown)]), { key: "open" }),
    save(/** @type {any} */ (shown)),
  ];
}
