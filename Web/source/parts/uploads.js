// Files on their way to the host: one after the other, in the order in which they were given, each with how far it is.

import { act, connection, node as nodeOf, redraw, toast, ui } from "../app.js";
import { roomOf } from "../protocol/tree.js";
import { key, plain, size } from "../words/words.js";
import { post } from "./resumable.js";
import { pictureOf } from "./thumbnail.js";
import { isRefused } from "../protocol/requests.js";
import { untilOpen } from "../protocol/waking.js";

/** @typedef {import("../protocol/types").Node} Node */
/** @typedef {import("../protocol/types").Media} Media */
/** @typedef {(file: Record<string, unknown>) => Promise<string | undefined>} Deliver */
/** @typedef {{id: string, room: string, target: string, name: string, file: Blob, at: number, sent: number, media?: Media, deliver?: Deliver, preview?: string, request?: XMLHttpRequest, isGone?: boolean, isHeld?: boolean}} Upload */

/** Bytes of one file. */
const limit = 4 * 2 ** 30;
/** Files that wait at the same time. */
const most = 500;

/** @type {Upload[]} */
export let uploads = [];
let isBusy = false;

/** @typedef {Iterable<{file: Blob, name: string, media?: Media, deliver?: Deliver}>} Given */

/** Gives files to what takes them: to the conversation that is open, or to another offer.
 * @param {Given} files @param {Node | undefined} [target] */
export async function give(files, target = nodeOf("chat.attach")) {
  if (target?.offers?.length) await bringAll(files, target.id, roomOf(ui.root) ?? "");
}

/** Gives files to a conversation, whatever is open by now.
 * @param {string} room @param {Given} files */
export const giveTo = (room, files) => bringAll(files, "chat.attach", room);

/** @param {Given} files @param {string} target @param {string} room */
async function bringAll(files, target, room) {
  for (const { file, name, media, deliver } of files) {
    if (file.size > limit) toast(key("page.file.too_large", { name: { said: name }, limit: { bytes: limit } }));
    else if (uploads.length >= most) return toast(key("page.file.too_many", { count: { count: most } }));
    else uploads.push({ id: `upload.${Date.now()}.${Math.random()}`, room, target, name, file, media, deliver, at: Date.now(), sent: 0 });
  }
  redraw();
  await bringThem();
}

async function bringThem() {
  if (isBusy) return;
  isBusy = true;
  const next = () => uploads.find(({ isHeld }) => !isHeld);
  for (let upload = next(); upload; upload = next()) {
    await bring(upload);
    if (!upload.isHeld) remove(upload);
  }
  isBusy = false;
}

/** Tries again what was refused and is nowhere else.
 * @param {Upload} upload */
export function again(upload) {
  upload.isHeld = false;
  upload.sent = 0;
  redraw();
  void bringThem();
}

/** Gives a file up.
 * @param {Upload} upload */
export function cancel(upload) {
  upload.isGone = true;
  upload.request?.abort();
  remove(upload);
}

/** @param {Upload} upload */
function remove(upload) {
  uploads = uploads.filter((other) => other !== upload);
  if (upload.preview) URL.revokeObjectURL(upload.preview);
  redraw();
}

/** @param {Upload} upload */
async function bring(upload) {
  try {
    if (!upload.media && upload.target === "chat.attach") {
      upload.media = await pictureOf(upload.file);
      if (upload.media) upload.preview = URL.createObjectURL(upload.file);
      redraw();
    }
    if (!(await untilOpen(connection))) throw new Error(plain("page.offline.short"));
    if (upload.isGone) return;
    const handle = await post(upload);
    if (handle && !upload.isGone) refused(upload, await take(upload, handle));
  } catch (error) {
    hold(upload);
    toast(upload.isHeld ? "page.voice.held" : key("page.no_file", { reason: { said: error instanceof Error ? error.message : "" } }));
  }
}

/** The room is said in full: meanwhile another one may be on the screen.
 * @param {Upload} upload @param {string} handle */
function take({ target, room, name, file, media, deliver }, handle) {
  if (deliver) return deliver({ name, bytes: file.size, handle, media });
  if (target !== "chat.attach") return act(target, "attach", { name, bytes: file.size, handle });
  return connection.dispatch({ type: "send_file", room, name, bytes: file.size, handle, media });
}

/** @param {Upload} upload @param {string | undefined} code */
function refused(upload, code) {
  if (!isRefused(code)) return;
  hold(upload);
  toast(upload.isHeld ? "page.voice.held" : key("page.file.not_sent", { name: { said: upload.name } }));
}

/** What was spoken is in no file that could be given once more, so it waits for its person.
 * @param {Upload} upload */
function hold(upload) {
  upload.isHeld = !!upload.deliver && !upload.isGone;
  redraw();
}

/** How far an upload is, to be read.
 * @param {Upload} upload */
export const progressText = ({ sent, file }) => (sent ? `${size(sent)} / ${size(file.size)}` : size(file.size));
