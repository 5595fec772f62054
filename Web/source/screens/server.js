// The server where two people find each other, and whether it answers.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { plain, say } from "../words/words.js";
import { short, whole } from "../words/times.js";
import { button } from "../parts/controls.js";
import { group } from "../parts/group.js";
import { icon } from "../parts/icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} take */
export function server(take) {
  return group("settings-server", "settings.server", [serverForm(take("server"), take("server.check"), take("server.state"))], "page.server.about", "server");
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
    health(state, !!check.is_busy));
}

/** How a server was when it was asked last.
 * @param {Node | undefined} state @param {boolean} isAsked */
export function health(state, isAsked) {
  return h("p", { class: "health", role: "status", "data-health": isAsked ? "asking" : state ? (state.facts?.failure ? "bad" : "good") : "" },
    isAsked ? say("page.server.asking") : state && [icon(state.facts?.failure ? "circle-alert" : "circle-check"), h("span", null, say(state.label)), state.at && h("time", { title: whole(state.at) }, short(state.at))]);
}
