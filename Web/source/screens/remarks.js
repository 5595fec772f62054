// What somebody said in a comment, or in an answer to one. One's own words can be corrected in their place, and an own answer deleted.

import { h } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { textOf } from "../protocol/tree.js";
import { avatar } from "../parts/avatar.js";
import { iconButton, press } from "../parts/controls.js";
import { linked } from "../parts/links.js";
import { begin, box, isOpen, returnTo } from "./answers.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The sentences of a detail.
 * @param {Node} node @returns {any[]} */
export const details = ({ detail }) => [/** @type {any} */ (detail)?.all ?? detail ?? []].flat();

/** A name for what is done with a remark, that says which one is meant.
 * @param {import("../words/words.js").Words} action @param {Node} node */
export function about(action, node) {
  const text = textOf(node).replace(/\s+/g, " ");
  return plain(key("page.about", { action: { words: action }, text: { said: text.length > 60 ? `${text.slice(0, 60)}…` : text } }));
}

/** @param {Node} node */
export function remark(node) {
  const isCorrected = isOpen("edit", node) && node.uses?.includes("edit");
  return h("div", { key: node.id, class: "remark" }, avatar(plain(node.label), node.label, "small"),
    h("div", { class: "remark-words" },
      h("p", { class: "remark-head" }, h("b", null, say(node.label)),
        details(node).includes("comment.edited") && h("small", { key: "edited", class: "remark-edited" }, say("comment.edited")),
        node.at && h("time", { key: "at", title: whole(node.at) }, short(node.at))),
      isCorrected ? box("edit", node) : h("div", { key: "said", class: "remark-said" }, tools(node), h("p", { key: "text", class: "remark-text", dir: "auto" }, linked(textOf(node))))));
}

/** What can be done with one's own words.
 * @param {Node} node */
function tools(node) {
  const remove = node.id.startsWith("reply.") ? node.children?.find(({ id }) => id === `${node.id}.delete`) : undefined;
  const isRemovable = remove && remove.is_enabled !== false;
  if (!node.uses?.includes("edit") && !isRemovable) return false;
  return h("span", { key: "tools", class: "remark-tools" },
    node.uses?.includes("edit") && iconButton("pencil", "page.comment.correct", () => begin("edit", node), { key: "correct", class: "small", "aria-label": about("page.comment.correct", node), made: returnTo("edit", node) }),
    isRemovable && iconButton("trash-2", remove.label, () => press(remove), { key: "delete", class: "small", "aria-label": about(remove.label, node) }));
}
