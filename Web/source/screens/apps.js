// The apps: what is installed, in a grid; the windows that are open; and the ways to get another one.

import { act, redraw, toast, ui } from "../app.js";
import { h, memo } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { appPicture } from "../parts/app-picture.js";
import { iconButton, offered } from "../parts/controls.js";
import { droppedFolder, holdsFiles, pickFiles, takeFiles } from "../parts/given.js";
import { appLimits, packed } from "../parts/pack.js";
import { icon } from "../parts/icon.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

let isOver = false;

/** @param {Node} root */
export function apps(root) {
  const children = root.children ?? [];
  const [list, pick, empty, core] = ["apps.list", "apps.pick", "apps.empty", "apps.core"].map((id) => children.find((child) => child.id === id));
  const above = children.filter((child) => /^(apps\.(problem|core_warning|status|installation|retry|cancel)|link\.)/.test(child.id));
  const canTake = pick?.is_enabled !== false;
  return h("div", { key: "apps", class: isOver && canTake ? "apps over" : "apps", ondragover: over, ondragleave: left, ondrop: (/** @type {any} */ event) => drop(event, pick) },
    above.length > 0 && h("div", { key: "above", class: "apps-above card" }, above.map((child) => generic(child))),
    windows(root),
    empty && h("div", { key: "empty", class: "apps-empty" }, h("span", { class: "glyph" }, icon("layout-grid")), h("p", { class: "lead" }, say("page.apps.empty"))),
    h("ul", { key: "grid", class: "app-grid", "aria-label": plain(list?.label ?? "apps") }, list?.children?.map((app) => tile(app)),
      h("li", { key: "install", class: "app-tile install" }, h("button", { type: "button", disabled: !canTake, onclick: () => pick && pickFiles(pick) },
        h("span", { class: "app-picture" }, icon("plus")), h("b", null, say("install_app")), h("small", null, say("page.apps.drop"))))),
    core && h("div", { key: "core" }, offered(core, "quiet small", "cpu")));
}

const tile = memo((/** @type {Node} */ app) => {
  const open = app.children?.find((child) => child.id === `${app.id}.open`);
  const name = key("page.more.of", { name: { words: app.label } });
  return h("li", { key: app.id, class: "app-tile" },
    h("button", { type: "button", disabled: open?.is_enabled === false, "aria-busy": open?.is_busy || app.is_busy ? "true" : null, "aria-label": plain(open?.label ?? app.label),
      "aria-describedby": `about.${app.id}`, onclick: () => act(open?.id ?? app.id) },
      appPicture(app, app.label), h("b", null, say(app.label)), h("small", { id: `about.${app.id}` }, say(app.detail))),
    open && iconButton("ellipsis", name, () => act(app.id), { class: "app-more" }));
});

/** The windows that run. Each is a link, so that it can be shown again where the browser kept it from opening by itself.
 * @param {Node} root */
export function windows(root) {
  const list = find(root, "windows");
  if (!list) return null;
  return h("section", { key: "windows", class: "group", "aria-labelledby": "windows-name" },
    h("h2", { class: "group-name", id: "windows-name" }, say(list.label)),
    h("ul", { class: "card windows" }, list.children?.map((window) => {
      const close = window.children?.[0];
      const instance = window.facts?.window?.instance;
      return h("li", { key: window.id, class: "row" }, icon("app-window"),
        h("span", { class: "row-words" }, h("span", null, say(window.label)), h("small", null, say(window.detail))),
        instance && h("a", { class: "button small", href: addressOf(instance), target: "_blank", onclick: (/** @type {Event} */ event) => { event.preventDefault(); openWindow(instance); }, "aria-label": plain(key("page.apps.show.of", { name: { words: window.label } })) }, say("page.apps.show")),
        close && iconButton("x", close.label, () => act(close.id), { disabled: close.is_enabled === false }));
    })));
}

/** @param {any} event */
function over(event) {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  if (!isOver) { isOver = true; redraw(); }
}

/** @param {any} event */
function left(event) {
  if (event.currentTarget.contains(event.relatedTarget)) return;
  isOver = false;
  redraw();
}

/** @param {any} event @param {Node | undefined} pick */
function drop(event, pick) {
  event.preventDefault();
  isOver = false;
  redraw();
  if (!pick || pick.is_enabled === false) return;
  const folder = droppedFolder(event.dataTransfer);
  if (folder) void packed(folder, appLimits).then((file) => file ? takeFiles([file], pick) : toast(key("page.apps.folder.large", { limit: { bytes: appLimits.bytes } })));
  else void takeFiles([...event.dataTransfer.files].slice(0, 1), pick);
}

/** When this view asked for a window, as far as that was heeded.
 * @type {Set<number>} */
const heeded = new Set();

/** Shows a window that was asked for here, once. What was asked for before the page was loaded is not shown again.
 * @param {Node} root */
export function showWindows(root) {
  for (const { facts } of find(root, "windows")?.children ?? []) {
    const { instance, asked } = facts?.window ?? {};
    if (!asked || heeded.has(asked)) continue;
    heeded.add(asked);
    if (ui.expectsWindow && instance) openWindow(instance);
    ui.expectsWindow = false;
  }
}

/** @param {string} instance */
const addressOf = (instance) => `/windows/${instance}`;

/** The way back is cut here: of a window with `noopener` WebKit says that another site asks for it.
 * @param {string} instance */
function openWindow(instance) {
  const opened = window.open("about:blank");
  if (!opened) return;
  opened.opener = null;
  opened.location.href = addressOf(instance);
}
