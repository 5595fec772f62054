// What the page loads after it was drawn.

import { redraw } from "../app.js";
import { h } from "../dom/h.js";

/** @type {typeof import("../screens/further.js").screens | undefined} */
let screens;
let isLoading = false;

/** The screens that come later, by their ids. */
export const isFurther = /^(agent_log|app|app_log|circle|install_app|member|revoke|room_settings|safety_number|settings|summary)$/;

/** Loads them. While the host is away its files are, too: they come when it is back. */
export async function load() {
  if (screens || isLoading) return;
  isLoading = true;
  screens = (await import("../screens/further.js").catch(() => undefined))?.screens;
  isLoading = false;
  if (screens) redraw();
  else setTimeout(load, 1000);
}

/** One of them, in a moment.
 * @param {import("../protocol/types").Node} root */
export function further(root) {
  if (!screens) void load();
  return screens ? screens[root.id](root) : h("div", { key: "comes", "aria-busy": "true" });
}
