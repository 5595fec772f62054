// Markdown of strangers as elements: paragraphs, headings, lists, tasks, tables, quotations, code. Nothing in it becomes markup, loads anything, or hides
// where it leads: a link shows its address, and a picture is its address.

import { h } from "../dom/h.js";
import { plain } from "../words/words.js";
import { host } from "./links.js";
import { taskBox } from "./task.js";

/** @typedef {import("../dom/h.js").Element_} Element_ */

/** Quotations and lists in each other. */
const deepest = 6;

/** The text that was read last, its blocks, and the lines at which they begin. */
let last = { text: "", blocks: /** @type {Element_[]} */ ([]), starts: /** @type {number[]} */ ([]) };

/** A text that grows at its end, such as an answer that is being given: of what was read before, only the last two blocks can become something
 * else. The others stay the same objects, so that nothing is done to their elements.
 * @param {string} text */
export function growing(text) {
  const isMore = last.text && text.length > last.text.length && text.startsWith(last.text);
  const kept = isMore ? Math.max(0, last.blocks.length - 2) : 0;
  const [blocks, starts] = [last.blocks.slice(0, kept), last.starts.slice(0, kept)];
  read(text.split("\n"), kept ? last.starts[kept] : 0, 0, blocks, starts);
  last = { text, blocks, starts };
  return blocks;
}

/** @param {string} text @param {number} [depth] */
export const markdown = (text, depth = 0) => read(text.split("\n"), 0, depth, []);

/** Adds the blocks from a line on, and the lines at which they begin.
 * @param {string[]} lines @param {number} at @param {number} depth @param {Element_[]} blocks @param {number[]} [starts] */
function read(lines, at, depth, blocks, starts = []) {
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim()) starts.push(at);
    const fence = /^ {0,3}(```+|~~~+)/.exec(line);
    const heading = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line);
    if (!line.trim()) at++;
    else if (fence) at = code(lines, at, fence[1], blocks);
    else if (heading) { blocks.push(h("p", { class: `md-heading md-${heading[1].length}`, role: "heading", "aria-level": String(Math.min(heading[1].length + 1, 6)), dir: "auto" }, inline(title(heading[2])))); at++; }
    else if (/^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) { blocks.push(h("hr")); at++; }
    else if (/^ {0,3}>/.test(line) && depth < deepest) at = quotation(lines, at, blocks, depth);
    else if (marker.test(line) && depth < deepest) at = list(lines, at, blocks, depth);
    else if (line.includes("|") && rule.test(lines[at + 1] ?? "")) at = table(lines, at, blocks);
    else at = paragraph(lines, at, blocks);
  }
  return blocks;
}

/** What a heading says, without the signs at its end, and without what a copy of a note says of it.
 * @param {string} text */
function title(text) {
  const said = text.trimEnd();
  const at = said.lastIndexOf(" {");
  const named = at >= 0 && /^\{(?:(?:\.collapsed|#h_\w{1,64}) ?){1,2}\}$/.test(said.slice(at + 1)) ? said.slice(0, at).trimEnd() : said;
  const unmarked = named.replace(/#{1,100}$/, "");
  return unmarked !== named && (!unmarked || /\s$/.test(unmarked)) ? unmarked.trimEnd() : named;
}

const marker = /^( {0,8})([-*+]|\d{1,9}[.)])\s+/;

/** @param {string[]} lines @param {number} at @param {string} fence @param {Element_[]} blocks */
function code(lines, at, fence, blocks) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end++;
  blocks.push(h("pre", { tabindex: "0", dir: "ltr" }, h("code", null, lines.slice(at + 1, end).join("\n"))));
  return end + 1;
}

/** @param {string[]} lines @param {number} at @param {Element_[]} blocks @param {number} depth */
function quotation(lines, at, blocks, depth) {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, "")).join("\n");
  blocks.push(h("blockquote", null, markdown(inner, depth + 1)));
  return end;
}

/** @param {string[]} lines @param {number} at @param {Element_[]} blocks @param {number} depth */
function list(lines, at, blocks, depth) {
  const isOrdered = /\d/.test(marker.exec(lines[at])?.[2] ?? "");
  const first = Number.parseInt(marker.exec(lines[at])?.[2] ?? "1", 10);
  /** @type {Element_[]} */
  const items = [];
  while (at < lines.length) {
    const found = marker.exec(lines[at]);
    if (!found || /\d/.test(found[2]) !== isOrdered) break;
    const width = found[0].length;
    const inner = [lines[at].slice(width)];
    at++;
    // What is set in belongs to the item, also behind an empty line.
    while (at < lines.length && (/^\s{2,}\S/.test(lines[at]) || (!lines[at].trim() && /^\s{2,}\S/.test(lines[at + 1] ?? "")))) {
      inner.push(lines[at].slice(Math.min(width, lines[at].search(/\S|$/))));
      at++;
    }
    items.push(entry(inner.join("\n"), depth));
    if (!lines[at]?.trim() && marker.test(lines[at + 1] ?? "")) at++;
  }
  blocks.push(h(isOrdered ? "ol" : "ul", { dir: "auto", start: isOrdered && first !== 1 ? String(first) : null }, items));
  return at;
}

/** The line below the names of a table's columns. */
const rule = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*(\|\s*)?$/;

/** @param {string[]} lines @param {number} at @param {Element_[]} blocks */
function table(lines, at, blocks) {
  const names = cells(lines[at]);
  let end = at + 2;
  /** @type {Element_[]} */
  const rows = [];
  for (; end < lines.length && lines[end].includes("|"); end++) {
    const found = cells(lines[end]);
    rows.push(h("tr", null, names.map((_, column) => h("td", { dir: "auto" }, inline(found[column] ?? "")))));
  }
  // One that is wide can be moved with the keys, too.
  blocks.push(h("div", { class: "md-table", tabindex: "0" }, h("table", null, h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col", dir: "auto" }, inline(name))))), h("tbody", null, rows))));
  return end;
}

/** What stands between the bars of a line; a bar behind a backslash belongs to its cell.
 * @param {string} line */
const cells = (line) => line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/^\{(?:(?:\.cell|\.header|colwidth=[\d,]+) ?)+\}\s*/, "").replaceAll("\\|", "|"));

/** @param {string} text @param {number} depth */
function entry(text, depth) {
  const [, state, rest] = /^\[([ xX-])\]\s+([^]*)$/.exec(text) ?? [];
  const said = rest ?? text;
  const content = said.includes("\n") ? markdown(said, depth + 1) : inline(said);
  if (state === undefined) return h("li", null, content);
  return h("li", { class: state === "-" ? "md-task dropped" : "md-task" }, taskBox(state), h("div", null, content));
}

/** @param {string[]} lines @param {number} at @param {Element_[]} blocks */
function paragraph(lines, at, blocks) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !/^ {0,3}(```|~~~|#{1,6}\s|>)/.test(lines[end]) && !marker.test(lines[end])) end++;
  blocks.push(h("p", { dir: "auto" }, lines.slice(at, end).flatMap((line, index) => (index ? [h("br"), ...inline(unbroken(line))] : inline(unbroken(line))))));
  return end;
}

/** A backslash at the end of a line breaks it, which every line does here.
 * @param {string} line */
const unbroken = (line) => line.replace(/(?<!\\)\\$/, "");

const spans = /\\([!-/:-@[-`{-~])|(`+)([^`]+)\2|!?\[([^\]\n]{0,500})\]\(<?([^\s)>]{1,2000})>?(?:\s+"[^"]*")?\)|\*\*([^*\n]+)\*\*|(?<![\w*])[*_]([^*_\n]+)[*_](?![\w*])|~~([^~\n]+)~~|<(u|b|i|s)>([^<\n]*)<\/\9>|(https?:\/\/[^\s<>"\p{Cf}\p{Cc}]+[^\s<>".,;:!?)\]}'»\p{Cf}\p{Cc}])/gu;

/** @param {string} text @returns {any[]} */
function inline(text) {
  /** @type {any[]} */
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(spans)) {
    const [whole, escaped, , verbatim, label, address, strong, emphasis, struck, tag, tagged, bare] = found;
    parts.push(text.slice(end, found.index));
    end = (found.index ?? 0) + whole.length;
    if (escaped !== undefined) parts.push(escaped);
    else if (verbatim !== undefined) parts.push(h("code", { dir: "ltr" }, verbatim));
    else if (strong !== undefined) parts.push(h("strong", null, strong));
    else if (emphasis !== undefined) parts.push(h("em", null, emphasis));
    else if (struck !== undefined) parts.push(h("s", null, struck));
    else if (tag !== undefined) parts.push(h(tag, null, tagged));
    else if (bare !== undefined) parts.push(link(bare, bare));
    else if (/^https?:\/\//i.test(address) && !whole.startsWith("!")) parts.push(link(address, label));
    // A picture or a person of a note is called by its name alone.
    else if (/^(image|mention):/.test(address)) parts.push(h("bdi", { class: "md-name" }, label || plain("page.note.image")));
    else parts.push(h("bdi", null, `${label} (${address})`));
  }
  parts.push(text.slice(end));
  return parts;
}

/** A link, with its address where that is not what it says. An address with characters that nobody sees is text.
 * @param {string} address @param {string} label */
function link(address, label) {
  if (/[\p{Cf}\p{Cc}]/u.test(address)) return h("bdi", null, label === address ? address : `${label} (${address})`);
  return h("span", { class: "md-link" }, h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, h("bdi", null, label || address)),
    label && label !== address && h("bdi", { class: "md-address", dir: "ltr" }, ` (${address})`), host(address));
}
