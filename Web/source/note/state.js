import { node, ui } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";

/** What a person has to know at once; the rest changes with each pause, and would be read aloud over what they write. */
const problems = ["page.note.kept", "page.note.readonly", "page.note.unsaved"];

/** How what was written here stands to the disk: one quiet word, which is read aloud if it is a problem.
 * @param {import("../documents/document.js").NoteDocument} document @param {boolean} isReadonly */
export function savedState(document, isReadonly) {
  const words = word(document, isReadonly);
  const isProblem = problems.includes(words);
  // A part that is read aloud has to be there before what is read.
  return [h("span", { key: "saved" }, isProblem ? null : say(words)), h("span", { key: "problem", role: "status" }, isProblem ? say(words) : null)];
}

/** @param {import("../documents/document.js").NoteDocument} document @param {boolean} isReadonly */
function word(document, isReadonly) {
  const isAway = ui.connection !== "open" || (document.isKnown && document.state === "waiting");
  if (isAway && !document.isSaved) return "page.note.kept";
  if (!document.isKnown) return "page.note.opening";
  if (isReadonly) return "page.note.readonly";
  if (document.isSaved) return "page.note.saved";
  // Why stands above the list, or above the note.
  return node("storage") ? "page.note.unsaved" : "page.note.saving";
}
