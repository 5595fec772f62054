// The microphone, and what is heard: how loud it is while it is on, and the file that comes of it.

import { redraw } from "../app.js";
import { giveTo } from "./uploads.js";

/** @typedef {import("./recorder.js").Recording} Recording */

const kinds = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
/** Milliseconds between two looks at how loud it is. */
const pace = 60;
/** Levels that are drawn. */
const shown = 60;
/** Values of the picture of a sound, from 0 to 255. */
const values = 120;
/** Samples a second are enough for the picture. */
const pictureRate = 8000;

/** Records from now on.
 * @param {Recording} mine @param {() => void} lost hears that the microphone ended by itself */
export async function listen(mine, lost) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => stream.getTracks().forEach((track) => track.stop());
  try {
    return begin(mine, stream, release, lost);
  } catch (error) {
    release();
    throw error;
  }
}

/** @param {Recording} mine @param {MediaStream} stream @param {() => void} release @param {() => void} lost */
function begin(mine, stream, release, lost) {
  const kind = kinds.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, { mimeType: kind, audioBitsPerSecond: 32_000 });
  /** @type {Blob[]} */
  const pieces = [];
  let isWanted = true;
  let meter = () => {};
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const whole = new Promise((/** @type {(sound: Blob) => void} */ resolve) => {
    recorder.onstop = () => {
      meter();
      release();
      resolve(new Blob(pieces, { type: recorder.mimeType }));
      if (isWanted) lost();
    };
  });
  // The clock of the computer may be set meanwhile.
  const start = performance.now();
  let length = 0;
  /** The microphone goes off. */
  const stop = () => {
    isWanted = false;
    if (recorder.state === "inactive") return;
    length = performance.now() - start;
    recorder.stop();
  };
  // Only what is recorded is measured: what does not begin leaves nothing on.
  recorder.start();
  meter = measure(mine, stream, () => {
    if (performance.now() - start < (mine.limit ?? Infinity)) return;
    mine.isFull = true;
    stop();
  });
  return {
    stop,
    /** Gives the sound to the host, with what is known only now: its length and its picture.
     * @param {(file: Record<string, unknown>) => Promise<string | undefined>} deliver */
    async hand(deliver) {
      const sound = await whole;
      const picture = await pictured(sound);
      const media = { kind: "voice", duration: Math.max(1, Math.round(picture?.duration ?? length)), waveform: picture?.waveform ?? [] };
      const ending = sound.type.includes("mp4") ? "m4a" : sound.type.includes("ogg") ? "ogg" : "weba";
      await giveTo(mine.room, [{ file: sound, name: `voice.${ending}`, media, deliver }]);
    },
  };
}

/** Looks at how loud it is until it is told to end.
 * @param {Recording} mine @param {MediaStream} stream @param {() => void} looked */
function measure(mine, stream, looked) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  try {
    context.createMediaStreamSource(stream).connect(analyser);
  } catch (error) {
    void context.close();
    throw error;
  }
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    mine.levels = [...mine.levels, loudness(samples)].slice(-shown);
    looked();
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
