// What lies above the page: the menu, a question, a short note.

import { redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { find } from "../protocol/tree.js";
import { banner } from "./banner.js";
import { isChord } from "./composing.js";
import { button } from "./controls.js";
import { icon } from "./icon.js";

/** @returns {import("../dom/h.js").Element_[]} */
export function layers() {
  return [
    ...(ui.menu ? [menu(ui.menu)] : []),
    ...(ui.question ? [question(ui.question)] : []),
    h("div", { key: "toast", class: "toast", role: "status", hidden: !ui.toast }, say(ui.toast)),
  ];
}

/** Whether somebody presses beside the box of a dialog: its edge belongs to it.
 * @param {any} event */
const isBeside = ({ target, currentTarget, clientX, clientY }) => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom);
};
/** What is selected in the box may end beside it. */
let beganBeside = false;

/** A question or tool above the page. It holds the focus, and gives it back when it goes.
 * @param {string} id @param {any[]} children @param {Record<string, any>} props @param {() => void} closed */
export function dialog(id, children, props, closed) {
  // At once: its event comes later than the next key, which goes where the focus was before.
  const shut = (/** @type {any} */ { currentTarget }) => {
    currentTarget.onclose = null;
    currentTarget.close();
    closed();
  };
  return h("dialog", {
    key: id, ...props, onclose: closed, made: (/** @type {HTMLDialogElement} */ element) => element.showModal(),
    left: (/** @type {HTMLDialogElement} */ element) => { element.onclose = null; element.close(); },
    onmousedown: (/** @type {any} */ event) => { beganBeside = isBeside(event); },
    onclick: (/** @type {any} */ event) => { if (beganBeside && isBeside(event)) shut(event); },
    // That of a choice of files comes up to here, too.
    oncancel: (/** @type {any} */ event) => { if (event.target === event.currentTarget) shut(event); },
  }, children);
}

export function closeSheet() {
  ui.sheet = undefined;
  redraw();
}

/** @param {import("../app.js").Question} asked */
function question(asked) {
  const close = () => {
    ui.question = undefined;
    redraw();
  };
  return dialog("question", [
    h("h2", { id: "question-title" }, say(asked.title)),
    asked.about && h("p", null, say(asked.about)),
    h("div", { class: "actions" },
      button("page.cancel", close),
      button(asked.button, () => { close(); asked.act(); }, { class: asked.isDestructive ? "primary danger" : "primary" })),
  ], { class: "question", "aria-labelledby": "question-title" }, close);
}

/** @param {NonNullable<typeof ui.menu>} open */
function menu(open) {
  const close = () => {
    ui.menu = undefined;
    redraw();
  };
  /** @param {KeyboardEvent} event */
  const move = (event) => {
    if (isChord(event)) return;
    const items = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
    const place = items.indexOf(/** @type {any} */ (document.activeElement));
    const forward = document.dir === "rtl" ? -1 : 1;
    const next = { ArrowDown: place + 1, ArrowRight: place + forward, ArrowUp: place - 1, ArrowLeft: place - forward, Home: 0, End: items.length - 1 }[event.key];
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h("section", { key: `menu.${open.owner}`, class: "menu-scrim", "aria-label": plain("page.more"), onclick: close, oncontextmenu: (/** @type {Event} */ event) => { event.preventDefault(); close(); },
    // The menu keeps the focus until it gives it back, also when somebody presses beside it.
    onmousedown: (/** @type {Event} */ event) => event.preventDefault(),
    left: (/** @type {Element} */ element) => element.contains(document.activeElement) && giveBack(open.opener) },
    h("div", { class: open.items[0]?.icon ? "menu" : "menu in-a-row", role: "menu", onkeydown: move, tabindex: "-1", made: (/** @type {HTMLElement} */ element) => place(element, open) },
      open.items.map((item, index) => h("button", { type: "button", role: "menuitem", key: String(index), class: item.isDestructive ? "danger" : null,
        onclick: () => { close(); item.act(); } }, item.icon && icon(item.icon), h("span", null, say(item.label))))));
}

/** The buttons of a message are shown while something in it has the focus, so it goes there first.
 * @param {any} opener */
function giveBack(opener) {
  opener?.closest?.("article")?.focus({ preventScroll: true });
  opener?.focus?.();
}

/** Below what was pressed, or above it where there is no space.
 * @param {HTMLElement} element @param {{x: number, y: number, atPointer: boolean}} at */
function place(element, { x, y, atPointer }) {
  const { width, height } = element.getBoundingClientRect();
  const isToTheRight = atPointer !== (document.dir === "rtl");
  const [left, above] = [isToTheRight ? x : x - width, atPointer ? y - height : y - height - 44];
  element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, y + height > innerHeight - 8 ? above : y)}px`;
  element.querySelector("button")?.focus();
}

/** What is missing at the moment: the host, the network, or a disk that takes something. */
export function offline() {
  const known = ["offline", "storage"].flatMap((id) => find(ui.root, id)?.label ?? []);
  if (ui.connection === "broken") known.unshift(ui.root ? "page.offline" : "page.offline.first");
  if (ui.connection === "ended") known.unshift(ui.reason === "too_many" ? "page.ended.too_many" : ui.reason === "stranger" ? "page.ended.stranger" : "page.ended");
  if (!known.length) return null;
  return h("div", { key: "connection", class: "connection", role: "status" }, known.map((text) => h("p", null, icon("cloud-off"), h("span", null, say(text)))));
}

/** What the core tells, until somebody dismisses it. What the open room says itself is not said twice.
 * @param {import("../protocol/types").Node} root */
export function notices(root) {
  const problem = JSON.stringify(root.children?.find((child) => child.id === "chat.problem")?.label);
  const found = (root.children?.find((child) => child.id === "notices")?.children ?? []).filter(({ label }) => JSON.stringify(label) !== problem);
  if (!found.length) return null;
  return h("section", { key: "notices", class: "notices", "aria-label": plain("notices"), "aria-live": "polite" }, found.map(banner));
}
