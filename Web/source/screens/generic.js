// Draws whatever the core offers and no screen of its own draws, so that nothing is out of reach.

import { act, connection, ui } from "../app.js";
import { h, memo } from "../dom/h.js";
import { plain, say, size } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { field, secretFields } from "../parts/fields.js";
import { button, isDestructive, offered, press } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { banner } from "../parts/banner.js";

/** @typedef {import("../protocol/types").Node} Node */

/** What a screen has besides what it draws itself.
 * @param {Node} root @param {(id: string) => boolean} isDrawn */
export function strip(root, isDrawn) {
  const others = (root.children ?? []).filter((child) => !isDrawn(child.id) && !isFrame(child, root));
  return others.length ? h("div", { key: "strip", class: "strip" }, others.map((child) => generic(child))) : null;
}

/** The title and the way back are in the header of every screen. A page names no program of this computer.
 * @param {Node} child @param {Node} root */
const isFrame = (child, root) => child.id === `${root.id}.title` || /^apps_core\.(bundle|choose)$/.test(child.id) || ["back", "rooms.beside", "notes.beside", "agents.beside", "palette", "notices", "offline", "storage"].includes(child.id);

/** @param {Node} root @param {(id: string) => boolean} [isDrawn] what is drawn elsewhere */
export function sheet(root, isDrawn = () => false) {
  const rows = (root.children ?? []).filter((child) => !isFrame(child, root) && !isDrawn(child.id));
  return h("div", { key: root.id, class: "sheet" }, grouped(rows));
}

/** Buttons that follow each other stand in one row; everything else in cards between headings.
 * @param {Node[]} nodes */
function grouped(nodes) {
  /** @type {any[]} */
  const parts = [];
  /** @type {Node[]} */
  let run = [];
  const end = () => {
    if (run.length) parts.push(h("div", { key: `card.${run[0].id}`, class: "card" }, run.map((child) => generic(child))));
    run = [];
  };
  for (const child of nodes) {
    if (["section", "list", "banner", "heading"].includes(child.role)) {
      end();
      parts.push(generic(child));
    } else {
      run.push(child);
    }
  }
  end();
  return parts;
}

/** Marks what it draws, so that a test finds it where a screen should draw for itself.
 * @type {(node: Node) => import("../dom/h.js").Element_} */
export const generic = memo((/** @type {Node} */ node) => {
  const made = drawn(node);
  return { ...made, props: { ...made.props, "data-generic": "" } };
});

/** @param {Node} node @returns {import("../dom/h.js").Element_} */
function drawn(node) {
  switch (node.role) {
    case "heading": return h("h2", { key: node.id, class: "group-name" }, say(node.label));
    case "banner": return banner(node);
    case "section": case "list": return group(node);
    case "button": return row(node, { press: () => press(node) });
    case "item": return item(node);
    case "toggle": return toggle(node);
    case "choice": return choice(node);
    case "text_field": return field(node);
    case "secret_field": return secretFields(node);
    default: return row(node, {});
  }
}

/** @param {Node} node */
function group(node) {
  const name = `name.${node.id}`;
  const isChoice = node.children?.length && node.children.every((child) => child.role === "choice");
  if (isChoice && (node.children?.length ?? 0) > mostRows) return selection(node, name);
  return h("section", { key: node.id, class: "group", "aria-labelledby": name },
    h("h2", { class: "group-name", id: name }, say(node.label)), node.detail && h("p", { class: "group-about" }, say(node.detail)),
    h("div", { key: "card", class: "card", role: isChoice ? "radiogroup" : null, "aria-labelledby": isChoice ? name : null }, node.children?.map((child) => generic(child))));
}

/** Choices that stand one below the other. */
const mostRows = 6;

/** Many things to choose from.
 * @param {Node} node @param {string} name */
function selection(node, name) {
  return h("section", { key: node.id, class: "group", "aria-labelledby": name }, h("h2", { class: "group-name", id: name }, say(node.label)),
    h("div", { class: "card" }, h("select", { class: "row", "aria-labelledby": name, onchange: (/** @type {any} */ event) => act(event.target.value) },
      node.children?.map((child) => h("option", { key: child.id, value: child.id, selected: !!child.is_selected }, plain(child.label))))));
}

/** @param {Node} node @param {{press?: () => void}} how */
function row(node, { press }) {
  const children = node.children ?? [];
  const line = [
    h("span", { class: "row-words" }, h("span", null, say(node.label)), node.detail && h("small", null, say(node.detail))),
    value(node), node.is_busy && h("span", { class: "busy", role: "status" }), press && icon("chevron-right"),
  ];
  if (!press) return h("div", { key: node.id, class: "row", role: node.role === "status" ? "status" : null }, line, children.map((child) => offered(child)));
  return h("button", { key: node.id, type: "button", class: isDestructive(node) ? "row danger" : "row", disabled: node.is_enabled === false, onclick: press }, line);
}

/** @param {Node} node */
function item(node) {
  const text = [
    h("span", { class: "row-words" }, h("span", null, node.is_selected && icon("check"), say(node.label)), node.detail && h("small", null, say(node.detail))),
    value(node), node.at && h("time", { title: whole(node.at) }, short(node.at)),
  ];
  const isOpenable = node.offers?.length;
  return h("div", { key: node.id, class: "row-group" },
    isOpenable ? h("button", { type: "button", class: "row", onclick: () => act(node.id) }, text, icon("chevron-right")) : h("div", { class: "row" }, text),
    node.children?.length ? h("div", { class: "row-actions" }, node.children.map((child) =>
      child.role === "button" ? offered(child, "quiet small") : generic(child))) : null);
}

/** @param {Node} node */
function toggle(node) {
  return h("button", { key: node.id, type: "button", class: "row", role: "switch", "aria-checked": String(!!node.is_selected),
    disabled: node.is_enabled === false, onclick: () => act(node.id) },
    h("span", { class: "row-words" }, h("span", null, say(node.label)), node.detail && h("small", null, say(node.detail))),
    h("span", { class: "switch", "aria-hidden": "true" }));
}

/** @param {Node} node */
function choice(node) {
  const isFixed = node.is_enabled === false && !node.is_selected;
  return h("button", { key: node.id, type: "button", class: "row", role: "radio", "aria-checked": String(!!node.is_selected),
    disabled: isFixed, onclick: () => node.is_selected || act(node.id) },
    h("span", { class: "row-words" }, h("span", null, say(node.label)), node.detail && h("small", null, say(node.detail))),
    node.is_selected ? icon("check") : null);
}

/** @param {Node} node */
export function value(node) {
  const { value } = node;
  if (!value) return null;
  if ("text" in value) return h("span", { class: /^[\d\s]+$/.test(value.text) ? "value digits" : "value" }, h("bdi", null, value.text));
  if ("words" in value) return h("span", { class: "value" }, say(value.words));
  if ("count" in value) return h("span", { class: "value" }, String(value.count));
  if ("time" in value) return h("time", { class: "value", title: whole(value.time) }, short(value.time));
  if ("done" in value) return h("progress", { value: value.done, max: Math.max(1, value.total), title: `${size(value.done)} / ${size(value.total)}`, "aria-label": plain(node.label) });
  const known = ui.secrets.get(value.secret);
  if (known !== undefined) return h("span", { class: "value" }, h("bdi", null, known));
  return button("page.lock.show", () => void connection.ask("secret", { ref: value.secret }).then((text) => ui.secrets.set(value.secret, text)), { class: "quiet small" });
}
