// How fast a file moves, and how long it still takes.

import { key } from "../words/words.js";

/** @typedef {import("../words/words.js").Words} Words */

/** Milliseconds between two looks. */
const pause = 800;
/** Files of which something is known. */
const most = 100;

/** @type {Map<string, {at: number, done: number, rate: number}>} */
const known = new Map();

/** What is known after a while.
 * @param {string} id @param {{done: number, total: number}} progress @returns {Words | undefined} */
export function pace(id, { done, total }) {
  const now = performance.now();
  const last = known.get(id);
  if (!last || done < last.done) {
    if (known.size >= most) known.clear();
    known.set(id, { at: now, done, rate: 0 });
  } else if (now - last.at >= pause) {
    const rate = (1000 * (done - last.done)) / (now - last.at);
    known.set(id, { at: now, done, rate: last.rate ? (last.rate + rate) / 2 : rate });
  }
  const rate = known.get(id)?.rate ?? 0;
  return rate > 0 ? key("page.file.pace", { rate: { bytes: Math.round(rate) }, left: { duration: (1000 * (total - done)) / rate } }) : undefined;
}
