// The pictures of a prompt, small; a press shows one in the full window.

import { h } from "../dom/h.js";
import { address, nameOf } from "./files.js";
import { open } from "./viewing.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The pictures of a prompt, each as a node of its own.
 * @param {Node} node @returns {Node[]} */
export const promptPictures = (node) => node.facts?.pictures?.map((picture) => ({
  id: picture.id, role: "image", label: picture.name ? { said: picture.name } : "agent.picture", facts: { pictures: [picture] },
})) ?? [];

/** @param {Node} node */
export const thumbnails = (node) => h("div", { key: "pictures", class: "thumbnails" }, promptPictures(node).map((picture) =>
  h("button", { key: picture.id, type: "button", onclick: () => open(picture) }, h("img", { src: address(picture), alt: nameOf(picture), loading: "lazy" }))));
