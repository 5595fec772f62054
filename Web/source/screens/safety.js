// Sixty digits that both see if nobody sits in between: large enough to be read out, and as a code to hold side by side.

import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { act } from "../app.js";
import { button, press } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { qrCode } from "../parts/qr.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Groups of five in rows of four.
 * @param {string} number */
export function digits(number) {
  const groups = number.split(/\s+/).filter(Boolean);
  return h("div", { class: "digit-groups", dir: "ltr", role: "img", "aria-label": groups.join(" ") }, groups.map((group, index) => h("span", { key: String(index), "aria-hidden": "true" }, group)));
}

/** @param {Node} root */
export function safetyNumber(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `safety_number.${name}`);
  const number = part("digits");
  const [none, state, same, different] = ["none", "state", "same", "different"].map(part);
  if (!number?.value || !("text" in number.value)) return h("div", { key: root.id, class: "centred" }, h("span", { class: "glyph" }, icon("unplug")), h("p", { class: "quiet" }, say(none?.label)));
  const text = number.value.text;
  const words = state?.value && "words" in state.value ? state.value.words : undefined;
  const isVerified = words === "verification.words" || words === "verification.compared";
  return h("div", { key: root.id, class: "centred safety" },
    h("p", { class: "lead" }, say(part("about")?.label)),
    h("div", { class: "comparison card" }, digits(text), qrCode(text.replace(/\s/g, ""), "page.safety.qr")),
    h("p", { class: isVerified ? "verdict good" : "verdict", role: "status" }, icon(isVerified ? "shield-check" : "shield-alert"), h("span", null, say(words))),
    h("div", { class: "actions" },
      same && button(same.label, () => void act(same.id), { class: "primary", disabled: same.is_enabled === false }, "check"),
      different && button(different.label, () => press(different, "page.safety.different"), { class: "danger", disabled: different.is_enabled === false, "aria-label": plain(different.label) }, "x")));
}
