// Words in conversations: what was found stands under its room, and leads to its place.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { avatar } from "../parts/avatar.js";
import { isChord, isComposing } from "../parts/composing.js";
import { later } from "../parts/fields.js";
import { icon } from "../parts/icon.js";
import { marked } from "../parts/marked.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function search(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `search.${name}`);
  const query = part("query");
  const text = textOf(query);
  const ends = ["searching", "nothing", "more"].flatMap((name) => part(name) ?? []);
  return h("div", { key: "search", class: "sheet found-sheet", onkeydown: step },
    h("div", { class: "search-box" }, icon("search"),
      h("input", { type: "text", class: "query", "aria-label": plain("search.query"), placeholder: plain(root.label), autocomplete: "off", spellcheck: "false", dir: "auto", enterkeyhint: "search",
        made: (/** @type {HTMLInputElement} */ box) => { box.value = text; box.focus({ preventScroll: true }); box.select(); },
        drawn: (/** @type {HTMLInputElement} */ box) => { if (!box.value && !box.dataset.typed) box.value = text; },
        oninput: (/** @type {any} */ event) => typed(event.target) })),
    h("div", { key: "results", class: "results" }, byRoom(part("results")?.children ?? []).map(([room, hits]) => results(room, hits, text))),
    h("p", { class: "quiet search-end", role: "status" }, ends.length ? ends.map(({ label }) => say(label)) : !text && say("page.search.about")));
}

/** @param {HTMLInputElement} box */
function typed(box) {
  box.dataset.typed = "true";
  later("search.query", () => void act("search.query", "set_text", { query: box.value }));
}

/** Rooms in the order of their first hit.
 * @param {Node[]} hits @returns {[string, Node[]][]} */
function byRoom(hits) {
  /** @type {Map<string, Node[]>} */
  const rooms = new Map();
  for (const hit of hits) {
    const room = hit.id.split(".")[1] ?? "";
    rooms.set(room, [...(rooms.get(room) ?? []), hit]);
  }
  return [...rooms];
}

/** @param {string} room @param {Node[]} hits @param {string} text */
function results(room, hits, text) {
  return h("section", { key: room, class: "group", "aria-labelledby": `found.${room}` },
    h("h2", { class: "group-name", id: `found.${room}` }, avatar(`room.${room}`, hits[0].label, "small"), h("span", null, say(hits[0].label)), h("span", { class: "found-count" }, say({ key: "page.search.count", args: { count: { count: hits.length } } }))),
    h("div", { class: "card" }, hits.map((hit) => h("button", { key: hit.id, type: "button", class: "row hit", onclick: () => act(hit.id) },
      h("span", { class: "row-words" }, h("small", null, say(hit.detail === "message.other" ? hit.label : hit.detail)), h("bdi", { class: "snippet" }, marked(textOf(hit), text))),
      hit.at && h("time", { title: whole(hit.at) }, short(hit.at))))));
}

/** Up and down go from the words through what was found, and back.
 * @param {KeyboardEvent} event */
function step(event) {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const sheet = /** @type {HTMLElement} */ (event.currentTarget);
  /** @type {HTMLElement[]} */
  const stops = [...sheet.querySelectorAll(/** @type {"input"} */ (".query, .hit"))];
  const place = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
  if (isComposing(event) || isChord(event) || place < 0) return;
  if (event.key === "Enter" && place === 0) stops[1]?.click();
  else if (move) stops[Math.min(Math.max(place + move, 0), stops.length - 1)].focus();
  else return;
  event.preventDefault();
}
