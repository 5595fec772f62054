// The history of a note: a time line of who changed it and how much, and the note as it was then.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { button, iconButton, offered } from "../parts/controls.js";
import { dialog } from "../parts/layers.js";
import { markdown } from "../parts/markdown.js";
import { short, whole } from "../words/times.js";
import { say } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Bars that have room beside each other. */
const most = 40;

/** A time line, the newest first; each entry leads to the note as it was then.
 * @param {Node} section */
export function history(section) {
  const part = (/** @type {string} */ id) => section.children?.find((child) => child.id === id);
  const [show, versions, version] = ["note.history.show", "note.versions", "note.version"].map(part);
  return h("section", { key: "history", class: "panel", "aria-labelledby": "name.history",
    made: () => { if (!versions && show && show.is_enabled !== false) void act(show.id); } },
    h("header", null, h("h2", { id: "name.history" }, say(section.label)),
      versions && show && iconButton("rotate-cw", show.label, () => act(show.id), { class: "small", disabled: show.is_enabled === false })),
    versions ? [bars(versions), h("ol", { key: "entries", class: "timeline" }, versions.children?.map(entry))] : show && offered(show, "small wide", "history"),
    version && past(version));
}

/** How much was changed each time, the newest at the end: the list below says the same in words.
 * @param {Node} versions */
function bars(versions) {
  const counts = (versions.children ?? []).slice(0, most).reverse().map(changesOf);
  const highest = Math.max(...counts);
  return counts.length > 1 && h("div", { key: "bars", class: "history-bars", "aria-hidden": "true" },
    counts.map((count, index) => h("i", { key: String(index), style: { "--share": Math.sqrt(count / highest).toFixed(2) } })));
}

/** @param {Node} version */
const changesOf = ({ detail }) => Math.max(1, (typeof detail === "object" && "key" in detail && detail.args?.count?.count) || 1);

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

