import { h } from "../dom/h.js";

// An address ends at characters that nobody sees, and at those that turn text around: what is read must be what is opened.
const unseen = "\\p{Cf}\\p{Cc}";
const address = new RegExp(`\\bhttps?://[^\\s<>"${unseen}]+[^\\s<>".,;:!?)\\]}'»${unseen}]`, "gu");

/** Text with its addresses as links, which open in a window that learns nothing of this one.
 * @param {string} text */
export function linked(text) {
  /** @type {any[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(address)) {
    const start = found.index ?? 0;
    parts.push(text.slice(end, start), h("a", { class: "link-out", href: found[0], target: "_blank", rel: "noopener noreferrer" }, found[0], host(found[0])));
    end = start + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** The name of a site as its address has it, if it is written in other letters: a letter of another script can look the same.
 * @param {string} address */
export function host(address) {
  if (!/[^\x00-\x7f]/.test(address.split("/")[2] ?? "")) return null;
  try {
    return ` (${new URL(address).hostname})`;
  } catch {
    return null;
  }
}
