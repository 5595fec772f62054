import { act, copy, redrawNow, ui } from "../app.js";
import { h, memo } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { time, whole } from "../words/times.js";
import { isChord } from "../parts/composing.js";
import { approach } from "../parts/near.js";
import { ask, iconButton, offered, openMenu } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { file } from "../parts/file.js";
import { isPicture, isVoice, nameOf, savedAddress } from "../parts/files.js";
import { chooseReaction } from "../parts/later.js";
import { linked } from "../parts/links.js";
import { isPlace, place } from "../parts/place.js";
import { begin } from "./composer.js";
import { goTo } from "./place.js";

/** @typedef {import("../app.js").Choice} Choice */
/** @typedef {import("../protocol/types").Node} Node */

const reactions = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

/** @type {Record<string, [import("../parts/icon.js").Name, string]>} */
const marks = { pending: ["clock", "waits"], delivered: ["check", "delivered"], read: ["check-check", "read"], failed: ["circle-alert", "failed"], carried: ["mail", "carried"] };

export const message = memo((/** @type {Node} */ node, /** @type {boolean} */ isFirst, /** @type {boolean} */ isLast, /** @type {boolean} */ isMarked, /** @type {any} */ _templates, /** @type {import("../parts/player.js").Playing | undefined} */ playing, hasButtons = false) => {
  if (node.side === "note") return h("p", { key: node.id, id: node.id, class: "message event" }, say(node.label), node.children?.map((child) => offered(child, "quiet small")));
  const { facts = {} } = node;
  const unfollowed = refusal(node);
  const kind = ["message", node.side, isFirst && "first", isLast && "last", isMarked && "marked", isEmoji(node) && "large", isPicture(node) && "with-picture"].filter(Boolean).join(" ");
  const who = plain(node.side === "own" ? "message.own" : other());
  return h("article", { key: node.id, id: node.id, class: kind, "aria-label": `${who}, ${time(node.at ?? 0)}`, tabindex: "-1",
    oncontextmenu: (/** @type {MouseEvent} */ event) => getSelection()?.isCollapsed && openMenu(event, node.id, menu(node)), onfocus: () => approach(node.id), onkeydown: (/** @type {KeyboardEvent} */ event) => keys(event, node) },
    h("div", { class: "bubble" },
      facts.quote && quote(facts.quote),
      body(node, playing),
      facts.delivery === "carried" ? h("p", { class: "carried" }, icon("mail"), h("span", null, say(node.detail)), sealedFile(node)) : unfollowed && h("p", { class: "carried" }, icon("info"), h("span", null, say(unfollowed))),
      h("span", { class: "meta" }, facts.change?.kind === "edited" && !unfollowed && h("span", null, say("message.edited")),
        h("time", { datetime: new Date(node.at ?? 0).toISOString(), title: whole(node.at ?? 0) }, time(node.at ?? 0)), mark(node)),
      facts.reactions?.length ? h("div", { class: "reactions" }, tally(facts.reactions).map(([emoji, count, isOwn]) =>
        h("button", { key: emoji, type: "button", class: isOwn ? "reaction own" : "reaction", "aria-pressed": String(isOwn), disabled: !node.uses?.includes("react"),
          onclick: () => act(node.id, "react", { emoji: isOwn ? null : emoji }) }, h("bdi", null, emoji), count > 1 ? ` ${count}` : null))) : null),
    // Who reads row by row with a screen reader comes to no message with the pointer or the focus.
    !hasButtons && h("button", { type: "button", class: "unseen", tabindex: "-1", "aria-haspopup": "menu", onclick: (/** @type {MouseEvent} */ event) => openMenu(event, node.id, menu(node)) }, plain("page.more")),
    hasButtons && h("div", { class: "message-actions", "aria-live": "off", onkeydown: along },
      node.uses?.includes("react") && iconButton("smile-plus", "page.react", (event) => openMenu(event, `react.${node.id}`, reactionMenu(node)), { "aria-haspopup": "menu", tabindex: "-1" }),
      node.uses?.includes("reply") && iconButton("reply", "page.reply", () => begin("reply", node), { tabindex: "-1" }),
      iconButton("ellipsis", "page.more", (event) => openMenu(event, node.id, menu(node)), { "aria-haspopup": "menu", tabindex: "-1" })));
});

/** Where the file is that is to be given to the other person.
 * @param {Node} node */
const sealedFile = (node) => node.side === "own" && /** @type {any} */ (node.detail)?.key === "delivery.carried" && h("a", { class: "button small", href: savedAddress(node), download: "" }, say("page.save"));

/** As the person calls the room. */
const other = () => (ui.root?.id === "chat" ? ui.root.label : "message.other");

/** @param {Node} node @param {import("../parts/player.js").Playing | undefined} playing */
function body(node, playing) {
  if (node.facts?.bytes !== undefined) return file(node, playing);
  if (isPlace(node)) return place(node);
  const { value } = node;
  if (!value || !("text" in value)) return h("span", { class: "gone" }, say(node.label));
  return h("div", { class: "text", dir: "auto" }, linked(value.text));
}

/** @param {Node} node */
function isEmoji(node) {
  const text = node.value && "text" in node.value ? node.value.text.trim() : "";
  return text.length > 0 && text.length <= 24 && /^(\p{Extended_Pictographic}|\p{Emoji_Component}|\s)+$/u.test(text) && /\p{Extended_Pictographic}/u.test(text);
}

/** @param {{message: string, side?: string, excerpt: string}} quote */
function quote({ message: id, side, excerpt }) {
  return h("button", { type: "button", class: "quote", onclick: () => goTo(`message.${id}`) },
    side && h("b", null, say(side === "sent" ? "message.own" : other())), excerpt ? h("bdi", null, excerpt) : say("message.answers.gone"));
}

/** What the core says of a change that one of the two did not make, or was not told of: then the message is not simply "edited".
 * @param {Node} node @returns {string | undefined} */
const refusal = ({ detail }) => [/** @type {any} */ (detail)?.all ?? detail].flat().find((words) => /^message\.(kept|change|edited\.kept|deleted\.kept)/.test(words));

/** How far a message has come.
 * @param {Node} node */
function mark(node) {
  const { delivery } = node.facts ?? {};
  if (!delivery || !marks[delivery]) return null;
  const [picture, kind] = marks[delivery];
  const label = plain(node.detail);
  return h("span", { class: `mark ${kind}`, title: label }, icon(picture, label));
}

/** @param {{by: string, emoji: string}[]} list @returns {[string, number, boolean][]} */
function tally(list) {
  /** @type {Map<string, [string, number, boolean]>} */
  const found = new Map();
  for (const { by, emoji } of list) {
    const [, count, isOwn] = found.get(emoji) ?? [emoji, 0, false];
    found.set(emoji, [emoji, count + 1, isOwn || by === "own"]);
  }
  return [...found.values()];
}

/** @param {Node} node @returns {Choice[]} */
const reactionMenu = (node) => [...reactions.map((emoji) => ({ label: { said: emoji }, act: () => void act(node.id, "react", { emoji }) })), {
  label: "page.react.more", icon: "ellipsis", act: () => chooseReaction(node.id),
}];

/** @param {Node} node @returns {Choice[]} */
function menu(node) {
  const text = node.value && "text" in node.value ? node.value.text : undefined;
  const uses = (/** @type {string} */ verb) => node.uses?.includes(verb);
  /** @type {(Choice | false | undefined)[]} */
  const items = [
    uses("reply") && { label: "page.reply", icon: "reply", act: () => begin("reply", node) },
    ...(uses("react") ? reactionMenu(node).filter((_, place) => place < 3 || place >= reactions.length).map(/** @returns {Choice} */ (item) => ({ icon: "smile-plus", ...item })) : []),
    text !== undefined && { label: "page.copy.text", icon: "copy", act: () => void copy(text) },
    uses("open") && { label: "page.open", icon: "external-link", act: () => void act(node.id, "open") },
    uses("open") && { label: "page.save", icon: "download", act: () => keep(node) },
    uses("edit") && { label: "page.edit", icon: "pencil", act: () => begin("edit", node) },
    ...(node.children ?? []).filter((child) => child.offers?.length).map(/** @returns {Choice} */ (child) => ({ label: child.label, icon: "circle", act: () => void act(child.id) })),
    uses("delete") && { label: "page.delete", icon: "trash-2", isDestructive: true, act: () => remove(node) },
  ];
  return items.flatMap((item) => item || []);
}

/** Has the browser keep a file.
 * @param {Node} node */
function keep(node) {
  const link = document.createElement("a");
  link.href = savedAddress(node);
  link.download = isVoice(node) ? "" : nameOf(node);
  link.click();
}

/** @param {Node} node */
function remove(node) {
  ask({ title: "page.delete.message", about: node.side === "own" ? "page.delete.message.about" : "page.delete.message.here", button: "page.delete", isDestructive: true, act: () => void act(node.id, "delete") });
}

/** From one of a message's buttons to the next one, and back to the message: the Tab key stops at none of them.
 * @param {KeyboardEvent} event */
function along(event) {
  const buttons = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
  const forward = document.dir === "rtl" ? -1 : 1;
  const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key];
  if (!step && event.key !== "Escape" || isChord(event)) return;
  const next = step ? buttons.indexOf(/** @type {any} */ (document.activeElement)) + step : -1;
  (buttons[next] ?? (next < 0 ? /** @type {HTMLElement} */ (event.currentTarget).closest("article") : undefined))?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** @param {KeyboardEvent} event @param {Node} node */
function keys(event, node) {
  if (event.target !== event.currentTarget || isChord(event)) return;
  const uses = (/** @type {string} */ verb) => node.uses?.includes(verb);
  const row = /** @type {HTMLElement} */ (event.currentTarget);
  // What happened, and what is on its way, takes no focus.
  const rows = [...document.querySelectorAll(".message[tabindex]")];
  const index = rows.indexOf(row);
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step) /** @type {HTMLElement | undefined} */ (rows[index + step])?.focus();
  else if (event.key === (document.dir === "rtl" ? "ArrowLeft" : "ArrowRight")) enterButtons(row, node.id);
  else if (event.key === "r" && uses("reply")) begin("reply", node);
  else if (event.key === "e" && uses("edit")) begin("edit", node);
  else if (event.key === "Delete" && uses("delete")) remove(node);
  else if (event.key === "Enter" || event.key === "ContextMenu") openMenu(event, node.id, menu(node));
  else return;
  event.preventDefault();
}

/** @param {HTMLElement} row @param {string} id */
function enterButtons(row, id) {
  approach(id);
  redrawNow();
  /** @type {HTMLElement | null} */ (row.querySelector(".message-actions button"))?.focus();
}

/** A message on its way to the core.
 * @param {import("../app.js").Unsent} unsent */
export function unsentBubble({ id, text, at }) {
  return h("article", { key: id, class: "message own unsent" }, h("div", { class: "bubble" }, h("div", { class: "text", dir: "auto" }, linked(text)),
    h("span", { class: "meta" }, time(at), h("span", { class: "mark" }, icon("clock", plain("page.unsent"))))));
}
