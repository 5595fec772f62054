// What was picked, pasted or dropped for a conversation, before it is sent: a person sees what goes, and to whom.

import { redraw, ui } from "../app.js";
import { roomOf } from "../protocol/tree.js";
import { h } from "../dom/h.js";
import { key, say, size } from "../words/words.js";
import { button } from "./controls.js";
import { icon } from "./icon.js";
import { dialog } from "./layers.js";
import { giveTo } from "./uploads.js";

/** @typedef {{file: Blob, name: string, preview?: string}} Chosen */

/** Rows that are shown of many files. */
const shown = 6;

/** @type {{room: string, files: Chosen[]} | undefined} */
let asked;

/** Asks whether these go to the conversation that is open.
 * @param {{file: Blob, name: string}[]} files */
export function askToSend(files) {
  if (!files.length) return;
  const room = roomOf(ui.root) ?? "";
  if (asked && asked.room !== room) close();
  const before = asked?.room === room ? asked.files : [];
  asked = { room, files: [...before, ...files.map((chosen) => ({ ...chosen, preview: isPicture(chosen.file) ? URL.createObjectURL(chosen.file) : undefined }))] };
  redraw();
}

/** @param {Blob} file */
const isPicture = (file) => /^image\/(png|jpeg|gif|webp|avif)$/.test(file.type);

function close() {
  asked?.files.forEach(({ preview }) => preview && URL.revokeObjectURL(preview));
  asked = undefined;
  redraw();
}

/** The question that is open; it goes with its conversation. */
export function sending() {
  if (!asked || roomOf(ui.root) !== asked.room) return null;
  const { files, room } = asked;
  const send = () => {
    close();
    void giveTo(room, files.map(({ file, name }) => ({ file, name })));
  };
  const count = { count: { count: files.length } };
  const rest = files.length - shown;
  return dialog("sending", [
    h("h2", { id: "sending-title" }, say(key("page.sending", { name: { words: ui.root?.label ?? "chat" } }))),
    h("ul", { class: "sending-files", tabindex: "0" }, files.slice(0, rest === 1 ? shown + 1 : shown).map(row),
      rest > 1 && h("li", { key: "rest", class: "quiet" }, say(key("page.sending.more", { count: { count: rest } })))),
    h("div", { class: "actions" }, button("page.cancel", close),
      button(key(files.every(({ preview }) => preview) ? "page.sending.pictures" : "page.sending.files", count), send, { class: "primary", autofocus: true }, "send-horizontal")),
  ], { class: "sending", "aria-labelledby": "sending-title" }, close);
}

/** @param {Chosen} chosen @param {number} index */
const row = ({ file, name, preview }, index) => h("li", { key: String(index), class: "sending-file" },
  preview ? h("img", { src: preview, alt: "" }) : h("span", { class: "file-picture" }, icon("file")),
  h("span", { class: "file-words" }, h("b", { title: name }, h("bdi", { class: "said" }, name)), h("small", null, size(file.size))));
