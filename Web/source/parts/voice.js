// A voice message: play, the picture of its sound to go to any place of it, its time, its speed.

import { redraw } from "../app.js";
import { h } from "../dom/h.js";
import { length } from "../words/times.js";
import { key, plain, say } from "../words/words.js";
import { isChord } from "./composing.js";
import { iconButton } from "./controls.js";
import { acceptOf, isHere } from "./files.js";
import { nextRate, playingOf, receive, seek, toggle } from "./player.js";
import { ring } from "./ring.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("./player.js").Playing} Playing */

const bars = 44;
/** Seconds that an arrow key goes. */
const step = 2;

/** @param {Node} node @param {Playing | undefined} playing @param {import("./picture.js").State} state @param {import("../dom/h.js").Element_ | null} answers */
export function voice(node, playing, state, answers) {
  const seconds = (node.facts?.media?.duration ?? 0) / 1000;
  const { progress, cancel, rest } = state;
  const accept = acceptOf(node);
  return h("div", { class: "voice-message" },
    h("div", { class: "voice" },
      progress && !isHere(node) ? [ring(progress, rest ?? cancel), rest && cancel && iconButton("x", cancel.label, cancel.act, { key: "cancel" })]
        : iconButton(playing?.isPlaying ? "pause" : "play", playing?.isPlaying ? "page.voice.pause" : "page.voice.play",
          () => (isHere(node) ? toggle(node) : accept && receive(node.id, accept)), { key: "play", class: "round-button", disabled: !isHere(node) && !accept }),
      track(node, playing, seconds),
      h("span", { key: "time", class: "voice-time" }, length(playing && (playing.isPlaying || playing.time > 0) ? playing.time : Math.round(seconds))),
      isHere(node) && h("button", { key: "rate", type: "button", class: "voice-rate", "aria-label": plain(key("page.voice.rate", { rate: { said: rateText(playing?.rate ?? 1) } })), onclick: faster, hidden: !playing }, rateText(playing?.rate ?? 1))),
    playing?.isBroken && h("small", { key: "broken", class: "quiet", role: "alert" }, say("page.voice.broken")),
    answers);
}

function faster() {
  nextRate();
  redraw();
}

/** @param {number} rate */
const rateText = (rate) => `${rate}×`;

/** The sound as bars; those that were heard stand out.
 * @param {Node} node @param {Playing | undefined} playing @param {number} seconds */
function track(node, playing, seconds) {
  const heard = playing && seconds > 0 ? playing.time / seconds : 0;
  const drawn = loudness(node.facts?.media?.waveform ?? []).map((value, index) =>
    h("i", { key: String(index), class: index < heard * bars ? "heard" : null, style: { "--loudness": value.toFixed(2) } }));
  if (!isHere(node)) return h("span", { key: "track", class: "waveform", "aria-hidden": "true" }, drawn);
  const time = playing?.time ?? 0;
  return h("span", {
    key: "track", class: "waveform", role: "slider", tabindex: 0, "aria-label": plain("page.voice.place"), "aria-valuemin": 0,
    "aria-valuemax": Math.round(seconds), "aria-valuenow": Math.round(time), "aria-valuetext": `${length(time)} / ${length(seconds)}`,
    onkeydown: (/** @type {KeyboardEvent} */ event) => keys(event, node, seconds),
    onpointerdown: (/** @type {PointerEvent} */ event) => drag(event, node, seconds), onpointermove: (/** @type {PointerEvent} */ event) => event.buttons === 1 && drag(event, node, seconds),
  }, drawn);
}

/** @param {PointerEvent} event @param {Node} node @param {number} seconds */
function drag(event, node, seconds) {
  const element = /** @type {HTMLElement} */ (event.currentTarget);
  const box = element.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  element.setPointerCapture(event.pointerId);
  seek(node, seconds * (document.dir === "rtl" ? 1 - share : share));
}

/** @param {KeyboardEvent} event @param {Node} node @param {number} seconds */
function keys(event, node, seconds) {
  if (isChord(event)) return;
  // Keys may come faster than pictures.
  const time = playingOf(node.id)?.time ?? 0;
  const forth = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (event.key === " " || event.key === "Enter") toggle(node);
  else if (event.key === forth || event.key === "ArrowUp") seek(node, time + step);
  else if (event.key === back || event.key === "ArrowDown") seek(node, time - step);
  else if (event.key === "Home") seek(node, 0);
  else if (event.key === "End") seek(node, seconds);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** As many values as there are bars, from 0 to 1: of each stretch the loudest.
 * @param {number[]} values */
function loudness(values) {
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * values.length) / bars);
    const stretch = values.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * values.length) / bars)));
    return Math.max(0, ...stretch) / 255;
  });
}
