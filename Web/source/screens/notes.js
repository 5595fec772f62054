// The notes: folders, the list, and beside them the note that is open. In a narrow window one of them at a time.

import { act, back, go, redraw, toast, ui } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { button, iconButton, openMenu, press } from "../parts/controls.js";
import { flush, later } from "../parts/fields.js";
import { droppedFolder, takeNotes } from "../parts/given.js";
import { icon } from "../parts/icon.js";
import { noteLimits, packed } from "../parts/pack.js";
import { banner } from "../parts/banner.js";
import { awaitFile, madeFile } from "../parts/saving.js";
import { offline } from "../parts/layers.js";
import { folders } from "./folders.js";
import { generic } from "./generic.js";
import { hits, items } from "./notelist.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Screens that belong to the notes. */
export const ofNotes = /^(notes|note|folders?|note_settings|purge_note)$/;

/** Whether the folders are shown where there is no space for them beside the list. */
let showsFolders = false;

/** @param {Node} root */
export function notes(root) {
  const list = listOf(root);
  if (!list) return null;
  const part = (/** @type {string} */ id) => list.children?.find((child) => child.id === id);
  const isAlone = !ui.isWide;
  const query = queryOf(list);
  const toggle = (/** @type {boolean} */ on) => {
    if (showsFolders === on) return;
    showsFolders = on;
    redraw();
  };
  return h(isAlone ? "main" : "section", { key: "notes", id: isAlone ? "main" : null, class: showsFolders ? "notes shows-folders" : "notes", "aria-label": plain("notes") },
    folders(list, () => toggle(false)),
    h("div", { key: "list", class: "notes-list", ...target(part("notes.import")) },
      h("header", null,
        isAlone ? iconButton("chevron-left", "page.back", back) : null,
        h("button", { type: "button", class: "notes-place", "aria-expanded": String(showsFolders), onclick: () => toggle(!showsFolders) },
          h("h1", null, say(query ? "notes.results" : title(list))), icon("chevron-down")),
        iconButton("ellipsis", "page.more", (event) => openMenu(event, "notes", more(part)), { "aria-haspopup": "menu" }),
        iconButton("square-pen", "notes.create", () => void create(), { disabled: part("notes.create")?.is_enabled === false, "aria-busy": part("notes.create")?.is_busy ? "true" : null })),
      searchBox(part("notes.search")),
      offline(),
      sync(list),
      madeFile(part("notes.packed")),
      h("div", { key: "rows", class: "notes-rows" }, query ? results(list, query) : [unsaved(part("notes.unsaved")), rows(list, part)])));
}

/** The list takes files that are dropped on it, to make notes of them.
 * @param {Node | undefined} node */
function target(node) {
  if (!node?.offers?.length) return {};
  const isFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  const light = (/** @type {any} */ event, /** @type {boolean} */ on) => event.currentTarget.classList.toggle("is-target", on);
  return {
    ondragover: (/** @type {DragEvent} */ event) => { if (isFile(event)) { event.preventDefault(); light(event, true); } },
    ondragleave: (/** @type {DragEvent} */ event) => light(event, false),
    ondrop: (/** @type {DragEvent} */ event) => {
      light(event, false);
      if (!isFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const folder = droppedFolder(event.dataTransfer);
      if (folder) void takeFolder(folder, node);
      else void takeNotes(event.dataTransfer?.files, node);
    },
  };
}

/** @param {FileSystemDirectoryEntry} folder @param {Node} node */
async function takeFolder(folder, node) {
  const file = await packed(folder, noteLimits);
  return file ? takeNotes([file], node) : toast(key("page.notes.folder.large", { limit: { bytes: noteLimits.bytes } }));
}

/** The list of notes, on its own screen and beside the others.
 * @param {Node | undefined} root */
export const listOf = (root) => (root?.id === "notes" ? root : find(root, "notes.beside"));

/** @param {Node} list */
function queryOf(list) {
  const { value } = list.children?.find((child) => child.id === "notes.search") ?? {};
  return value && "text" in value ? value.text.trim() : "";
}

/** @param {Node} list */
function title(list) {
  const rows = list.children?.find((child) => child.id === "notes.filter")?.children ?? [];
  return rows.find((row) => row.is_selected)?.label ?? "notes";
}

/** A new note in the folder that is shown, and where to write it. */
export function create() {
  return ui.root?.id === "notes" ? act("notes.create") : go("notes.create", "notes");
}

/** What can be done with all of them.
 * @param {(id: string) => Node | undefined} part */
function more(part) {
  /** @type {[string, import("../parts/icon.js").Name][]} */
  const known = [["notes.folders", "folder"], ["notes.import", "file-input"], ["notes.export", "download"], ["notes.close", "x"]];
  return known.flatMap(([id, picture]) => {
    const node = part(id);
    return node?.offers?.length ? [{ label: node.label, icon: picture, act: () => { if (id === "notes.export") awaitFile(); press(node); } }] : [];
  });
}

/** @param {Node | undefined} node */
function searchBox(node) {
  if (!node) return null;
  const text = node.value && "text" in node.value ? node.value.text : "";
  const send = (/** @type {any} */ event) => act(node.id, "set_text", { query: event.target.value });
  /** @param {any} event */
  const keys = (event) => {
    if (event.key !== "Escape" || !event.target.value) return;
    event.stopPropagation();
    event.target.value = "";
    void send(event);
  };
  return h("div", { key: "search", class: "search" }, icon("search"), h("input", { type: "search", value: text, "aria-label": plain("page.notes.search"), placeholder: plain("page.notes.search"), autocomplete: "off",
    oninput: (/** @type {any} */ event) => later(node.id, () => send(event)), onkeydown: keys, onblur: () => flush(node.id), onchange: () => flush(node.id) }));
}

/** How the list stands to the files; nothing while all is well.
 * @param {Node} list */
function sync(list) {
  const problem = list.children?.find((child) => child.id === "notes.problem");
  if (problem) return h("div", { key: "problem", class: "banners" }, banner(problem));
  const again = list.children?.find((child) => child.id === "notes.retry");
  if (again) return generic(again);
  const status = list.children?.find((child) => child.id === "notes.sync");
  return status?.is_busy ? h("p", { key: "sync", class: "notes-sync quiet", role: "status" }, h("span", { class: "busy" }), say(status.label)) : null;
}

/** @param {Node | undefined} section */
function unsaved(section) {
  return section ? h("div", { key: "unsaved" }, h("h2", null, say(section.label)), section.children?.map((child) => generic(child))) : null;
}

/** @param {Node} list @param {(id: string) => Node | undefined} part */
function rows(list, part) {
  const found = part("notes.list");
  const more = part("notes.more");
  if (!found) return part("notes.empty") ? empty(list) : null;
  return [items(found, list), more && button(more.label, () => act(more.id), { key: "more", class: "quiet" })];
}

/** @param {Node} list @param {string} query */
function results(list, query) {
  const found = list.children?.find((child) => child.id === "notes.results");
  const nothing = list.children?.find((child) => child.id === "notes.nothing");
  if (found) return hits(found, query);
  return h("p", { key: "nothing", class: "quiet nothing", role: "status" }, say(nothing ? nothing.label : "notes.searching"));
}

/** Says in a sentence what comes here, and how to begin where nothing beside it does.
 * @param {Node} list */
function empty(list) {
  const filter = list.children?.find((child) => child.id === "notes.filter")?.children?.find((row) => row.is_selected);
  const kind = filter?.id === "notes.filter.deleted" ? "trash" : filter?.id === "notes.filter.all" ? "first" : "folder";
  const about = { trash: "page.notes.empty.trash", first: "page.notes.empty.first", folder: "page.notes.empty.folder" }[kind];
  return h("div", { key: "empty", class: "notes-empty" }, h("span", { class: "glyph" }, icon(kind === "trash" ? "trash-2" : "file-text")), h("p", { class: "quiet" }, say(about)),
    kind === "trash" || ui.isWide ? null : button("notes.create", () => void create(), { class: "primary small" }, "plus"));
}

/** What stands beside the list while no note is open. */
export function noNote() {
  return h("main", { key: "no-note", id: "main", class: "centred empty" }, h("span", { class: "glyph" }, icon("file-text")), h("p", null, say("page.notes.choose")),
    button("notes.create", () => void create(), { class: "primary" }, "plus"));
}
