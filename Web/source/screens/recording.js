// What stands in the place of the composer while something is recorded. Loaded when somebody may want it.

import { h } from "../dom/h.js";
import { length } from "../words/times.js";
import { plain, say } from "../words/words.js";
import { iconButton } from "../parts/controls.js";
import { cancel, recordingIn, send } from "../parts/recorder.js";

export { record } from "../parts/recorder.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../parts/recorder.js").Recording} Recording */

/** @param {string} room @param {Node | undefined} status what the core says of it, once it has heard @param {Node | undefined} button */
export function recorder(room, status, button) {
  const recording = recordingIn(room);
  if (!recording) return undefined;
  const { since, levels, isReady, isFull, limit } = recording;
  const time = length(Math.min(performance.now() - since, limit ?? Infinity) / 1000);
  return h("div", { key: "recording", class: "box recording", role: "group", "aria-label": plain("chat.recording"),
    onkeydown: (/** @type {KeyboardEvent} */ event) => escape(event, recording) },
    iconButton("trash-2", "chat.recording.cancel", () => cancel(recording)),
    isFull ? null : h("span", { key: "dot", class: "recording-dot", "aria-hidden": "true" }),
    isReady ? h("span", { key: "time", class: "voice-time", role: "timer" }, time)
      : h("span", { key: "asking", class: "quiet recording-words", role: "status" }, say("chat.recording.asking")),
    isFull ? h("span", { key: "full", class: "quiet recording-words", role: "status" }, say(status?.label))
      : h("span", { key: "levels", class: "levels", "aria-hidden": "true" }, levels.map((level, index) => h("i", { key: String(index), style: { "--loudness": level.toFixed(2) } }))),
    iconButton("send-horizontal", "chat.recording.send", () => send(recording), { key: isReady ? "send" : "soon", class: "send", disabled: !isReady || isStopped(status, button), made: isReady ? focus : null }));
}

/** Whether the core has heard that the microphone is on, and still takes nothing.
 * @param {Node | undefined} status @param {Node | undefined} button */
const isStopped = (status, button) => !!status && !status.is_busy && button?.is_enabled === false;

/** What began it is gone; whoever used it goes on here.
 * @param {HTMLElement} button */
function focus(button) {
  const { activeElement } = document;
  if (activeElement === document.body || button.parentElement?.contains(activeElement)) button.focus();
}

/** @param {KeyboardEvent} event @param {Recording} recording */
function escape(event, recording) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  cancel(recording);
}
