// The pictures of a prompt, small; a press shows one in the full window.

import { h } from "../dom/h.js";
import { key, plain } from "../words/words.js";
import { address, nameOf } from "./files.js";
import { open } from "./viewing.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The pictures of a prompt, each as a node of its own.
 * @param {Node} node @returns {Node[]} */
export const promptPictures = (node) => node.facts?.pictures?.map((picture) => ({
  id: `picture.${picture.id}`, role: "section", label: picture.name ? { said: picture.name } : "agent.picture", facts: { pictures: [picture] },
})) ?? [];

/** @param {Node} node */
export const thumbnails = (node) => promptPictures(node).map((picture) => h("button", {
  key: `small.${picture.id}`, type: "button", class: "prompt-thumbnail", title: nameOf(picture), "aria-label": plain(key("page.picture.show", { name: { said: nameOf(picture) } })), onclick: () => open(picture),
}, h("img", { src: address(picture), alt: "", loading: "lazy", decoding: "async" })));
