import { h } from "../dom/h.js";

const address = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'»]/g;

/** Text with its addresses as links, which open in a window that learns nothing of this one.
 * @param {string} text */
export function linked(text) {
  /** @type {any[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(address)) {
    const start = found.index ?? 0;
    parts.push(text.slice(end, start), h("a", { href: found[0], target: "_blank", rel: "noopener noreferrer" }, found[0]));
    end = start + found[0].length;
  }
  return [...parts, text.slice(end)];
}
