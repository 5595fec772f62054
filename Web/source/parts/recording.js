// Voice messages are recorded with what is loaded as soon as somebody may want it.

import { connection, toast } from "../app.js";
import { Part } from "./part.js";

/** @typedef {import("../protocol/types").Node} Node */

const recording = new Part(() => import("../screens/recording.js"));

export const prepare = () => void recording.bring();

/** What stands in the place of the composer while something is recorded.
 * @param {string} room @param {(name: string) => Node | undefined} part */
export function recorder(room, part) {
  // The core knows of a recording that this page does not have.
  if (part("recording")) prepare();
  return recording.loaded?.recorder(room, part("recording"), part("recording.send"));
}

/** @param {string} room */
export async function record(room) {
  const loaded = await recording.bring();
  if (loaded) void loaded.record(room);
  else toast(connection.state === "open" ? "page.missing" : "page.offline.short");
}
