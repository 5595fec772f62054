import { ui } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";

/** How what was written here stands to the disk: one quiet word.
 * @param {import("../documents/document.js").NoteDocument} document @param {boolean} isReadonly */
export function savedState(document, isReadonly) {
  return h("span", { key: "saved", class: document.isSaved ? "saved" : "saved open", role: "status" }, say(word(document, isReadonly)));
}

/** @param {import("../documents/document.js").NoteDocument} document @param {boolean} isReadonly */
function word(document, isReadonly) {
  const isAway = ui.connection !== "open" || (document.isKnown && document.state === "waiting");
  if (isAway && !document.isSaved) return "page.note.kept";
  if (!document.isKnown) return "page.note.opening";
  if (isReadonly) return "page.note.readonly";
  return document.isSaved ? "page.note.saved" : "page.note.saving";
}
