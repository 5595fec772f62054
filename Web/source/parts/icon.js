import { h } from "../dom/h.js";
import { icons } from "../../../.build/page/icons.js";

/** @param {string} name of Lucide @param {string} [label] what it says, if nothing beside it does */
export function icon(name, label) {
  const shapes = icons[name] ?? [];
  return h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": label ? null : "true", role: label ? "img" : null, "aria-label": label },
    shapes.map(([tag, attributes]) => h(tag, attributes)));
}
