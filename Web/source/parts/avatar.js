import { h } from "../dom/h.js";
import { plain } from "../words/words.js";

const hues = 6;

/** @param {string} id decides the colour @param {import("../words/words.js").Words} name @param {string} [size] */
export function avatar(id, name, size = "") {
  let hash = 0;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash ^= hash >>> 16;
  const [initial = ""] = [...plain(name).replace(/[^\p{L}\p{N}]/gu, "")];
  return h("span", { class: `avatar hue-${(hash >>> 0) % hues} ${size}`, "aria-hidden": "true" }, initial.toUpperCase());
}
