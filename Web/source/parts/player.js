// Plays voice messages, one at a time.

import { act, redraw, trees, ui } from "../app.js";
import { find } from "../protocol/tree.js";
import { address, isHere } from "./files.js";

/** @typedef {import("../protocol/types").Node} Node */
/** A voice message that plays or pauses; seconds.
 * @typedef {{id: string, time: number, duration: number, rate: number, isPlaying: boolean, isBroken: boolean}} Playing */

const rates = [1, 1.5, 2];

/** @type {Playing | undefined} */
let playing;
/** @type {HTMLAudioElement | undefined} */
let audio;
let rate = 1;

/** @param {string} id @returns {Playing | undefined} */
export const playingOf = (id) => (playing?.id === id ? playing : undefined);

/** @param {Partial<Playing>} change */
function become(change) {
  if (!playing) return;
  playing = { ...playing, ...change };
  redraw();
}

/** Plays a message, or lets it pause.
 * @param {Node} node */
export function toggle(node) {
  if (playing?.id !== node.id) load(node);
  if (playing?.isPlaying) audio?.pause();
  else void audio?.play().catch(() => become({ isPlaying: false }));
}

/** The message that is played as soon as it is here. */
let awaited = "";

/** Has a message come, and plays it then, unless somebody plays another one meanwhile.
 * @param {string} id @param {string} accept */
export function receive(id, accept) {
  awaited = id;
  void act(accept);
}

trees.addEventListener("tree", () => {
  const node = awaited ? find(ui.root, awaited) : undefined;
  const isThere = !!node && isHere(node);
  // It may be given up, or its conversation is not on the screen any more.
  if (!node || isThere || /^(cancelled|declined|failed)$/.test(node.facts?.transfer ?? "")) awaited = "";
  if (isThere) toggle(node);
});

/** Goes to a time of a message, in seconds.
 * @param {Node} node @param {number} time */
export function seek(node, time) {
  if (playing?.id !== node.id) load(node);
  if (!audio || !playing) return;
  audio.currentTime = Math.min(Math.max(time, 0), playing.duration);
  become({ time: audio.currentTime });
}

/** The next speed, for all messages. */
export function nextRate() {
  rate = rates[(rates.indexOf(rate) + 1) % rates.length];
  if (audio) audio.playbackRate = rate;
  become({ rate });
}

/** Lets go of what plays: its conversation is not on the screen any more. */
export function stopPlaying() {
  audio?.pause();
  audio?.removeAttribute("src");
  audio = playing = undefined;
  awaited = "";
}

/** @param {Node} node */
function load(node) {
  stopPlaying();
  const sound = new Audio();
  audio = sound;
  playing = { id: node.id, time: 0, duration: (node.facts?.media?.duration ?? 0) / 1000, rate, isPlaying: false, isBroken: false };
  sound.preload = "auto";
  sound.src = address(node);
  sound.defaultPlaybackRate = rate;
  sound.playbackRate = rate;
  /** @param {Partial<Playing>} change */
  const hear = (change) => audio === sound && become(change);
  sound.onplay = () => hear({ isPlaying: true });
  sound.onpause = () => hear({ isPlaying: false });
  sound.ontimeupdate = () => hear({ time: Math.min(sound.currentTime, playing?.duration ?? 0) });
  sound.onerror = () => hear({ isPlaying: false, isBroken: true });
  sound.onended = () => {
    sound.currentTime = 0;
    hear({ isPlaying: false, time: 0 });
  };
}
