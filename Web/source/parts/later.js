// What the page loads after it was drawn.

import { redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { say } from "../words/words.js";
import { button } from "./controls.js";
import { closeSheet, dialog } from "./layers.js";
import { Part } from "./part.js";

const part = new Part(() => import("../screens/further.js"));

/** The screens that come later, by their ids. */
export const isFurther = /^(a(dd_agent|gent_log)|app(_log)?|circle|install_app|member|revoke|room_settings|safety_number|settings|summary)$/;

export const load = () => void part.bring();

/** One of them, in a moment.
 * @param {import("../protocol/types").Node} root */
export function further(root) {
  load();
  return part.loaded ? part.loaded.screens[root.id](root) : part.isMissing ? missing() : h("div", { key: "comes", "aria-busy": "true" });
}

/** The message to which somebody chooses another reaction. */
let message = "";

/** @param {string} id of a message */
export function chooseReaction(id) {
  // The focus goes back there: the buttons of a message are only shown while it has the focus.
  document.getElementById(id)?.focus({ preventScroll: true });
  [message, ui.sheet] = [id, "reactions"];
  redraw();
}

/** The sheet that is open, in a moment. */
export function sheet() {
  if (!ui.sheet || ui.sheet === "palette") return null;
  load();
  return part.loaded ? part.loaded.sheets[ui.sheet](message) : part.isMissing && dialog("missing", [missing()], {}, closeSheet);
}

/** Stands in the place of what does not come. */
export const missing = () => h("div", { key: "missing", class: "centred", role: "alert" },
  h("p", null, say("page.missing")), button("page.missing.load", () => location.reload(), { class: "primary" }));
