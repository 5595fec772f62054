// Which notes the list shows: all, pinned, shared ones, those of a folder or with a tag, and the trash. A note can be dropped on a folder.

import { act, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { ask, iconButton, openMenu } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { askChoice, askLine } from "../parts/prompt.js";
import { find } from "../protocol/tree.js";

/** @typedef {import("../protocol/types").Node} Node */

/** What a dragged note is called. */
export const dragged = "application/x-alcove-note";

/** @type {Record<string, import("../parts/icon.js").Name>} */
const pictures = { "notes.filter.all": "file-text", "notes.filter.pinned": "pin", "notes.filter.shared": "users", "notes.filter.deleted": "trash-2" };

/** @param {Node} list @param {() => void} chosen what follows when another one was chosen */
export function folders(list, chosen) {
  const rows = list.children?.find((child) => child.id === "notes.filter")?.children ?? [];
  const places = rows.filter((row) => row.id.startsWith("place."));
  const tags = rows.filter((row) => row.id.startsWith("notes.tag."));
  const trash = rows.filter((row) => row.id === "notes.filter.deleted");
  const others = rows.filter((row) => pictures[row.id] && !trash.includes(row));
  const draw = (/** @type {Node[]} */ group) => h("ul", null, group.map((row) => h("li", { key: row.id }, item(row, places, chosen))));
  return h("nav", { key: "folders", class: "folders", "aria-label": plain("notes.filter") },
    draw(others),
    h("div", { class: "folders-head" }, h("h2", null, say("notes.folders")), iconButton("folder-plus", "page.folder.new", () => create("notes.folders"))),
    tree(places, places, chosen),
    tags.length > 0 && h("h2", null, say("page.tags")), tags.length > 0 && draw(tags),
    draw(trash));
}

/** Folders whose inner ones are not shown. @type {Set<string>} */
const folded = new Set();

/** @param {Node} row */
const levelOf = (row) => row.facts?.level ?? 0;

/** Each folder with those in it, as a list in a list.
 * @param {Node[]} rows in the order in which they stand below each other @param {Node[]} places all of them @param {() => void} chosen
 * @returns {import("../dom/h.js").Element_} */
function tree(rows, places, chosen) {
  const drawn = [];
  for (let index = 0; index < rows.length;) {
    const row = rows[index++];
    const start = index;
    while (index < rows.length && levelOf(rows[index]) > levelOf(row)) index++;
    const inner = rows.slice(start, index);
    drawn.push(h("li", { key: row.id }, item(row, places, chosen, inner.length > 0), inner.length > 0 && !folded.has(row.id) && tree(inner, places, chosen)));
  }
  return h("ul", null, drawn);
}

/** @param {Node} row */
function fold({ id, label }) {
  const isOpen = !folded.has(id);
  const press = () => {
    if (isOpen) folded.add(id);
    else folded.delete(id);
    redraw();
  };
  return iconButton("chevron-down", key("page.folder.inner", { name: { words: label } }), press, { class: "fold", "aria-expanded": String(isOpen) });
}

/** @param {Node} row @param {Node[]} places @param {() => void} chosen @param {boolean} [hasInner] */
function item(row, places, chosen, hasInner = false) {
  const isFolder = row.id.startsWith("place.");
  const tag = tagOf(row);
  const count = row.value && "count" in row.value ? row.value.count : tag?.count;
  const name = isFolder ? short(row, places) : tag ? { said: `#${tag.name}` } : row.label;
  const press = () => {
    if (!row.is_selected) void act(row.id);
    chosen();
  };
  const more = isFolder ? (/** @type {any} */ event) => openMenu(event, row.id, menu(row, places)) : undefined;
  return h("div", { class: "folder-item", style: { "--level": levelOf(row) }, ...(isFolder || row.id === "notes.filter.all" ? target(row) : {}) },
    hasInner && fold(row),
    h("button", { type: "button", class: "folder", "aria-current": row.is_selected ? "true" : null, title: isFolder ? plain(row.label) : null, onclick: press, oncontextmenu: more },
      icon(pictures[row.id] ?? (isFolder ? "folder" : "tag")), h("span", { class: "folder-name" }, say(name)),
      count !== undefined && h("span", { class: "count" }, String(count))),
    more && iconButton("ellipsis", key("page.more.of", { name: { words: row.label } }), more, { class: "row-more", "aria-haspopup": "menu" }));
}

/** A folder's label says the whole way to it; below the folder that it is in, its own name is enough.
 * @param {Node} row @param {Node[]} places @returns {import("../words/words.js").Words} */
function short(row, places) {
  const above = places.slice(0, places.indexOf(row)).filter((place) => levelOf(place) < levelOf(row)).at(-1);
  const [path, start] = [said(row), `${above ? said(above) : ""} › `];
  return above && path.startsWith(start) ? { said: path.slice(start.length) } : row.label;
}

/** @param {Node} row */
const said = (row) => (typeof row.label === "object" && "said" in row.label ? row.label.said : "");

/** A tag that can be chosen, and how many notes have it.
 * @param {Node} row */
function tagOf({ id, label }) {
  const args = id.startsWith("notes.tag.") && typeof label === "object" && "key" in label ? label.args : undefined;
  return args && { name: args.tag?.said, count: args.count?.count };
}

/** Has the list show the notes with a tag; false if it does, or there are none.
 * @param {string} tag without its `#` */
export function showTag(tag) {
  const name = tag.toLowerCase().normalize();
  const row = find(ui.root, "notes.filter")?.children?.find((one) => tagOf(one)?.name === name);
  if (!row || row.is_selected) return false;
  void act(row.id);
  return true;
}

/** A folder takes notes that are dropped on it; the list of all takes them out of theirs.
 * @param {Node} row */
function target(row) {
  const isNote = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes(dragged);
  const light = (/** @type {any} */ event, /** @type {boolean} */ on) => event.currentTarget.classList.toggle("is-target", on);
  return {
    ondragover: (/** @type {DragEvent} */ event) => { if (isNote(event)) { event.preventDefault(); light(event, true); } },
    ondragleave: (/** @type {DragEvent} */ event) => light(event, false),
    ondrop: (/** @type {DragEvent} */ event) => {
      light(event, false);
      const note = event.dataTransfer?.getData(dragged);
      if (!note) return;
      event.preventDefault();
      void act(note, "move", { folder: row.id.startsWith("place.") ? row.id.slice("place.".length) : null });
    },
  };
}

/** @param {string} parent the node that offers it */
function create(parent) {
  askLine({ title: "page.folder.new", label: "folders.name", button: "page.folder.make", act: (name) => void act(parent, "create", { name }) });
}

/** @param {Node} row @param {Node[]} places @returns {import("../app.js").Choice[]} */
function menu(row, places) {
  const id = row.id.slice("place.".length);
  const name = said(row).split(" › ").at(-1) ?? "";
  const inside = places.filter((place) => said(place) === said(row) || said(place).startsWith(`${said(row)} › `));
  return [
    { label: "page.folder.inside", icon: "folder-plus", act: () => create(row.id) },
    { label: "page.rename", icon: "pencil", act: () => askLine({ title: "page.folder.rename", label: "folders.name", value: name, button: "page.rename", act: (text) => void act(row.id, "rename", { name: text }) }) },
    { label: "page.move", icon: "folder-input", act: () => chooseFolder(places.filter((place) => !inside.includes(place)), undefined, (folder) => void act(row.id, "move", { parent: folder })) },
    { label: "page.folder.delete", icon: "trash-2", isDestructive: true, act: () => ask({ title: key("page.folder.delete.of", { name: { words: row.label } }), about: "page.folder.delete.about", button: "page.folder.delete", isDestructive: true, act: () => void act(`place.${id}`, "delete") }) },
  ];
}

/** Asks for one of the folders, or for the top.
 * @param {Node[]} places @param {string | undefined} present the folder where it is @param {(folder: string | null) => void} act_ */
export function chooseFolder(places, present, act_) {
  const options = places.map((place) => ({ id: place.id, label: short(place, places), level: levelOf(place) + 1, isChosen: place.id === present }));
  askChoice({ title: "page.move.to", options: [{ id: "", label: "folder.top", level: 0, isChosen: false }, ...options],
    act: (id) => act_(id ? id.slice("place.".length) : null) });
}
