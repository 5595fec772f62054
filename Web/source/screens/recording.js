// What stands in the place of the composer while something is recorded.

import { h } from "../dom/h.js";
import { length } from "../words/times.js";
import { plain, say } from "../words/words.js";
import { iconButton } from "../parts/controls.js";

/** @param {import("../parts/recorder.js").Recording} recording */
export function recorder({ since, levels, isReady, stop }) {
  return h("div", { key: "recording", class: "box recording", role: "group", "aria-label": plain("page.voice.recording"),
    onkeydown: (/** @type {KeyboardEvent} */ event) => escape(event, stop) },
    iconButton("trash-2", "page.voice.cancel", () => stop(false)),
    h("span", { class: "recording-dot", "aria-hidden": "true" }),
    isReady ? h("span", { key: "time", class: "voice-time", role: "timer" }, length((Date.now() - since) / 1000))
      : h("span", { key: "asking", class: "quiet", role: "status" }, say("page.voice.asking")),
    h("span", { key: "levels", class: "levels", "aria-hidden": "true" }, levels.map((level, index) => h("i", { key: String(index), style: { "--loudness": level.toFixed(2) } }))),
    iconButton("send-horizontal", "page.voice.send", () => stop(true), { key: isReady ? "send" : "soon", class: "send", disabled: !isReady, made: isReady ? focus : null }));
}

/** What began it is gone; whoever used it goes on here.
 * @param {HTMLElement} button */
function focus(button) {
  const { activeElement } = document;
  if (activeElement === document.body || button.parentElement?.contains(activeElement)) button.focus();
}

/** @param {KeyboardEvent} event @param {(isWanted: boolean) => void} stop */
function escape(event, stop) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  stop(false);
}
