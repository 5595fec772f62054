// Which messages have their buttons: the one under the pointer, and the one that had the focus last. The others would have most of what a
// conversation draws and lays out, for nobody.

import { redraw, ui } from "../app.js";

let [pointed, focused] = ["", ""];

/** @param {string} id */
export const isNear = (id) => id === pointed || id === focused;

/** @param {PointerEvent} event */
export function point(event) {
  const id = /** @type {Element} */ (event.target).closest(".message")?.id;
  // A menu goes back to the button that opened it.
  if (!id || id === pointed || ui.menu) return;
  // Nor does a button go while it has the focus.
  focused = document.activeElement?.closest(".message")?.id ?? focused;
  pointed = id;
  redraw();
}

/** @param {string} id */
export function approach(id) {
  if (id === focused) return;
  focused = id;
  redraw();
}
