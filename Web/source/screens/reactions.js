// More reactions to a message than its row has: a grid, and a line for any other character.

import { act, ui } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { isChord } from "../parts/composing.js";
import { button, iconButton } from "../parts/controls.js";
import { closeSheet, dialog } from "../parts/layers.js";

const known = [..."👏🎉🔥💯✅❌👀🤔😀😅😊😍🥰😘😎🤩😭😡😱😴🥳🤗🙄😬👎👌💪🤝🙌🤞👋💔💚💙⭐✨💡❓❗➕☕🍰🍕🌹🌈🚀🐱🐶"];

/** What was chosen here last comes first, as long as the page is open.
 * @type {string[]} */
let recent = [];
const mostRecent = 8;

/** Bytes of a reaction: `RoomLimits.reactionBytes` of the core. */
const most = 32;

/** The sheet goes with its message.
 * @param {string} message */
export function reactions(message) {
  const node = find(ui.root, message);
  if (!node?.uses?.includes("react")) return h("span", { key: "reactions.gone", hidden: true, made: closeSheet });
  const own = node.facts?.reactions?.find(({ by }) => by === "own")?.emoji;
  const choose = (/** @type {string} */ emoji) => {
    recent = [emoji, ...recent.filter((other) => other !== emoji)].slice(0, mostRecent);
    closeSheet();
    void act(node.id, "react", { emoji });
  };
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    const text = event.currentTarget.elements.namedItem("character").value.trim();
    if (isOne(text)) choose(text);
  };
  const typed = (/** @type {any} */ { currentTarget: { form, value } }) => void (form.querySelector("[type=submit]").disabled = !isOne(value.trim()));
  return dialog("reactions", [
    h("header", null, h("h2", { id: "reactions-title" }, say("page.react.more")), iconButton("x", "page.close", closeSheet)),
    h("div", { class: "reaction-grid", role: "group", "aria-labelledby": "reactions-title", onkeydown: move },
      [...new Set([...recent, ...known])].map((emoji, index) => h("button", { key: emoji, type: "button", class: "reaction-choice", tabindex: index ? "-1" : "0", autofocus: !index,
        "aria-pressed": String(emoji === own), onclick: () => choose(emoji) }, emoji))),
    h("form", { class: "reaction-line", onsubmit: send, autocomplete: "off" },
      h("input", { name: "character", type: "text", dir: "auto", "aria-label": plain("page.react.any"), placeholder: plain("page.react.any"), oninput: typed }),
      button("page.react", () => {}, { type: "submit", class: "primary", made: (/** @type {HTMLButtonElement} */ element) => { element.disabled = true; } })),
  ], { class: "more-reactions", "aria-labelledby": "reactions-title" }, closeSheet);
}

/** Whether a text is one character as a person counts them, which may be made of several.
 * @param {string} text */
const isOne = (text) => [...new Intl.Segmenter().segment(text)].length === 1 && new TextEncoder().encode(text).length <= most;

/** Arrow keys go through the grid, which is one stop of the Tab key.
 * @param {KeyboardEvent} event */
function move(event) {
  if (isChord(event)) return;
  /** @type {HTMLElement[]} */
  const all = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
  const place = all.indexOf(/** @type {any} */ (document.activeElement));
  const columns = all.filter(({ offsetTop }) => offsetTop === all[0].offsetTop).length;
  const forward = document.dir === "rtl" ? -1 : 1;
  const next = { ArrowRight: place + forward, ArrowLeft: place - forward, ArrowDown: place + columns, ArrowUp: place - columns, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (!all[next]) return;
  all.forEach((choice, index) => { choice.tabIndex = index === next ? 0 : -1; });
  all[next].focus();
}
