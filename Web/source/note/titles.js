// What notes are called. The lists on the screen say it of those that they show; of others the host is asked.

import { connection } from "../app.js";
import { find } from "../protocol/tree.js";
import { plain } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../../editor/editor.js").LinkedNote} LinkedNote */

/** @type {Map<string, LinkedNote>} */
const known = new Map();
/** Lists that were read: a tree that changes has most of the nodes of the one before.
 * @type {WeakSet<Node>} */
const read = new WeakSet();
const lists = ["notes.list", "notes.results", "note.links", "note.backlinks"];

/** What a note is called, as far as that is known.
 * @param {string} note */
export const titleOf = (note) => known.get(note);

/** @param {string} note @param {string} title @param {boolean} isDeleted */
function learn(note, title, isDeleted) {
  const before = known.get(note);
  if (before?.isHere && before.title === title && before.isDeleted === isDeleted) return false;
  known.set(note, { title, isHere: true, isDeleted });
  return true;
}

/** Reads the lists of a tree; whether something is called otherwise than before.
 * @param {Node | undefined} root */
export function readTitles(root) {
  let isNew = false;
  for (const list of lists.map((id) => find(root, id))) {
    if (!list || read.has(list)) continue;
    read.add(list);
    for (const { id, label, uses } of list.children ?? []) {
      const title = typeof label === "object" && "said" in label ? label.said : plain(label);
      const note = id.slice(id.indexOf(".") + 1);
      // Only the list of notes says what is in the trash.
      if (learn(note, title, list.id === "notes.list" ? !!uses?.includes("restore") : !!known.get(note)?.isDeleted)) isNew = true;
    }
  }
  return isNew;
}

/** Asks the host for all of them; those in question that it does not have are not here.
 * @param {Iterable<string>} [wanted] @returns {Promise<{note: string, title: string}[]>} those that are not in the trash, in the order of the list */
export async function askTitles(wanted = []) {
  const state = await connection.ask("state");
  if (!state?.notes) return [];
  /** @type {{id: string, title: string, deleted?: boolean}[]} */
  const all = state.notes.list;
  for (const { id, title, deleted } of all) learn(id, title || plain("note.untitled"), !!deleted);
  const here = new Set(all.map(({ id }) => id));
  for (const note of wanted) if (!here.has(note)) known.set(note, { title: plain("page.note.link.away"), isHere: false, isDeleted: false });
  return all.filter(({ deleted }) => !deleted).map(({ id, title }) => ({ note: id, title: title || plain("note.untitled") }));
}
