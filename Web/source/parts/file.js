// A file as a card: what it is, how far it has come, and what can be done.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say, size } from "../words/words.js";
import { button, offered } from "./controls.js";
import { icon } from "./icon.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} node */
export function file(node) {
  const { media, bytes = 0, transfer } = node.facts ?? {};
  const isOnItsWay = transfer === "offered" || transfer === "running";
  const progress = node.value && "done" in node.value ? node.value : undefined;
  const cancel = node.children?.find((child) => child.id.endsWith(".cancel"));
  const others = (node.children ?? []).filter((child) => child !== cancel || !progress);
  const isOpenable = node.uses?.includes("open");
  const words = [
    h("span", { class: "file-picture" }, icon(picture(node))),
    h("span", { class: "file-words" }, h("b", { title: plain(node.label) }, say(node.label)), h("small", null,
      progress ? `${size(progress.done)} / ${size(progress.total)}` : [size(bytes), node.detail && !(isOnItsWay && node.facts?.delivery) ? [" · ", say(node.detail)] : null])),
  ];
  return h("div", { class: "file" },
    media?.kind === "picture" && thumbnail(node),
    media?.kind === "voice" && media.waveform && waveform(media.waveform),
    h("div", { class: "file-line" },
      isOpenable ? h("button", { type: "button", class: "file-open", onclick: () => act(node.id, "open") }, words) : h("span", { class: "file-open" }, words),
      progress && ring(progress, cancel)),
    others.length ? h("div", { class: "file-actions" }, others.map((child, index) => answer(child, index ? "quiet small" : "small"))) : null);
}

/** Says in a word what is said in full to who hears nothing else.
 * @param {Node} node
 * @param {string} kind */
function answer(node, kind) {
  const name = node.id.split(".").at(-1) ?? "";
  if (!["accept", "decline", "cancel"].includes(name)) return offered(node, kind);
  return button(`page.file.${name}`, () => act(node.id), { key: node.id, class: kind, "aria-label": plain(node.label), disabled: node.is_enabled === false });
}

/** @param {Node} node */
function picture(node) {
  const kind = node.facts?.media?.kind;
  if (kind === "picture") return "image";
  if (kind === "voice") return "audio-lines";
  if (/\.(jpe?g|png|gif|webp|heic|svg)\u2069?$/i.test(plain(node.label))) return "image";
  return /\.(mp4|mkv|mov|webm|avi)\u2069?$/i.test(plain(node.label)) ? "film" : "file";
}

/** @param {Node} node */
function thumbnail(node) {
  const { width = 4, height = 3, thumbnail } = node.facts?.media ?? {};
  if (!thumbnail) return null;
  return h("img", { class: "thumbnail", src: blob(thumbnail), alt: plain(node.label), loading: "lazy", width, height, style: { "aspect-ratio": `${width} / ${height}` } });
}

/** @type {Map<string, string>} */
const blobs = new Map();

/** @param {string} base64 */
function blob(base64) {
  const known = blobs.get(base64);
  if (known) return known;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes]));
  blobs.set(base64, address);
  return address;
}

/** @param {{done: number, total: number}} progress @param {Node | undefined} cancel */
function ring({ done, total }, cancel) {
  const share = total > 0 ? done / total : 0;
  const round = 2 * Math.PI * 15;
  const drawn = h("svg", { viewBox: "0 0 36 36", class: "ring" }, h("circle", { cx: 18, cy: 18, r: 15 }),
    h("circle", { cx: 18, cy: 18, r: 15, class: "done", "stroke-dasharray": `${share * round} ${round}` }));
  const text = `${Math.round(share * 100)} %`;
  if (!cancel?.offers?.length) return h("span", { class: "ring-frame", role: "progressbar", "aria-label": text, "aria-valuenow": Math.round(share * 100), title: text }, drawn);
  return h("button", { type: "button", class: "ring-frame", title: `${plain(cancel.label)} (${text})`, "aria-label": `${plain(cancel.label)} (${text})`, onclick: () => act(cancel.id) }, drawn, icon("x"));
}

/** @param {number[]} values */
function waveform(values) {
  return h("span", { class: "waveform", "aria-hidden": "true" }, values.map((value, index) => h("i", { key: String(index), style: { "--loudness": value / 255 } })));
}
