// A file as a card: what it is, how far it has come, and what can be done.

import { act } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say, size } from "../words/words.js";
import { button, iconButton, offered } from "./controls.js";
import { isHere, isPicture, isVideo, isVoice, nameOf, savedAddress } from "./files.js";
import { icon } from "./icon.js";
import { pace } from "./pace.js";
import { picture } from "./picture.js";
import { ring } from "./ring.js";
import { open } from "./viewing.js";
import { voice } from "./voice.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} node @param {import("./player.js").Playing | undefined} playing */
export function file(node, playing) {
  if (isVoice(node)) return voice(node, playing, state(node), answers(node));
  if (isPicture(node)) return picture(node, state(node), answers(node));
  const { progress, cancel, rest } = state(node);
  const words = [
    h("span", { class: "file-picture" }, icon(kind(node))),
    h("span", { class: "file-words" }, h("b", { title: nameOf(node) }, say(node.label)), h("small", null, about(node))),
  ];
  return h("div", { class: "file" },
    h("div", { class: "file-line" },
      isHere(node) ? h("button", { type: "button", class: "file-open", onclick: () => (isVideo(node) ? open(node) : void act(node.id, "open")) }, words) : h("span", { class: "file-open" }, words),
      progress ? [ring(progress, rest ?? cancel), rest && cancel && iconButton("x", cancel.label, cancel.act, { key: "cancel" })] : isHere(node) && save(node)),
    answers(node));
}

/** @param {Node} node */
export const save = (node) => h("a", { key: "save", class: "icon-button", href: savedAddress(node), download: nameOf(node), title: plain("page.save"), "aria-label": plain("page.save") }, icon("download"));

/** How far the bytes are, what gives them up, and what has them rest or go on.
 * @param {Node} node */
export function state(node) {
  const progress = node.value && "done" in node.value ? node.value : undefined;
  return { progress, cancel: control(node, "cancel", "x"), rest: control(node, "pause", "pause") ?? control(node, "resume", "play") };
}

/** @param {Node} node @param {string} name @param {import("./icon.js").Name} picture @returns {import("./ring.js").Control | undefined} */
function control(node, name, picture) {
  const found = node.children?.find((child) => child.id === `${node.id}.${name}` && child.offers?.length);
  return found && { label: found.label, icon: picture, act: () => void act(found.id) };
}

/** @param {Node} node */
export function about(node) {
  const { bytes = 0, transfer, delivery } = node.facts ?? {};
  const { progress } = state(node);
  if (progress) {
    const detail = transfer === "running" ? pace(node.id, progress) : transfer === "paused" ? node.detail : undefined;
    return [`${size(progress.done)} / ${size(progress.total)}`, detail ? [" · ", say(detail)] : null];
  }
  // The ticks say how far a message of one's own has come.
  const isSaid = delivery && (transfer === "running" || transfer === "offered" && delivery === "pending");
  return [size(bytes), node.detail && !isSaid ? [" · ", say(node.detail)] : null];
}

/** What can be answered to the offer.
 * @param {Node} node */
function answers(node) {
  const { progress } = state(node);
  const children = (node.children ?? []).filter((child) => !progress || !/\.(cancel|pause|resume)$/.test(child.id));
  return children.length ? h("div", { key: "answers", class: "file-actions" }, children.map((child, index) => answer(child, index ? "quiet small" : "small", node.side === "own" ? nameOf(node) : ""))) : null;
}

/** Says in a word what is said in full to who hears nothing else.
 * @param {Node} node @param {string} kind @param {string} about the name of a file of one's own */
function answer(node, kind, about) {
  const name = node.id.split(".").at(-1) ?? "";
  if (!["accept", "decline", "cancel"].includes(name)) return offered(node, kind);
  const isOwn = name === "cancel" && about !== "";
  return button(isOwn ? "page.file.stop" : `page.file.${name}`, () => act(node.id), { key: node.id, class: kind, "aria-label": plain(isOwn ? key("page.file.stop.of", { name: { said: about } }) : node.label), disabled: node.is_enabled === false });
}

/** @param {Node} node */
function kind(node) {
  const name = nameOf(node);
  if (/\.(jpe?g|png|gif|webp|avif|heic|svg)$/i.test(name)) return "image";
  if (/\.(mp3|m4a|ogg|opus|flac|wav|aac)$/i.test(name)) return "music";
  return isVideo(node) || /\.(mkv|avi)$/i.test(name) ? "film" : "file";
}
