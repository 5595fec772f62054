// A file that the host made for this page: the browser saves it as soon as it is there, if it was asked for here. A row offers it again.

import { redraw } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { iconButton } from "./controls.js";
import { icon } from "./icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Whether a file was asked for that is to be saved when it is there, and the one that was there last. */
let isAwaited = false;
let last = "";
/** The file whose row was put away. */
let hidden = "";

export const awaitFile = () => void (isAwaited = true);

/** @param {{handle: string, name: string}} file @param {"small" | "small primary"} look */
export const saveLink = (file, look) => h("a", { class: `button ${look}`, href: addressOf(file), download: file.name }, icon("download"), h("span", null, say("page.save")));

/** @param {Node | undefined} node */
export function madeFile(node) {
  const file = node?.facts?.archive;
  if (!node || !file) return null;
  if (isAwaited && file.handle !== last) save(file);
  last = file.handle;
  if (hidden === file.handle) return null;
  const hide = () => { hidden = file.handle; redraw(); };
  return h("div", { key: file.handle, class: "made-file", role: "status" }, h("span", { class: "row-picture good" }, icon("circle-check")),
    h("span", { class: "row-words" }, h("bdi", null, file.name), h("small", null, say(node.label))), saveLink(file, "small"), iconButton("x", "page.close", hide));
}

/** @param {{handle: string, name: string}} file */
function save(file) {
  isAwaited = false;
  const link = document.createElement("a");
  link.href = addressOf(file);
  link.download = file.name;
  link.click();
}

/** @param {{handle: string}} file */
const addressOf = ({ handle }) => `/archives/${encodeURIComponent(handle)}?save`;
