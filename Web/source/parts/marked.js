// A text with the words in it that were looked for, in any case, with accents or without.

import { h } from "../dom/h.js";
import { folded } from "../words/matching.js";

const limit = 16;

/** @param {string} text @param {string} query @returns {(string | import("../dom/h.js").Element_)[]} */
export function marked(text, query) {
  const words = query.split(/\s+/).map(folded).filter(Boolean).slice(0, limit);
  const letters = [...text];
  // Where in the folded text each letter begins.
  /** @type {number[]} */
  const starts = [];
  let plain = "";
  for (const letter of letters) {
    starts.push(plain.length);
    plain += folded(letter);
  }
  starts.push(plain.length);
  const isFound = letters.map(() => false);
  for (const word of words) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
      for (let index = 0; index < letters.length; index++) if (starts[index + 1] > at && starts[index] < at + word.length) isFound[index] = true;
    }
  }
  /** @type {(string | import("../dom/h.js").Element_)[]} */
  const parts = [];
  for (let start = 0; start < letters.length;) {
    let end = start;
    while (end < letters.length && isFound[end] === isFound[start]) end++;
    const part = letters.slice(start, end).join("");
    parts.push(isFound[start] ? h("mark", null, part) : part);
    start = end;
  }
  return parts;
}
