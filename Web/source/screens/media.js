// Pictures that follow each other as a grid, and files that are on their way to the host.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { time } from "../words/times.js";
import { button } from "../parts/controls.js";
import { acceptOf, isHere, isPicture } from "../parts/files.js";
import { icon } from "../parts/icon.js";
import { ring } from "../parts/ring.js";
import { again, cancel, progressText } from "../parts/uploads.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../dom/h.js").Element_} Element_ */

/** Pictures in one grid. */
const most = 9;

/** The rows as they are drawn, with pictures of one person that follow each other put together.
 * @param {Element_[]} drawn @param {Node[]} rows @returns {Element_[]} */
export function gathered(drawn, rows) {
  const inGrid = new Set(rows.filter((row) => isPicture(row) && isHere(row) && !row.facts?.quote && !row.facts?.reactions).map((row) => row.id));
  /** @type {Element_[]} */
  const shown = [];
  for (let from = 0; from < drawn.length;) {
    let end = from + 1;
    while (end < drawn.length && end - from < most && isSame(drawn[end - 1], drawn[end], inGrid)) end += 1;
    const group = drawn.slice(from, end);
    shown.push(group.length > 1 ? grid(group) : group[0]);
    from = end;
  }
  return shown;
}

/** @param {Element_} one @param {Element_} other @param {Set<string>} inGrid */
const isSame = (one, other, inGrid) => inGrid.has(one.key ?? "") && inGrid.has(other.key ?? "") && side(one) === side(other) && !/\bfirst\b/.test(other.props.class);

/** @param {Element_} row */
const side = (row) => (/\bown\b/.test(row.props.class) ? "own" : "other");

/** @param {Element_[]} group */
const grid = (group) => h("div", { key: `grid.${group[0].key}`, class: `grid ${side(group[0])} ${group.length === 2 || group.length === 4 ? "in-twos" : "in-threes"}`, role: "group", "aria-label": plain("page.pictures") }, group);

/** What takes the file of each row, if it is still to be answered.
 * @param {Node[]} rows */
export const offersOf = (rows) => rows.map((row) => (row.facts?.transfer === "offered" ? acceptOf(row) : undefined));

/** Takes all of several files that are offered one after the other.
 * @param {(string | undefined)[]} offers @param {number} from */
export function receiveAll(offers, from) {
  const end = offers.findIndex((offer, index) => index > from && !offer);
  const run = offers.slice(from, end < 0 ? undefined : end);
  return run.length < 2 ? [] : [h("div", { key: `all.${run[0]}`, class: "receive-all" },
    button(key("page.file.accept_all", { count: { count: run.length } }), () => run.forEach((offer) => offer && void act(offer)), { class: "small" }, "download"))];
}

/** A file that the host does not have as a whole yet.
 * @param {import("../parts/uploads.js").Upload} upload */
export function uploadBubble(upload) {
  const { id, name, file, sent, at, preview, media, isHeld } = upload;
  const stop = !isHeld && ring({ done: sent, total: file.size }, { label: "page.file.cancel", icon: "x", act: () => cancel(upload) });
  const shape = media?.width && media.height ? Math.min(2.4, Math.max(0.6, media.width / media.height)).toFixed(3) : "1.333";
  return h("article", { key: id, class: `message own unsent ${preview ? "with-picture" : ""}`, "aria-label": name },
    h("div", { class: "bubble" },
      preview ? h("div", { class: "picture" }, h("div", { class: "picture-frame", style: { "aspect-ratio": shape } }, h("img", { class: "thumbnail", src: preview, alt: name }), h("span", { class: "picture-ring" }, stop)))
        : h("div", { class: "file" }, h("div", { class: "file-line" },
          h("span", { class: "file-open" }, h("span", { class: "file-picture" }, icon(media?.kind === "voice" ? "audio-lines" : "file")),
            h("span", { class: "file-words" }, h("b", null, h("bdi", { class: "said" }, name)), h("small", null, isHeld ? say("page.file.held") : progressText(upload)))), stop),
          isHeld && h("div", { key: "answers", class: "file-actions" }, button("page.file.again", () => again(upload), { class: "small" }), button("page.file.stop", () => cancel(upload), { class: "quiet small" }))),
      h("span", { class: "meta" }, time(at), !isHeld && h("span", { class: "mark" }, icon("clock", plain("page.unsent"))))));
}
