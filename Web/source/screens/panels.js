// What is around the open note: comments, history, links. The core tells it while the person wants to see it.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { banner } from "../parts/banner.js";
import { iconButton } from "../parts/controls.js";
import { icon } from "../parts/icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** What comes with the editor.
 * @type {{comments?: (section: Node) => import("../dom/h.js").Element_, history?: (section: Node) => import("../dom/h.js").Element_}} */
export const later = {};

/** What the panels draw of a note's screen.
 * @param {string} id */
export const isOfPanels = (id) => /^note\.(inspector|details|details\.problem|comments|history|links|backlinks)$/.test(id);

/** Where a window has space for them beside the text, they open with the first note; afterwards the person decides. */
const spacious = 1232;
let isDecided = false;

/** The button that shows or hides the panels.
 * @param {Node} root */
export function panelsButton(root) {
  const toggle = find(root, "note.inspector");
  if (!toggle) return null;
  const press = () => {
    isDecided = true;
    void act(toggle.id);
  };
  return iconButton("panel-right", toggle.label, press, { key: "panels", "aria-pressed": String(!!toggle.is_selected),
    made: () => { if (!isDecided && innerWidth >= spacious && !toggle.is_selected) press(); } });
}

/** Nothing while they are hidden.
 * @param {Node} root */
export function panels(root) {
  const part = (/** @type {string} */ id) => root.children?.find((child) => child.id === id);
  const toggle = part("note.inspector");
  if (!toggle?.is_selected) return null;
  const [problem, waiting, said, past] = ["note.details.problem", "note.details", "note.comments", "note.history"].map(part);
  return h("aside", { key: "panels", class: "panels", "aria-label": plain(toggle.label) },
    problem && banner(problem), waiting && h("p", { class: "quiet", role: "status" }, h("span", { class: "busy" }), say(waiting.label)),
    said && later.comments?.(said), past && later.history?.(past), links(part("note.backlinks"), true), links(part("note.links"), false));
}

/** @param {Node | undefined} list @param {boolean} isBack */
function links(list, isBack) {
  if (!list?.children?.length) return null;
  return h("section", { key: list.id, class: "panel", "aria-labelledby": `name.${list.id}` }, h("h2", { id: `name.${list.id}` }, say(list.label)),
    h("ul", { class: "links" }, list.children.map((link) => h("li", { key: link.id },
      h("button", { type: "button", class: "link-row", onclick: () => act(link.id) }, icon(isBack ? "corner-down-left" : "arrow-up-right"), h("span", null, say(link.label)))))));
}
