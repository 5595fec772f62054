// Which picture or film fills the window. Drawn by screens/viewer.js.

import { redraw } from "../app.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @type {{id: string, zoom: number, among?: Node[]} | undefined} */
let viewing;

export const viewed = () => viewing;

/** @param {Node} node @param {Node[]} [among] what there is to see, if it is none of the conversation */
export function open(node, among = viewing?.among) {
  viewing = { id: node.id, zoom: 1, among };
  redraw();
}

/** @param {number} zoom */
export function zoomTo(zoom) {
  if (viewing) viewing = { ...viewing, zoom: Math.min(8, Math.max(1, zoom)) };
  redraw();
}

export function close() {
  viewing = undefined;
  redraw();
}
