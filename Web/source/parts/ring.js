import { h } from "../dom/h.js";
import { plain } from "../words/words.js";
import { icon } from "./icon.js";

/** @typedef {import("../words/words.js").Words} Words */

/** What can be done about it: give it up, let it rest, go on.
 * @typedef {{label: Words, icon: import("./icon.js").Name, act: () => void}} Control */

/** How far something is, as a ring; with a button in it if something can be done about it.
 * @param {{done: number, total: number}} progress @param {Control | undefined} control */
export function ring({ done, total }, control) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const round = 2 * Math.PI * 15;
  const drawn = h("svg", { viewBox: "0 0 36 36", class: "ring", "aria-hidden": "true" }, h("circle", { cx: 18, cy: 18, r: 15 }),
    h("circle", { cx: 18, cy: 18, r: 15, class: "done", "stroke-dasharray": `${share * round} ${round}` }));
  const text = `${Math.floor(share * 100)} %`;
  if (!control) {
    return h("span", { key: "progress", class: "ring-frame", role: "progressbar", "aria-label": text, "aria-valuenow": Math.floor(share * 100), "aria-valuemin": 0, "aria-valuemax": 100, title: text }, drawn);
  }
  const label = `${plain(control.label)} (${text})`;
  return h("button", { key: "control", type: "button", class: "ring-frame", title: label, "aria-label": label, onclick: control.act }, drawn, icon(control.icon));
}
