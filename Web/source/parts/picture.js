// A picture in a conversation: its small copy at once, and all of it when it is here.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say, size } from "../words/words.js";
import { iconButton } from "./controls.js";
import { acceptOf, address, isHere, nameOf } from "./files.js";
import { icon } from "./icon.js";
import { ring } from "./ring.js";
import { open } from "./viewing.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../dom/h.js").Element_} Element_ */
/** @typedef {{progress?: {done: number, total: number}, cancel?: import("./ring.js").Control, rest?: import("./ring.js").Control}} State */

/** @param {Node} node @param {State} state @param {Element_ | null} answers */
export function picture(node, { progress, cancel, rest }, answers) {
  const { width = 4, height = 3, thumbnail } = node.facts?.media ?? {};
  const small = thumbnail ? blob(thumbnail) : undefined;
  const accept = node.children?.find((child) => child.id === acceptOf(node));
  const press = isHere(node) ? () => open(node) : accept && (() => void act(accept.id));
  const name = plain(isHere(node) || !accept ? key("page.picture.show", { name: { said: nameOf(node) } }) : accept.label);
  const shown = [
    small ? h("img", { key: "small", class: "thumbnail", src: small, alt: "" }) : h("span", { key: "none", class: "no-thumbnail" }, icon("image")),
    isHere(node) && h("img", { key: "whole", class: "whole", src: address(node), alt: nameOf(node), loading: "lazy", onerror: hide, onload: show }),
    progress && node.facts?.transfer === "paused" && h("span", { key: "paused", class: "chip" }, say(node.detail)),
    !isHere(node) && !progress && h("span", { key: "size", class: "chip" }, accept && icon("download"), size(node.facts?.bytes ?? 0)),
  ];
  return h("div", { class: "picture" },
    h("div", { class: "picture-frame", style: { "aspect-ratio": `${shape(width, height)}` } },
      h("button", { key: "press", type: "button", class: "picture-button", "aria-label": name, disabled: !press, onclick: press }, shown),
      progress && h("span", { key: "ring", class: "picture-ring" }, ring(progress, rest ?? cancel)),
      progress && rest && cancel && iconButton("x", cancel.label, cancel.act, { key: "cancel", class: "picture-cancel" })),
    answers && h("small", { key: "about", class: "quiet" }, h("bdi", null, nameOf(node)), node.detail && (!node.facts?.delivery || node.facts.transfer === "offered") ? [" · ", say(node.detail)] : null),
    answers);
}

/** Very long pictures are cut to a window of this shape.
 * @param {number} width @param {number} height */
const shape = (width, height) => Math.min(2.4, Math.max(0.6, width / height)).toFixed(3);

/** What the browser cannot draw leaves the small copy where it is.
 * @param {any} event */
function hide(event) {
  event.target.hidden = true;
}

/** @param {any} event */
function show(event) {
  event.target.hidden = false;
}

/** Small copies that were drawn; those that were drawn first go.
 * @type {Map<string, string | undefined>} */
const blobs = new Map();
const blobLimit = 500;

/** @param {string} base64 */
function blob(base64) {
  if (!blobs.has(base64)) {
    for (const [oldest, made] of blobs) {
      if (blobs.size < blobLimit) break;
      if (made) URL.revokeObjectURL(made);
      blobs.delete(oldest);
    }
    blobs.set(base64, made(base64));
  }
  return blobs.get(base64);
}

/** @param {string} base64 */
function made(base64) {
  try {
    return URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]));
  } catch {
    // The other side wrote something else.
    return undefined;
  }
}
