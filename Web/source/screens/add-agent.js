// Another agent: a model server, one on another machine, or a program of this one. About a program the person is asked on the desktop, because
// whatever got into a page could press its buttons.

import { act, connection, copy, redraw, secret } from "../app.js";
import { h } from "../dom/h.js";
import { find, textOf } from "../protocol/tree.js";
import { key as words, plain, say } from "../words/words.js";
import { button, iconButton } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { icon } from "../parts/icon.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @typedef {(name: string) => Node | undefined} Part */

/** What can be added, by the name of its section: what it is called, its fields, and the button that adds it.
 * @type {Record<string, { label: import("../words/words.js").Words, fields: (part: Part) => any[], add: string }>} */
const kinds = {
  as_server: { label: "page.agent.server", add: "server", fields: (part) => [
    box(part("url"), { required: true, inputmode: "url", placeholder: "http://127.0.0.1:11434", ...code }), box(part("model"), code), key(part("key"))] },
  as_gateway: { label: "page.agent.gateway", add: "pair", fields: (part) => [
    box(part("gateway"), { required: true, placeholder: "jcode://pair?host=…&code=…&fp=…", ...code }), box(part("code"), { inputmode: "numeric", ...code }), toggle(part("plain"))] },
  as_program: { label: "page.agent.program", add: "program", fields: (part) => [
    box(part("command"), { required: true, placeholder: "opencode acp", ...code }), toggle(part("sandbox")), toggle(part("network"))] },
};
/** The one that is chosen. */
let chosen = "as_server";

/** @param {Node} root */
export function addAgent(root) {
  const part = (/** @type {string} */ name) => find(root, `add_agent.${name}`);
  const kind = kinds[chosen];
  const [name, add] = [part("name"), part(kind.add)];
  if (!name || !add) return null;
  return h("form", { key: root.id, class: "sheet add-agent", onsubmit: (/** @type {Event} */ event) => void submit(event, add) },
    h("div", { key: "kinds", class: "segments", role: "radiogroup", "aria-label": plain(root.label) }, Object.entries(kinds).map(([kind, { label }]) => h("button", {
      key: kind, type: "button", role: "radio", "aria-checked": String(kind === chosen),
      onclick: () => {
        chosen = kind;
        redraw();
      },
    }, say(label)))),
    h("section", { key: chosen, class: "group", "aria-label": plain(part(chosen)?.label) },
      h("p", { key: "about", class: "quiet" }, say(chosen === "as_program" ? "page.agent.asks" : part(chosen)?.label)),
      h("div", { key: "card", class: "card" }, box(name, { required: true, maxlength: 256 }), kind.fields(part))),
    h("div", { key: "actions", class: "actions" },
      button(add.label, () => {}, { type: "submit", class: "primary", "aria-busy": add.is_busy ? "true" : null, "aria-disabled": add.is_busy ? "true" : null }, "plus")),
    proposal(part("proposal")));
}

/** What is no sentence. */
const code = { autocapitalize: "none", dir: "ltr" };

/** @param {Node | undefined} node @param {Record<string, any>} props */
const box = (node, props) => node && field(node, props);

/** @param {Node | undefined} node */
const toggle = (node) => node && generic(node);

/** What is typed here goes to the host when the server is added, and no earlier.
 * @param {Node | undefined} node */
const key = (node) => node && h("div", { key: node.id, class: "field" }, h("label", { for: "add-agent-key" }, say(node.label)),
  h("input", { id: "add-agent-key", name: "key", type: "password", autocomplete: "new-password", "aria-describedby": "add-agent-key-about" }),
  h("small", { id: "add-agent-key-about" }, say(node.detail)));

/** @param {Event} event @param {Node} add */
async function submit(event, add) {
  event.preventDefault();
  if (add.is_busy) return;
  const fields = /** @type {HTMLFormElement} */ (event.currentTarget).elements;
  for (const { id } of fields) if (id.startsWith("field.")) flush(id.slice(6));
  const typed = /** @type {HTMLInputElement | null} */ (fields.namedItem("key"))?.value;
  if (!typed) {
    await act(add.id);
    return;
  }
  const text = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (document.getElementById(`field.add_agent.${name}`)).value;
  const [name, url, model] = ["name", "url", "model"].map(text);
  const reference = await secret(typed, false);
  // A server is not added without the key that stands there.
  if (reference) await connection.dispatch({ type: "add_model", name, url, model: model || undefined, key: reference });
}

/** That the desktop asks, or how a terminal does it where none can.
 * @param {Node | undefined} node */
function proposal(node) {
  if (!node || chosen !== "as_program") return null;
  const command = textOf(node);
  return h("div", { key: node.id, class: "banner", role: "status" }, icon(command ? "terminal" : "bell"), h("div", { class: "banner-words" }, say(node.label),
    command && h("span", { class: "command-line" }, h("code", { dir: "ltr" }, command), iconButton("copy", words("page.copy.command", { command: { said: command } }), () => void copy(command)))));
}
