import { h } from "../dom/h.js";

/** Text in which the words that somebody looks for are marked.
 * @param {string} text @param {string} query */
export function marked(text, query) {
  const words = [...query.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
  if (!words.length) return [text];
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "giu");
  /** @type {any[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(wanted)) {
    parts.push(text.slice(end, found.index), h("mark", null, found[0]));
    end = (found.index ?? 0) + found[0].length;
  }
  return [...parts, text.slice(end)];
}
