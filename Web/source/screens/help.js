// The sheet of keys: those of the place where one is come first.

import { ui } from "../app.js";
import { h } from "../dom/h.js";
import { keyName } from "../words/keys.js";
import { say } from "../words/words.js";
import { iconButton } from "../parts/controls.js";
import { closeSheet, dialog } from "../parts/layers.js";
import { shortcuts } from "./shortcuts.js";

export function help() {
  const places = Object.values(shortcuts);
  const isHere = (/** @type {import("./shortcuts.js").Place} */ { screens }) => screens.test(ui.root?.id ?? "");
  return dialog("help", [
    h("header", null, h("h2", { id: "help-title" }, say("page.help")), iconButton("x", "page.close", closeSheet)),
    h("div", { class: "help-places" }, [...places.filter(isHere), ...places.filter((place) => !isHere(place))].map(({ label, rows }) =>
      h("section", { key: label, "aria-labelledby": `help.${label}` }, h("h3", { id: `help.${label}` }, say(label)),
        h("dl", null, rows.map(([does, ...ways]) => h("div", { key: does }, h("dt", null, say(does)),
          h("dd", { dir: "ltr" }, ways.map((keys) => h("span", null, keys.map((name) => h("kbd", null, keyName(name))))))))))))
  ], { class: "help", "aria-labelledby": "help-title" }, closeSheet);
}
