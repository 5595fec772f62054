// Voice messages are recorded with what is loaded as soon as somebody may want it.

import { redraw, toast } from "../app.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @type {typeof import("../screens/recording.js") | undefined} */
let loaded;

export async function prepare() {
  loaded ??= await import("../screens/recording.js").catch(() => undefined);
  if (loaded) redraw();
}

/** What stands in the place of the composer while something is recorded.
 * @param {string} room @param {(name: string) => Node | undefined} part */
export function recorder(room, part) {
  // The core knows of a recording that this page does not have.
  if (!loaded && part("recording")) void prepare();
  return loaded?.recorder(room, part("recording"), part("recording.send"));
}

/** @param {string} room */
export async function record(room) {
  if (!loaded) await prepare();
  if (loaded) void loaded.record(room);
  else toast("page.offline.short");
}
