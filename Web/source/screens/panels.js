// What is around the open note: comments, history, links. The core tells it while the person wants to see it.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { banner } from "../parts/banner.js";
import { button, iconButton, offered } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { dialog } from "../parts/layers.js";
import { markdown } from "../parts/markdown.js";

/** @typedef {import("../protocol/types").Node} Node */

/** What comes with the editor.
 * @type {{comments?: (section: Node) => import("../dom/h.js").Element_}} */
export const later = {};

/** What the panels draw of a note's screen.
 * @param {string} id */
export const isOfPanels = (id) => /^note\.(inspector|details|details\.problem|comments|history|links|backlinks)$/.test(id);

/** Where a window has space for them beside the text, they open with the first note; afterwards the person decides. */
const spacious = 1232;
let isDecided = false;

/** The button that shows or hides the panels.
 * @param {Node} root */
export function panelsButton(root) {
  const toggle = find(root, "note.inspector");
  if (!toggle) return null;
  const press = () => {
    isDecided = true;
    void act(toggle.id);
  };
  return iconButton("panel-right", toggle.label, press, { key: "panels", "aria-pressed": String(!!toggle.is_selected),
    made: () => { if (!isDecided && innerWidth >= spacious && !toggle.is_selected) press(); } });
}

/** Nothing while they are hidden.
 * @param {Node} root */
export function panels(root) {
  const part = (/** @type {string} */ id) => root.children?.find((child) => child.id === id);
  const toggle = part("note.inspector");
  if (!toggle?.is_selected) return null;
  const [problem, waiting, said, past] = ["note.details.problem", "note.details", "note.comments", "note.history"].map(part);
  return h("aside", { key: "panels", class: "panels", "aria-label": plain(toggle.label) },
    problem && banner(problem), waiting && h("p", { class: "quiet", role: "status" }, h("span", { class: "busy" }), say(waiting.label)),
    said && later.comments?.(said), past && history(past), links(part("note.backlinks"), true), links(part("note.links"), false));
}

/** @param {Node | undefined} list @param {boolean} isBack */
function links(list, isBack) {
  if (!list?.children?.length) return null;
  return h("section", { key: list.id, class: "panel", "aria-labelledby": `name.${list.id}` }, h("h2", { id: `name.${list.id}` }, say(list.label)),
    h("ul", { class: "links" }, list.children.map((link) => h("li", { key: link.id },
      h("button", { type: "button", class: "link-row", onclick: () => act(link.id) }, icon(isBack ? "corner-down-left" : "arrow-up-right"), h("span", null, say(link.label)))))));
}

/** A time line, the newest first; each entry leads to the note as it was then.
 * @param {Node} section */
function history(section) {
  const part = (/** @type {string} */ id) => section.children?.find((child) => child.id === id);
  const [show, versions, version] = ["note.history.show", "note.versions", "note.version"].map(part);
  return h("section", { key: "history", class: "panel", "aria-labelledby": "name.history" },
    h("header", null, h("h2", { id: "name.history" }, say(section.label)),
      versions && show && iconButton("rotate-cw", show.label, () => act(show.id), { class: "small", disabled: show.is_enabled === false })),
    versions ? h("ol", { class: "timeline" }, versions.children?.map(entry)) : show && offered(show, "small wide", "history"),
    version && past(version));
}

/** Gives the person a note as a Markdown file, called after its first line.
 * @param {string} text */
function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  link.download = `${text.split("\n", 1)[0].replace(/[^\p{L}\p{N} ._-]/gu, "").trim().slice(0, 100) || "note"}.md`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {Node} entry */
function entry(entry) {
  return h("li", { key: entry.id }, h("button", { type: "button", class: "moment", "aria-current": entry.is_selected ? "true" : null, onclick: () => entry.is_selected || act(entry.id) },
    h("time", { title: whole(entry.at ?? 0) }, short(entry.at ?? 0)), h("span", { class: "moment-words" }, h("span", null, say(entry.label)), h("small", null, say(entry.detail)))));
}

/** The note as it was, above everything else until the person has looked at it.
 * @param {Node} version */
function past(version) {
  const part = (/** @type {string} */ id) => version.children?.find((child) => child.id === id);
  const [text, reading, cut, restore, question] = ["note.version.text", "note.version.reading", "note.version.cut", "note.version.restore", "note.version.question"].map(part);
  const close = () => void act("note.version.close");
  const [yes, no] = ["note.version.yes", "note.version.no"].map((id) => question?.children?.find((child) => child.id === id));
  return dialog("version", [
    h("header", null, h("h2", { id: "version-title" }, say(version.label)), iconButton("x", "note.version.close", close)),
    reading && h("p", { class: "quiet", role: "status" }, say(reading.label)),
    text?.value && "text" in text.value && h("div", { key: "text", class: "version-text answer", tabindex: "0", role: "group", "aria-labelledby": "version-title", dir: "auto" }, markdown(text.value.text)),
    cut && h("p", { key: "cut", class: "quiet" }, say(cut.label)),
    question ? h("div", { key: "question", class: "version-question", role: "alert" }, h("p", null, say(question.label)),
      h("div", { class: "actions" }, no && button(no.label, () => act(no.id)), yes && button(yes.label, () => act(yes.id), { class: "primary", disabled: yes.is_enabled === false })))
      : h("div", { key: "actions", class: "actions" }, button("note.version.close", close), text?.value && "text" in text.value && button("page.download", () => download(text.value && "text" in text.value ? text.value.text : ""), {}, "download"), restore && button(restore.label, () => act(restore.id), { class: "primary", disabled: restore.is_enabled === false }, "rotate-ccw")),
  ], { class: "version", "aria-labelledby": "version-title" }, () => version && close());
}

