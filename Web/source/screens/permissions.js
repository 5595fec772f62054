// What an app may do: a line for each permission, with what it is, how much of it, and a switch.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { appPicture } from "../parts/app-picture.js";
import { banner } from "../parts/banner.js";
import { button } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { value } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @type {[RegExp, import("../parts/icon.js").Name][]} */
const pictures = [
  [/storage/, "folder"], [/network|connectivity/, "globe"], [/\.log$/, "scroll-text"], [/rpc/, "puzzle"], [/openURL/, "external-link"],
  [/notifications/, "bell"], [/clipboard/, "clipboard"], [/cameras?/, "camera"], [/microphones?/, "mic"], [/mail/, "mail"], [/keyrings?/, "key-round"],
  [/screens/, "monitor"], [/system/, "settings"],
];

/** @param {string} id */
const picture = (id) => pictures.find(([pattern]) => pattern.test(id))?.[1] ?? "shield";

/** @param {Node} section */
export function permissions(section) {
  return h("section", { key: section.id, class: "group", "aria-labelledby": `name.${section.id}` },
    h("h2", { class: "group-name", id: `name.${section.id}` }, say(section.label)), h("div", { class: "card" }, section.children?.map(line)));
}

/** @param {Node} node */
function line(node) {
  const words = [icon(picture(node.id)), h("span", { class: "row-words" }, h("span", null, say(node.label)), node.detail && h("small", null, say(node.detail)))];
  if (node.role !== "toggle") return h("div", { key: node.id, class: "row permission" }, words);
  return h("button", { key: node.id, type: "button", class: "row permission", role: "switch", "aria-checked": String(!!node.is_selected), "aria-busy": node.is_busy ? "true" : null,
    disabled: node.is_enabled === false, onclick: () => act(node.id) }, words, h("span", { class: "switch", "aria-hidden": "true" }));
}

/** The question what an app may do that is about to be installed.
 * @param {Node} root */
export function install(root) {
  const children = root.children ?? [];
  /** @param {string} name */
  const child = (name) => children.find(({ id }) => id === `install_app.${name}`);
  const [status, progress, version, source, about, may, decided, harmless, accept, decline, none] =
    ["status", "progress", "version", "source", "about", "may", "decided", "harmless", "accept", "decline", "none"].map(child);
  const warnings = children.filter(({ id }) => /^install_app\.(problem|warning\.)/.test(id));
  const name = typeof root.label === "object" && "args" in root.label ? root.label.args?.title : undefined;
  const title = name?.said ? { said: name.said } : root.label;
  return h("div", { key: "install_app", class: "sheet install-sheet" }, h("div", { class: "card" },
    h("header", { class: "app-head" }, appPicture(version ?? root, title, "large"),
      h("div", null, h("h2", null, say(title)), version && h("p", { class: "quiet" }, value(version)), version && h("p", { class: "quiet" }, say(version.label)))),
    about?.value && h("p", { class: "install-about" }, value(about)),
    status?.is_busy && h("p", { class: "install-about", role: "status" }, say(status.label), h("span", { class: "busy" })),
    progress && h("div", { class: "row" }, value(progress)),
    warnings.map(banner), none && h("p", { class: "install-about" }, say(none.label)),
    (may || harmless) && h("p", { class: "install-about quiet" }, say("page.apps.sandbox")),
    harmless && h("p", { class: "install-about" }, say(harmless.label)),
    may?.children?.map(line), decided?.children?.map(line),
    source && h("details", { class: "install-about" }, h("summary", null, say(source.label)), value(source)),
    h("div", { class: "actions" }, decline && button(decline.label, () => act(decline.id), { class: "quiet" }),
      accept && button(accept.label, () => act(accept.id), { class: "primary" }))));
}
