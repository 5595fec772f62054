// What was asked, said and done in a session, one thing each.

import { h, memo } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { icon } from "../parts/icon.js";
import { growing } from "../parts/markdown.js";
import { picture } from "../parts/picture.js";

/** @typedef {import("../protocol/types").Node} Node */

export const agentItem = memo((/** @type {Node} */ node) => {
  if (node.facts?.tool) return tool(node);
  if (node.facts?.is_thought) return h("details", { key: node.id, id: node.id, class: "thought" }, h("summary", null, icon("brain"), say(node.label)), h("p", { dir: "auto" }, textOf(node)), rest(node));
  if (node.side === "own") return h("article", { key: node.id, id: node.id, class: "asked", "aria-label": plain(node.label) }, asked(textOf(node)), node.children?.map((child) => picture(child, {}, null)), h("time", { title: whole(node.at ?? 0) }, short(node.at ?? 0)));
  if (node.side === "other") return h("article", { key: node.id, id: node.id, class: "answer", "aria-label": plain(node.label) }, growing(textOf(node)), rest(node));
  if (node.side === "note") return h("aside", { key: node.id, id: node.id, class: "beside", "aria-label": plain(node.label) }, icon("info"), h("div", null, h("small", null, say(node.label)), h("p", { dir: "auto" }, textOf(node)), rest(node)));
  const isAllowed = node.facts?.is_allowed;
  return h("p", { key: node.id, id: node.id, class: "decided" }, icon(isAllowed === undefined ? "info" : isAllowed ? "shield-check" : "shield-x"), h("span", null, say(node.label)));
});

/** What was asked, until the host has it.
 * @param {string} text @param {number} index */
export const unsentPrompt = (text, index) => h("article", { key: `unsent.${index}`, class: "asked unsent" }, asked(text), h("span", { class: "mark" }, icon("clock", plain("page.unsent"))));

/** What is long is folded.
 * @param {string} text */
function asked(text) {
  const whole = h("p", { dir: "auto" }, text);
  return text.length < 2000 ? whole : h("details", null, h("summary", { dir: "auto" }, `${[...text.slice(0, 400)].slice(0, 200).join("")}…`), whole);
}

/** That something is left out.
 * @param {Node} node */
const rest = (node) => node.detail && h("small", { class: "quiet" }, say(node.detail));

/** @type {Record<string, import("../parts/icon.js").Name>} */
const pictures = { read: "file", edit: "pencil", delete: "trash-2", move: "folder-input", search: "search", execute: "terminal", think: "brain", fetch: "globe", other: "wrench" };

/** The picture of what a tool does.
 * @param {Node} node */
export const toolPicture = (node) => icon(pictures[node.facts?.tool?.kind ?? "other"] ?? "wrench");

/** A call of a tool: what it is and how it stands, and unfolded all of it.
 * @param {Node} node */
function tool(node) {
  const { added, removed, status } = node.facts?.tool ?? {};
  return h("details", { key: node.id, id: node.id, class: `tool is-${status ?? "in_progress"}` },
    h("summary", null, toolPicture(node), h("b", null, say(node.label)),
      added !== undefined && h("span", { class: "counts", "aria-hidden": "true" }, h("span", { class: "comes" }, `+${added}`), " ", h("span", { class: "goes" }, `−${removed ?? 0}`)),
      h("small", { class: node.is_busy ? "working" : null }, say(node.detail))),
    node.children?.map(toolPart));
}

/** One of the texts of a call.
 * @param {Node} node */
export function toolPart(node) {
  const text = commandIn(textOf(node));
  return h("section", { key: node.id, class: "tool-part", "aria-labelledby": `name.${node.id}` }, h("small", { id: `name.${node.id}`, class: "tool-name" }, say(node.label)),
    text && (node.facts?.is_difference ? difference(text, node) : h("pre", { tabindex: "0", dir: "ltr", "aria-labelledby": `name.${node.id}` }, text)), rest(node));
}

/** A command alone is shown as it would be typed; whatever else stands beside it is shown, too, as it came.
 * @param {string} text */
function commandIn(text) {
  if (!text.startsWith("{")) return text;
  try {
    const given = JSON.parse(text);
    return Object.keys(given).length === 1 && typeof given.command === "string" ? given.command : text;
  } catch {
    return text;
  }
}

/** @param {string} text @param {Node} node */
function difference(text, node) {
  const kinds = /** @type {Record<string, string>} */ ({ "+": "comes", "-": "goes", "@": "gap" });
  return h("pre", { class: "difference", tabindex: "0", dir: "ltr", "aria-labelledby": `name.${node.id}` }, text.split("\n").map((line) => h("span", { class: kinds[line[0]] ?? null }, `${line}\n`)));
}
