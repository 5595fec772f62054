// Ctrl-K: everything that has a name and what can be done at this moment, found by its name.

import { act, appears, go, redraw, toast, ui } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { matches } from "../words/matching.js";
import { plain, say } from "../words/words.js";
import { avatar } from "../parts/avatar.js";
import { isComposing } from "../parts/composing.js";
import { press } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { ofNotes } from "./notes.js";
import { open } from "./notelist.js";
import { closeSheet, dialog } from "../parts/layers.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {{id: string, text: string, node: Node, run: () => void}} Entry */

const limit = 50;
let query = "";
let place = 0;

let isTelling = false;

/** The core names notes, apps and sessions as long as it knows that the palette is open.
 * @param {Node} root */
function tell(root) {
  const isOpen = !!find(root, "palette.close");
  if (isTelling || isOpen === (ui.sheet === "palette") || !find(root, "palette")) return;
  isTelling = true;
  void act(isOpen ? "palette.close" : "palette").then((code) => {
    isTelling = false;
    if (!code) redraw();
  });
}

/** @param {Node} root */
export function palette(root) {
  tell(root);
  if (ui.sheet !== "palette") {
    [query, place] = ["", 0];
    return null;
  }
  const found = [...entries(root).filter(({ text }) => matches(text, query)).slice(0, limit), ...further(root)];
  place = Math.min(place, Math.max(0, found.length - 1));
  /** @param {Entry} entry */
  const run = (entry) => {
    closeSheet();
    entry.run();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isComposing(event)) return;
    if (event.key === "Enter") found[place] && run(found[place]);
    else if (step) place = (place + step + found.length) % Math.max(1, found.length);
    else return;
    event.preventDefault();
    redraw();
  };
  return dialog("palette", [
    h("div", { class: "palette-box" }, icon("search"), h("input", {
      type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", "aria-activedescendant": found[place] ? `entry.${found[place].id}` : null,
      "aria-label": plain("page.palette"), placeholder: plain("page.palette"), autocomplete: "off", spellcheck: "false",
      oninput: (/** @type {any} */ event) => { query = event.target.value; place = 0; redraw(); }, onkeydown: keys,
    })),
    h("ul", { id: "palette-list", role: "listbox", "aria-label": plain("page.palette") }, found.map((entry, index) => h("li", {
      key: entry.id, id: `entry.${entry.id}`, role: "option", "aria-selected": String(index === place), onclick: () => run(entry),
      drawn: (/** @type {HTMLElement} */ element) => index === place && element.scrollIntoView({ block: "nearest" }),
    }, entry.id.startsWith("room.") ? avatar(entry.id, entry.node.label, "small") : h("span", { class: "entry-picture" }, icon(lists[kindOf(entry.id)]?.[1] ?? "corner-down-right")), h("span", null, say(entry.node.label))))),
    found.length ? null : h("p", { class: "quiet nothing", role: "status" }, say("page.nothing")),
  ], { class: "palette", "aria-label": plain("page.palette") }, closeSheet);
}

/** @param {Node} root @returns {Entry[]} */
function entries(root) {
  const beside = find(root, "rooms.beside");
  /** @type {Entry[]} */
  const list = [];
  const named = find(root, "palette");
  /** @param {Node} node @param {boolean} isBeside */
  const walk = (node, isBeside) => {
    const canTap = node.offers?.some(({ verb }) => verb === "tap") && node.is_enabled !== false;
    if (canTap && !/^(room\..*\.(pin|up|down|delete)|agents\.add|(comment|version|place|notes\.(tag|filter))\..*)$/.test(node.id)) {
      const isPlace = isBeside || root.id === "rooms";
      list.push({ id: node.id, text: plain(node.label), node, run: () => (/^note\.[^.]+$|^hit\./.test(node.id) && node.role === "item" ? void open(node.id) : isPlace && !/clear/.test(node.id) ? void go(node.id) : press(node)) });
    }
    for (const child of node.children ?? []) if (child !== named && child.id !== "chat.messages" && child.id !== "agent.items" && !child.id.startsWith("approval.")) walk(child, isBeside || child === beside);
  };
  walk(root, false);
  const further = [...others(root), ...(named?.children ?? []).slice(1).map(leading)];
  const shown = new Set(list.map(({ id }) => id));
  list.push(...further.filter(({ id }) => !shown.has(id.replace(/^found\./, ""))));
  return list.sort((one, other) => rank(one) - rank(other));
}

/** What each kind of thing is on the list of, and how it looks.
 * @type {Record<string, [string, import("../parts/icon.js").Name]>} */
const lists = { app: ["rooms.apps", "layout-grid"], note: ["rooms.notes", "file-text"], session: ["rooms.agents", "bot"] };

/** @param {string} id of the palette's own nodes: `found.kind.thing` */
const kindOf = (id) => (id.startsWith("found.") ? id.split(".")[1] : "");

/** Leads to a thing by way of its list, so that the way back leads there. An app opens, if it has a window.
 * @param {Node} node @returns {Entry} */
function leading(node) {
  const [list] = lists[kindOf(node.id)];
  const run = async () => {
    if (list !== lists.app[0]) return go(list, "rooms", node.id);
    await go(list);
    const id = node.id.slice("found.".length);
    if (await appears(id)) void act(find(ui.root, `${id}.open`) ? `${id}.open` : id);
  };
  return { id: node.id, text: plain(node.label), node, run: () => void run() };
}

/** Rooms, then what does something, then other things, and at last what only sets something: who types "lock" and Enter wants to lock.
 * @param {Entry} entry */
const rank = ({ id, node }) => (id.startsWith("room.") ? 0 : node.role === "toggle" || node.role === "choice" ? 3 : id.startsWith("found.") ? 2 : 1);

/** @param {string} id @param {string} way */
async function lead(id, way) {
  await go(way);
  // Without a passphrase there is nothing to lock with.
  if (id === "settings.lock" && (await appears("settings.passphrase")) && !find(ui.root, id)) toast("notice.no_passphrase");
  else if (await appears(id)) await act(id);
}

/** What can be done from everywhere, though another screen offers it.
 * @param {Node} root @returns {Entry[]} */
function others(root) {
  /** @param {string} id @param {string} way @param {string} label @returns {Entry[]} */
  const there = (id, way, label) => (find(root, way) ? [{ id, text: plain(label), node: { id, role: "button", label }, run: () => void lead(id, way) }] : []);
  return [
    ...there("notes.create", "rooms.notes", "notes.create"), ...there("settings.lock", "rooms.settings", "settings.lock"),
    ...there("settings.server.check", "rooms.settings", "settings.server.check"), ...there("agents.log", "rooms.agents", "agents.log"),
    { id: "help", text: plain("page.help"), node: { id: "help", role: "button", label: "page.help" }, run: () => { ui.sheet = "help"; redraw(); } },
  ];
}

/** Where what was typed can be looked for: where the person is comes first.
 * @param {Node} root @returns {Entry[]} */
function further(root) {
  if (!query.trim()) return [];
  return ofNotes.test(root.id) ? [search(root), ...lookUp(root, query)] : [...lookUp(root, query), search(root)];
}

/** Looks for it in all notes.
 * @param {Node} root @returns {Entry} */
function search(root) {
  const wanted = query.trim();
  const run = async () => {
    if (!ofNotes.test(root.id)) await go("rooms.notes");
    await act("notes.search", "set_text", { query: wanted });
  };
  const label = { key: "page.notes.find", args: { query: { said: wanted } } };
  return { id: "notes.find", text: wanted, node: { id: "notes.find", role: "button", label }, run: () => void run() };
}

/** What was typed can also be looked for in all conversations.
 * @param {Node} root @param {string} query @returns {Entry[]} */
function lookUp(root, query) {
  const node = find(root, "rooms.search");
  if (!node || !query.trim()) return [];
  const words = { key: "page.palette.search", args: { query: { said: query.trim() } } };
  return [{ id: "search", text: query, node: { ...node, label: words }, run: () => { void go("rooms.search"); void act("search.query", "set_text", { query: query.trim() }); } }];
}
