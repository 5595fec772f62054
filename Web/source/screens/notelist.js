// The rows of the list of notes, and what can be done with each.

import { act, go, ui } from "../app.js";
import { seek } from "../documents/places.js";
import { h, memo } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { isChord } from "../parts/composing.js";
import { ask, iconButton, openMenu } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { marked } from "../parts/marks.js";
import { askLine } from "../parts/prompt.js";
import { awaitFile } from "../parts/saving.js";
import { chooseFolder, dragged, showTag } from "./folders.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} found @param {Node} list */
export function items(found, list) {
  return h("ul", { key: "items", "aria-label": plain(found.label) }, found.children?.map((note) => item(note, list)));
}

/** Opens a note in the place of the one that is open.
 * @param {string} id */
export const open = (id) => (ui.root?.id === "notes" ? act(id) : go(id, "notes"));

const item = memo((/** @type {Node} */ note, /** @type {Node} */ list) => {
  const { facts = {}, label, at } = note;
  const isPinned = note.states?.includes("pinned");
  const more = (/** @type {any} */ event) => openMenu(event, note.id, menu(note, list));
  const drag = (/** @type {DragEvent} */ event) => {
    event.dataTransfer?.setData(dragged, note.id);
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  };
  const text = note.value && "text" in note.value ? note.value.text : "";
  const tags = facts.tags ?? [];
  // A tag in the row is a way for pointers alone: keys have that beside the list, and a button can have none in it.
  const press = (/** @type {any} */ event) => {
    const tag = ui.isWide && event.detail > 0 && event.target.closest(".note-tags bdi");
    if (!tag || !showTag(tag.textContent.slice(1))) void open(note.id);
  };
  return h("li", { key: note.id, draggable: note.uses?.includes("move") ? "true" : null, ondragstart: drag },
    h("button", { type: "button", class: "note-item", "aria-current": note.is_selected ? "true" : null, onclick: press, oncontextmenu: more, onkeydown: keys },
      h("span", { class: "line" }, isPinned ? icon("pin", plain("note.pinned")) : null, h("b", null, say(label)), at && h("time", { datetime: new Date(at).toISOString(), title: whole(at) }, short(at))),
      h("span", { class: "note-preview" }, facts.partners && h("span", { class: "note-partners" }, icon("users"), say(key("note.shared_with", { rooms: { list: facts.partners } })), " · "),
        text ? h("bdi", null, text) : say("page.notes.nothing_more")),
      tags.length ? h("span", { class: "note-tags" }, tags.slice(0, 4).map((tag) => h("bdi", { key: tag }, `#${tag}`))) : null),
    iconButton("ellipsis", key("page.more.of", { name: { words: label } }), more, { class: "row-more", "aria-haspopup": "menu" }));
});

/** The arrows go from row to row.
 * @param {any} event */
function keys(event) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[/** @type {string} */ (event.key)];
  if (!step || isChord(event)) return;
  event.preventDefault();
  event.currentTarget.parentElement?.[step]?.querySelector("button")?.focus();
}

/** What can be done with a note.
 * @param {Node} note @param {Node} list @returns {import("../app.js").Choice[]} */
export function menu(note, list) {
  const places = (list.children?.find((child) => child.id === "notes.filter")?.children ?? []).filter((row) => row.id.startsWith("place."));
  const title = typeof note.label === "object" && "said" in note.label ? note.label.said : "";
  /** @type {Record<string, import("../app.js").Choice>} */
  const known = {
    pin: { label: "page.pin", icon: "pin", act: () => void act(note.id, "pin") },
    unpin: { label: "page.unpin", icon: "pin-off", act: () => void act(note.id, "unpin") },
    rename: { label: "page.rename", icon: "pencil", act: () => askLine({ title: "page.note.rename", label: "note_settings.name", value: title, button: "page.rename", act: (text) => void act(note.id, "rename", { title: text }) }) },
    move: { label: "page.move", icon: "folder-input", act: () => chooseFolder(places, undefined, (folder) => void act(note.id, "move", { folder })) },
    export: { label: "page.export", icon: "download", act: () => { awaitFile(); void act(note.id, "export"); } },
    delete: { label: "note_settings.delete", icon: "trash-2", isDestructive: true, act: () => void act(note.id, "delete") },
    restore: { label: "note_settings.restore", icon: "rotate-ccw", act: () => void act(note.id, "restore") },
    purge: { label: "note_settings.purge", icon: "trash-2", isDestructive: true, act: () => ask({ title: key("purge_note", { title: { words: note.label } }), about: "purge_note.about", button: "note_settings.purge", isDestructive: true, act: () => void act(note.id, "purge") }) },
  };
  /** @type {import("../app.js").Choice} */
  const settings = { label: "page.note.share", icon: "users", act: () => void share(note.id) };
  const offered = (note.uses ?? []).flatMap((verb) => known[verb] ?? []);
  return note.uses?.includes("move") ? [...offered.slice(0, -1), settings, ...offered.slice(-1)] : offered;
}

/** With whom a note is shared is a screen of its own.
 * @param {string} id */
async function share(id) {
  await open(id);
  await act("note.settings");
}

/** What was looked for, with the words marked where they were found.
 * @param {Node} found @param {string} query */
export function hits(found, query) {
  return h("ul", { key: "hits", "aria-label": plain(found.label), "aria-busy": found.is_busy ? "true" : null }, found.children?.map((hit) => {
    const title = typeof hit.label === "object" && "said" in hit.label ? h("bdi", null, marked(hit.label.said, query)) : say(hit.label);
    const text = hit.value && "text" in hit.value ? hit.value.text : "";
    const press = () => {
      seek({ note: hit.id.slice("hit.".length), words: query });
      void open(hit.id);
    };
    return h("li", { key: hit.id }, h("button", { type: "button", class: "note-item found", onclick: press, onkeydown: keys },
      h("span", { class: "line" }, h("b", null, title)), h("span", { class: "note-preview" }, h("bdi", null, marked(text, query)))));
  }));
}
