// Fields keep what is typed in them; the core hears of it a moment later.

import { act, leaving, redraw, secret, trees, ui } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { button } from "./controls.js";

/** @typedef {import("../protocol/types").Node} Node */

const pause = 300;

/** What stands in the fields that the core hears of while it is typed, by node.
 * @type {Map<string, string>} */
const standing = new Map();
/** What a host that began anew has not been told.
 * @type {Map<string, string>} */
const untold = new Map();

trees.addEventListener("anew", () => {
  for (const [id, text] of standing) if (document.getElementById(`field.${id}`)) untold.set(id, text);
});

/** The text of a field. What the core does not know is said to it.
 * @param {Node} node @param {string} input */
function standingIn(node, input) {
  const lost = untold.get(node.id);
  if (lost !== undefined && ui.isOld) return lost;
  untold.delete(node.id);
  if (lost !== undefined && lost !== textOf(node)) {
    later(node.id, () => act(node.id, "set_text", { [input]: lost }));
    flush(node.id);
    standing.set(node.id, lost);
  }
  const text = isWaiting(node.id) ? standing.get(node.id) ?? textOf(node) : textOf(node);
  standing.set(node.id, text);
  return text;
}

/** @param {Node} node @param {Record<string, any>} [props] */
export function field(node, props = {}) {
  const id = `field.${node.id}`;
  const input = node.offers?.[0]?.inputs?.[0] ?? "text";
  const kind = node.offers?.[0]?.kinds?.[0];
  const isLong = kind === "long_text";
  // It would be wrong as long as it is not complete.
  const isWhole = kind === "address";
  const text = isWhole ? textOf(node) : standingIn(node, input);
  const type = (/** @type {string} */ text) => {
    standing.set(node.id, text);
    if (untold.has(node.id)) untold.set(node.id, text);
    later(node.id, () => act(node.id, "set_text", { [input]: text }));
  };
  return h("div", { key: node.id, class: "field" },
    h("label", { for: id }, say(node.label)),
    h(isLong ? "textarea" : "input", {
      id, type: isLong ? null : "text", class: isLong ? "long" : null, autocomplete: "off", spellcheck: "false", dir: "auto", disabled: node.is_enabled === false, value: text,
      "aria-invalid": node.states?.includes("invalid") ? "true" : null, "aria-describedby": node.detail ? `about.${node.id}` : null,
      oninput: (/** @type {any} */ event) => !isWhole && type(event.target.value),
      onblur: () => flush(node.id), onchange: (/** @type {any} */ event) => (isWhole ? void act(node.id, "set_text", { [input]: event.target.value }) : flush(node.id)), ...focused(node), ...props,
    }),
    node.detail && h("small", { id: `about.${node.id}` }, say(node.detail)));
}

/** The focus goes where the core wants it once, when the field appears.
 * @param {Node} node */
export function focused(node) {
  if (!node.is_focused) return {};
  return { made: (/** @type {HTMLElement} */ element) => element.focus({ preventScroll: true }) };
}

/** One or more secrets that belong to one action, such as the present and the new passphrase.
 * @param {Node} node @param {string} [wanted] what a tool wants to be given: `secret` or `text` */
export function secretFields(node, wanted) {
  const offer = node.offers?.find(({ verb }) => verb === "set_secret");
  const inputs = offer?.inputs ?? [];
  /** @param {any} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    /** @type {Record<string, string>} */
    const references = {};
    for (const name of inputs) {
      const box = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
      const reference = await secret(box.value, true);
      if (!reference) return;
      references[name] = reference;
    }
    form.reset();
    await act(node.id, "set_secret", references);
  };
  const isRemoval = !!offer?.is_destructive;
  return h("form", { key: node.id, class: "field secret", onsubmit: submit },
    !isRemoval && h("span", { class: "field-name" }, say(node.label)),
    inputs.map((name) => {
      const label = plain(wanted ? node.label : name === "current" ? "page.passphrase.current" : node.id === "lock.passphrase" ? node.label : "page.passphrase.new");
      return h("input", { key: name, name, type: wanted === "text" ? "text" : "password", required: true, "aria-label": label, placeholder: label,
        autocomplete: wanted ? "off" : name === "current" || node.id === "lock.passphrase" ? "current-password" : "new-password", disabled: node.is_enabled === false, ...focused(node) });
    }),
    node.detail && h("small", null, say(node.detail)),
    inputs.length > 0 && button(isRemoval ? node.label : wanted ? "page.agent.give" : "page.save", () => {}, { type: "submit", class: isRemoval ? "small danger" : "small", disabled: node.is_enabled === false, "aria-busy": node.is_busy ? "true" : null }));
}

/** @type {Map<string, {timer: ReturnType<typeof setTimeout>, run: () => unknown}>} */
const waiting = new Map();
/** What was done last and has no answer yet.
 * @type {Map<string, unknown>} */
const underway = new Map();

/** Does it when there has been a pause.
 * @param {string} id @param {() => unknown} run may give a promise of the answer */
export function later(id, run) {
  clearTimeout(waiting.get(id)?.timer);
  waiting.set(id, { run, timer: setTimeout(() => flush(id), pause) });
}

/** Does now what waits for a pause.
 * @param {string} id */
export function flush(id) {
  const entry = waiting.get(id);
  if (!entry) return;
  clearTimeout(entry.timer);
  waiting.delete(id);
  const done = entry.run();
  if (!(done instanceof Promise)) return;
  underway.set(id, done);
  void done.finally(() => {
    if (underway.get(id) !== done) return;
    underway.delete(id);
    // The core may have said something else meanwhile.
    if (standing.has(id)) redraw();
  });
}

/** Gives up what waits.
 * @param {string} id */
export function forget(id) {
  clearTimeout(waiting.get(id)?.timer);
  waiting.delete(id);
}

/** Whether the core may not have heard yet of what was typed.
 * @param {string} id */
export const isWaiting = (id) => waiting.has(id) || underway.has(id);

/** Does now all that waits for a pause. */
export const flushAll = () => [...waiting.keys()].forEach(flush);

leaving.addEventListener("leaving", flushAll);
addEventListener("pagehide", flushAll);
