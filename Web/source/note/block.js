// What can be done with a whole block of a note, at its handle.

import { openMenu } from "../parts/controls.js";

/** @param {MouseEvent} event @param {import("../../editor/editor.js").BlockMenu} does */
export function blockMenu(event, { moveUp, moveDown, remove }) {
  openMenu(event, "note.block", [
    { label: "page.note.block.up", icon: "arrow-up", act: moveUp },
    { label: "page.note.block.down", icon: "arrow-down", act: moveDown },
    { label: "page.note.block.delete", icon: "trash-2", isDestructive: true, act: remove },
  ]);
}
