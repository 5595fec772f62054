import { h } from "../dom/h.js";
import { icons } from "../../../.build/page/icons.js";

/** Pictures that point along a line of text, and so the other way where it runs from right to left. */
const directed = /^(chevron-(left|right)|arrow-up-right|corner-down-(left|right)|external-link|log-(in|out)|panel-right|redo-?2?|reply|send-horizontal|undo-?2?)$/;

/** @typedef {import("../../../.build/page/icons.js").Name} Name of Lucide; Web/icons.txt has those that are drawn */

/** @param {Name} name @param {string} [label] what it says, if nothing beside it does */
export function icon(name, label) {
  return h("svg", { viewBox: "0 0 24 24", class: directed.test(name) ? "icon directed" : "icon", "aria-hidden": label ? null : "true", role: label ? "img" : null, "aria-label": label },
    icons[name].map(([tag, attributes]) => h(tag, attributes)));
}
