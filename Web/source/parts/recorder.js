// Records a voice message with the microphone.

import { redraw, toast } from "../app.js";
import { giveTo } from "./uploads.js";

/** @typedef {{room: string, since: number, levels: number[], isReady: boolean, stop: (isWanted: boolean) => void}} Recording */

const kinds = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
/** Milliseconds of one message. */
export const longest = 15 * 60_000;
/** Milliseconds between two looks at how loud it is. */
const pace = 60;
/** Levels that are drawn. */
const shown = 60;
/** Values of the picture of a sound, from 0 to 255. */
const values = 120;
/** Samples a second are enough for the picture. */
const pictureRate = 8000;

/** @type {Recording | undefined} */
let recording;

/** What is recorded in a room.
 * @param {string} room */
export const recordingIn = (room) => (recording?.room === room ? recording : undefined);

/** @param {string} room */
export async function record(room) {
  if (recording) return;
  const mine = { room, since: Date.now(), levels: /** @type {number[]} */ ([]), isReady: false, stop: () => finish(mine) };
  recording = mine;
  redraw();
  /** @type {MediaStream | undefined} */
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    if (recording === mine) begin(mine, stream);
    else release(stream);
  } catch (error) {
    // A browser may have a microphone, and nothing to record with.
    if (stream) release(stream);
    finish(mine);
    const name = error instanceof DOMException ? error.name : "";
    toast(name === "NotAllowedError" ? "page.voice.refused" : name === "NotFoundError" ? "page.voice.no_microphone" : "page.voice.failed");
  }
}

/** @param {Recording} mine @param {MediaStream} stream */
function begin(mine, stream) {
  const kind = kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, { mimeType: kind, audioBitsPerSecond: 32_000 });
  recorder.start();
  /** @type {Blob[]} */
  const pieces = [];
  const meter = measure(mine, stream);
  let isWanted = false;
  recorder.ondataavailable = (event) => pieces.push(event.data);
  recorder.onstop = () => {
    meter();
    release(stream);
    const length = Date.now() - mine.since;
    finish(mine);
    if (isWanted) void hand(mine.room, new Blob(pieces, { type: recorder.mimeType }), length);
  };
  mine.since = Date.now();
  mine.isReady = true;
  mine.stop = (wanted) => {
    isWanted = wanted;
    if (recorder.state !== "inactive") recorder.stop();
  };
  redraw();
}

/** Looks at how loud it is until it is told to end.
 * @param {Recording} mine @param {MediaStream} stream */
function measure(mine, stream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    mine.levels = [...mine.levels, loudness(samples)].slice(-shown);
    if (Date.now() - mine.since >= longest) mine.stop(true);
    redraw();
  }, pace);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** From 0 to 1, as loud as it is to an ear: the root of the mean square, on a scale of 50 dB.
 * @param {Float32Array} samples */
function loudness(samples) {
  const square = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  return Math.min(1, Math.max(0, 1 + Math.log10(Math.sqrt(square) + 1e-6) / 2.5));
}

/** Sends it, with what is known only now: its length and its picture.
 * @param {string} room @param {Blob} sound @param {number} length milliseconds, by the clock */
async function hand(room, sound, length) {
  const picture = await pictured(sound);
  const media = { kind: "voice", duration: Math.max(1, Math.round(picture?.duration ?? length)), waveform: picture?.waveform ?? [] };
  const ending = sound.type.includes("mp4") ? "m4a" : sound.type.includes("ogg") ? "ogg" : "weba";
  await giveTo(room, [{ file: sound, name: `voice.${ending}`, media }]);
}

/** @param {Blob} sound */
async function pictured(sound) {
  try {
    const decoded = await new OfflineAudioContext(1, 1, pictureRate).decodeAudioData(await sound.arrayBuffer());
    const samples = decoded.getChannelData(0);
    const stretch = samples.length / values;
    const waveform = Array.from({ length: values }, (_, index) => Math.round(255 * loudness(samples.subarray(Math.floor(index * stretch), Math.floor((index + 1) * stretch)))));
    return { duration: decoded.duration * 1000, waveform };
  } catch {
    return undefined;
  }
}

/** @param {Recording} mine */
function finish(mine) {
  if (recording === mine) recording = undefined;
  redraw();
}

/** @param {MediaStream} stream */
function release(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** Throws away what is recorded. */
export function discard() {
  recording?.stop(false);
}

addEventListener("pagehide", discard);
