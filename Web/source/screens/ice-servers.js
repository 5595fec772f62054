// The STUN and TURN servers that help new connections find a path: how they are, and how one is added or taken away.

import { act, secret } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { button, iconButton, press } from "../parts/controls.js";
import { group } from "../parts/group.js";
import { health } from "./server.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} take */
export function iceServers(take) {
  const children = take("ice")?.children ?? [];
  const [about, check, add] = ["about", "check", "add"].map((name) => children.find(({ id }) => id === `settings.ice.${name}`));
  const servers = children.filter(({ role }) => role === "item");
  return group("settings-ice", "settings.ice", [
    servers.length > 0 && h("ul", { key: "servers", class: "card-group" }, servers.map(line)),
    check && h("div", { key: check.id, class: "row" },
      button("page.server.check", () => act(check.id), { class: "small", "aria-label": plain(check.label), "aria-busy": check.is_busy ? "true" : null, "aria-disabled": check.is_busy ? "true" : null })),
    add && form(add, servers),
  ], about?.label, "globe");
}

/** @param {Node} node */
function line(node) {
  const state = node.children?.find(({ role }) => role === "status");
  const remove = removal(node);
  return h("li", { key: node.id, class: "row ice-server" },
    h("div", { class: "row-words" }, h("span", { dir: "ltr" }, say(node.label)), node.detail && h("small", null, say(node.detail)), health(state, !!state?.is_busy)),
    remove && iconButton("trash-2", remove.label, () => press(remove, "page.ice.remove.about")));
}

/** Only what was added here can be taken away here.
 * @param {Node} node */
const removal = (node) => node.children?.find(({ role }) => role === "button");

/** What was handed to the core, which may refuse it, when, and the servers that there were.
 * @type {{ url: string, time: number, ids: string[] } | undefined} */
let handed;
/** How many of those it took. */
let taken = 0;

/** What is typed stays until what was handed over is among the servers: then another form stands in its place. Other windows add and
 * remove some, too.
 * @param {Node} node @param {Node[]} servers */
function form(node, servers) {
  const { url, time, ids } = handed ?? { url: "", time: -Infinity, ids: [] };
  const isTaken = handed && servers.some((server) => !ids.includes(server.id) && plain(server.label).toLowerCase() === plain({ said: url }));
  if (isTaken) {
    taken += 1;
    handed = undefined;
  }
  /** @param {string} name @param {import("../words/words.js").Words} label @param {Record<string, any>} props */
  const box = (name, label, props) => h("div", { key: name }, h("label", { for: `ice.${name}` }, say(label)),
    h("input", { id: `ice.${name}`, name, type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr", disabled: node.is_enabled === false, ...props }));
  const focus = (/** @type {HTMLElement} */ element) => {
    if (isTaken && performance.now() - time < 3000) element.focus({ preventScroll: true });
  };
  return h("form", { key: `${node.id}.${taken}`, class: "field ice-form", "aria-label": plain(node.label), onsubmit: (/** @type {Event} */ event) => submit(event, node, servers) },
    box("url", "page.ice.address", { required: true, inputmode: "url", placeholder: "turn:turn.example.org:3478", made: focus }),
    h("div", { class: "ice-access" }, box("username", "page.ice.user", {}), box("credential", "page.ice.password", { type: "password", autocomplete: "new-password" })),
    button("page.ice.add", () => {}, { type: "submit", class: "small", "aria-label": plain(node.label), disabled: node.is_enabled === false }));
}

/** @param {Event} event @param {Node} node @param {Node[]} servers */
async function submit(event, node, servers) {
  event.preventDefault();
  const boxes = /** @type {HTMLFormElement} */ (event.currentTarget).elements;
  const [url, username, password] = ["url", "username", "credential"].map((name) => /** @type {HTMLInputElement} */ (boxes.namedItem(name)).value);
  const reference = password ? await secret(password, false) : undefined;
  if (password && !reference) return;
  handed = { url: url.trim().toLowerCase(), time: performance.now(), ids: servers.map(({ id }) => id) };
  await act(node.id, "set_secret", { url, username, ...(reference && { credential: reference }) });
}
