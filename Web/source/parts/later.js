// What the page loads after it was drawn.

import { redraw } from "../app.js";

/** @typedef {typeof import("../screens/further.js")} Screens */

/** @type {Screens | undefined} */
let screens;
let isLoading = false;

/** Loads them. While the host is away its files are, too: they come when it is back. */
export async function load() {
  if (screens || isLoading) return;
  isLoading = true;
  screens = await import("../screens/further.js").catch(() => undefined);
  isLoading = false;
  if (screens) redraw();
  else setTimeout(load, 1000);
}

/** A screen that may not be here yet, which takes a moment.
 * @param {Exclude<keyof Screens, "default">} name @param {import("../protocol/types").Node} root */
export function further(name, root) {
  if (!screens) void load();
  return screens?.[name](root) ?? null;
}
