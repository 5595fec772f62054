// What the profile takes of the disk, as one bar and in words.

import { copy } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { say, size } from "../words/words.js";
import { iconButton } from "../parts/controls.js";
import { group } from "../parts/group.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} take */
export function storage(take) {
  const node = take("storage");
  const parts = (node?.children ?? []).filter(({ facts }) => facts?.bytes !== undefined);
  const folder = node?.children?.find(({ id }) => id === "settings.storage.folder");
  const path = textOf(folder);
  const whole = parts.reduce((sum, { facts }) => sum + (facts?.bytes ?? 0), 0);
  return group("settings-storage", "settings.storage", [
    h("div", { key: "usage", class: "usage" },
      h("div", { class: "usage-bar", "aria-hidden": "true" }, parts.map(({ id, facts }, index) => h("i", { key: id, class: `part-${index}`, style: { "flex-grow": (facts?.bytes ?? 0) / Math.max(1, whole) } }))),
      h("dl", { class: "usage-parts" }, parts.map(({ id, label, facts }, index) => h("div", { key: id }, h("dt", null, h("i", { class: `part-${index}`, "aria-hidden": "true" }), h("span", null, say(label))), h("dd", null, size(facts?.bytes ?? 0)))))),
    folder && h("div", { key: folder.id, class: "row command" }, h("span", { class: "row-words" }, say(folder.label)),
      h("span", { class: "command-line" }, h("code", { dir: "ltr" }, path), iconButton("copy", { key: "page.copy.command", args: { command: { said: path } } }, () => copy(path)))),
  ], undefined, "hard-drive");
}
