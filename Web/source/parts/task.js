// The box of a task, which is only looked at: open, done, or done with.

import { h } from "../dom/h.js";
import { plain } from "../words/words.js";

/** @type {Record<string, [string, string]>} */
const boxes = { " ": ["☐", "page.task.open"], x: ["☑", "page.task.done"], X: ["☑", "page.task.done"], "-": ["☒", "page.task.dropped"] };

/** @param {string} state what stands between the brackets */
export function taskBox(state) {
  const [box, name] = boxes[state];
  return h("span", { class: "md-box", role: "img", "aria-label": plain(name) }, box);
}
