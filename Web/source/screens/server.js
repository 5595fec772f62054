// The server where two people find each other, and whether it answers.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { button } from "../parts/controls.js";
import { group } from "../parts/group.js";
import { icon } from "../parts/icon.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} take */
export function server(take) {
  const form = serverForm(take("server"), take("server.check"), take("server.state"));
  const ice = take("ice");
  return group("settings-server", "settings.server", [form, ice && h("div", { key: "ice", class: "card-group" }, h("p", { class: "row quiet" }, say(ice.label)), ice.children?.map((node) => generic(node)))],
    "page.server.about", "server");
}

/** @param {Node | undefined} field @param {Node | undefined} check @param {Node | undefined} state */
export function serverForm(field, check, state) {
  if (!field || !check) return null;
  const address = textOf(field);
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem("url");
    if (box.value.trim() !== address) await act(field.id, "set_text", { url: box.value });
    await act(check.id);
  };
  return h("form", { key: field.id, class: "field server", onsubmit: submit },
    h("label", { for: `field.${field.id}` }, say("page.server.address")),
    h("div", { class: "server-line" },
      h("input", { id: `field.${field.id}`, name: "url", type: "text", inputmode: "url", autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr", required: true, value: address,
        onchange: (/** @type {any} */ event) => void act(field.id, "set_text", { url: event.target.value }) }),
      button("page.server.check", () => {}, { type: "submit", class: "small", "aria-label": plain(check.label), "aria-busy": check.is_busy ? "true" : null, "aria-disabled": check.is_busy ? "true" : null })),
    h("p", { class: "health", role: "status", "data-health": check.is_busy ? "asking" : state ? (state.facts?.failure ? "bad" : "good") : "" },
      check.is_busy ? say("page.server.asking") : state && [icon(state.facts?.failure ? "circle-alert" : "circle-check"), h("span", null, say(state.label)), state.at && h("time", { title: whole(state.at) }, short(state.at))]));
}
