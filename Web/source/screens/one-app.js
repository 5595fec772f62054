// One app: what it is, what runs of it, what it may do, what it said.

import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { time, whole } from "../words/times.js";
import { appPicture } from "../parts/app-picture.js";
import { offered } from "../parts/controls.js";
import { windows } from "./apps.js";
import { generic, value } from "./generic.js";
import { permissions } from "./permissions.js";

/** @typedef {import("../protocol/types").Node} Node */

const drawn = /^app\.(title|about|version|open(\.\d+)?|run|stop|may|commands|parameters|log|remove)$/;

/** @param {Node} root */
export function oneApp(root) {
  const children = root.children ?? [];
  /** @param {string} id */
  const child = (id) => children.find((node) => node.id === id);
  const [about, version, run, stop, may, commands, log, remove] =
    ["app.about", "app.version", "app.run", "app.stop", "app.may", "app.commands", "app.log", "app.remove"].map(child);
  const opens = children.filter(({ id }) => /^app\.open(\.\d+)?$/.test(id));
  const rest = children.filter(({ id }) => !drawn.test(id) && !["back", "notices", "offline", "storage", "windows", "rooms.beside", "palette"].includes(id));
  return h("div", { key: "app", class: "sheet" },
    h("header", { key: "what", class: "app-head" }, appPicture(version ?? root, root.label, "large"),
      h("div", null, about?.value && h("p", null, value(about)),
        version && h("p", { class: "quiet" }, say(version.label), " · ", value(version)))),
    h("div", { key: "run", class: "actions" }, opens.map((node, index) => offered(node, index ? "" : "primary", "app-window")),
      run && offered(run, opens.length ? "" : "primary", "play"), stop && offered(stop, "", "square")),
    windows(root),
    rest.filter(({ id }) => id !== "app.background").map((node) => (node.role === "list" || node.role === "section" ? generic(node) : h("div", { key: `card.${node.id}`, class: "card" }, generic(node)))),
    may && permissions(may),
    commands && h("details", { key: "commands" }, h("summary", null, say(commands.label)), h("div", { class: "card" }, commands.children?.map((node) => generic(node)))),
    rest.filter(({ id }) => id === "app.background").map((node) => generic(node)),
    h("div", { key: "end", class: "card" }, [log, remove].map((node) => node && generic(node))));
}

/** What an app said, and what it was denied.
 * @param {Node} root */
export function appLog(root) {
  const children = root.children ?? [];
  const [denied, lines, empty, clear] = ["app_log.denied", "app_log.lines", "app_log.empty", "app_log.clear"].map((id) => children.find((node) => node.id === id));
  return h("div", { key: "app_log", class: "sheet" }, denied && generic(denied),
    lines && h("section", { key: "lines", class: "group", "aria-labelledby": "lines-name" }, h("h2", { class: "group-name", id: "lines-name" }, say(lines.label)),
      h("ol", { class: "card app-log" }, lines.children?.map((line) => h("li", { key: line.id },
        line.at && h("time", { title: whole(line.at) }, time(line.at)), h("span", null, h("bdi", null, say(line.label)), line.detail && h("small", null, say(line.detail))))))),
    empty && h("p", { key: "none", class: "quiet" }, say(empty.label)), clear && h("div", { key: "clear" }, offered(clear, "", "trash-2")));
}
