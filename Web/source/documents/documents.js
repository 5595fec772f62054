// The notes that the page has open. One that left the screen stays until the host has all of it.

import { connection, redraw } from "../app.js";
import { NoteDocument } from "./document.js";

/** @type {Map<string, NoteDocument>} */
const open = new Map();

/** The document of a note that is on the screen; asks for it if it is not there.
 * @param {string} note @param {() => void} changed */
export function show(note, changed) {
  const document = open.get(note) ?? new NoteDocument(note, changed, connection);
  document.changed = changed;
  document.isWanted = true;
  open.set(note, document);
  void document.open();
  return document;
}

/** It is not on the screen any more.
 * @param {NoteDocument} document */
export function leave(document) {
  document.isWanted = false;
  document.flush();
  document.point(null);
  document.changed = () => letGo(document);
  document.placed = () => {};
  letGo(document);
}

/** @param {NoteDocument} document */
function letGo(document) {
  if (document.isWanted || !document.isSaved || open.get(document.note) !== document) return;
  open.delete(document.note);
  document.close();
}

connection.documents = {
  opened: () => open.forEach((document) => void document.open()),
  broke: () => {
    open.forEach((document) => document.broke());
    redraw();
  },
  hear: (frame) => open.get(frame.doc)?.hear(frame),
};

addEventListener("pagehide", () => open.forEach((document) => document.flush()));
addEventListener("beforeunload", (event) => {
  open.forEach((document) => document.flush());
  // What is on its way is written when the connection ends.
  if ([...open.values()].some((document) => document.isStuck)) event.preventDefault();
});
