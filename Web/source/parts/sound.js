import { stopPlaying } from "./player.js";

/** @type {string | undefined} */
let heard;

/** Nothing plays where nobody sees it.
 * @param {string | undefined} room whose conversation is on the screen */
export function onlyIn(room) {
  if (room === heard) return;
  heard = room;
  stopPlaying();
}
