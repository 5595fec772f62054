// One quiet line above a note: where it is, when it was changed, and who else is in it.

import { node, ui } from "../app.js";
import { h } from "../dom/h.js";
import { icon } from "../parts/icon.js";
import { find } from "../protocol/tree.js";
import { short, whole } from "../words/times.js";
import { key, say } from "../words/words.js";

/** @typedef {import("../words/words.js").Words} Words */

/** As far as the list beside it tells.
 * @param {string} note @param {{name: string}[]} people */
export function about(note, people) {
  const row = node(`note.${note}`);
  const folder = row && folderOf(row.detail);
  const names = [...new Set(people.map(({ name }) => name))];
  const parts = [
    folder && h("span", { key: "folder" }, icon("folder"), say(folder)),
    row?.at && h("time", { key: "time", datetime: new Date(row.at).toISOString(), title: whole(row.at) }, say(key("page.note.changed", { time: { said: short(row.at) } }))),
    names.length && h("span", { key: "people", class: "note-people" }, icon("users"), say(key("page.note.here", { names: { list: names.map((name) => ({ said: name })) } }))),
  ].filter(Boolean);
  return parts.length ? h("p", { key: "about" }, parts) : null;
}

/** A row says its folder, unless it stands in the list of that.
 * @param {Words | undefined} detail @returns {Words | undefined} */
function folderOf(detail) {
  const rows = find(ui.root, "notes.filter")?.children ?? [];
  const chosen = rows.find((row) => row.is_selected && row.id.startsWith("place."));
  const said = typeof detail !== "object" ? [] : "all" in detail ? detail.all : [detail];
  return chosen ? chosen.label : said.find((words) => typeof words === "object" && "said" in words);
}
