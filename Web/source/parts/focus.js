// Keeps the focus of whoever uses keys: what had it may go with its screen, and from nothing the way would begin anew at the top of the page.

import { ui } from "../app.js";
import { elementAt, pathOf } from "../dom/patch.js";
import { roomOf } from "../protocol/tree.js";

const stops = "a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), summary, article[tabindex], [tabindex='0'], [contenteditable='true']";

/** Where the focus was on a screen when it was left, for whoever comes back to it.
 * @type {Map<string, string[]>} */
const places = new Map();
let screen = "";

/** A place whose focus could not be given to anything yet.
 * @type {import("../dom/patch.js").Gap | undefined} */
let open;

/** Draws the page, and gives the focus to the best place if what had it is gone.
 * @param {Element} mount @param {() => import("../dom/patch.js").Gap | undefined} draw */
export function keepFocus(mount, draw) {
  const next = `${ui.root?.id}.${roomOf(ui.root) ?? ""}`;
  const isNew = next !== screen;
  const path = isNew && document.activeElement ? pathOf(document.activeElement, mount) : undefined;
  if (path) places.set(screen, path);
  screen = next;
  open = draw() ?? open;
  if (open && document.activeElement === document.body) (isNew ? ofScreen(mount) : near(open))?.focus();
  if (document.activeElement !== document.body) open = undefined;
}

/** Where somebody was on this screen, or where it begins.
 * @param {Element} mount */
function ofScreen(mount) {
  const path = places.get(screen);
  const known = path && elementAt(path, mount);
  return known instanceof HTMLElement && known.matches(stops) && isShown(known) ? known : beginning();
}

/** What stands now where something was taken away, what follows it, what is before it; else what is around it.
 * @param {import("../dom/patch.js").Gap} gap @returns {HTMLElement | null} */
function near({ parent, index }) {
  if (!parent.isConnected || parent.id === "page") return document.querySelector("dialog[open]") ? first(/** @type {Element} */ (document.querySelector("dialog[open]"))) : beginning();
  const around = [...parent.children];
  for (const child of [...around.slice(index), ...around.slice(0, index).reverse()]) {
    const found = first(child);
    if (found) return found;
  }
  const outer = parent.parentElement;
  return parent.matches("dialog, main") || !outer ? beginning() : near({ parent: outer, index: [...outer.children].indexOf(parent) });
}

/** @param {Element} element @returns {HTMLElement | null} */
function first(element) {
  const found = [element, ...element.querySelectorAll(stops)].find((candidate) => candidate.matches(stops) && isShown(candidate));
  return found instanceof HTMLElement ? found : null;
}

/** Not in a part that is folded away. The types of the compiler are older than this function.
 * @param {Element} element @returns {boolean} */
const isShown = (element) => /** @type {any} */ (element).checkVisibility();

/** The heading of the screen, from which one reads on, or the first thing that can be used. */
function beginning() {
  const main = document.getElementById("main");
  const heading = main?.querySelector("h1");
  const found = heading && isShown(heading) ? heading : main && (first(main) ?? main);
  if (found && !found.matches(stops)) found.tabIndex = -1;
  return found ?? null;
}

/** Whether something that comes late may take the focus: nobody has gone elsewhere meanwhile, or writes.
 * @param {Element | null} before what had it when that was asked for */
export function isFree(before) {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || (activeElement === before && !activeElement.matches("input, textarea, [contenteditable='true']"));
}

/** Takes the focus out of a text: to the conversation, or to where the screen begins. */
export function leaveText() {
  const log = document.querySelector(".log");
  const place = log instanceof HTMLElement ? log : beginning();
  if (place && place !== document.activeElement) place.focus();
  else /** @type {HTMLElement} */ (document.activeElement).blur();
}

/** A button that cannot be used at the moment keeps the focus, and does nothing.
 * @param {MouseEvent} event */
export function holdBack(event) {
  if (!(event.target instanceof Element) || !event.target.closest("button[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Arrow keys choose among radio buttons. Where the other person is asked about each choice, they only lead to it.
 * @param {KeyboardEvent} event */
export function choose(event) {
  const chosen = event.target instanceof Element && event.target.closest("[role=radio]");
  const group = chosen && chosen.closest("[role=radiogroup]");
  if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
  const along = document.dir === "rtl" ? -1 : 1;
  const step = { ArrowRight: along, ArrowLeft: -along, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  /** @type {HTMLElement[]} */
  const radios = [...group.querySelectorAll(/** @type {"button"} */ ("[role=radio]:not(:disabled)"))];
  const next = radios[(radios.indexOf(/** @type {HTMLButtonElement} */ (chosen)) + step + radios.length) % radios.length];
  event.preventDefault();
  next.focus();
  if (!group.hasAttribute("data-asks")) next.click();
}
