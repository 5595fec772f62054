// Pictures that go along with what an agent is asked: chosen, pasted or dropped, and shown above the line in which one writes.

import { connection, toast } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say } from "../words/words.js";
import { iconButton, press } from "./controls.js";
import { askForFiles } from "./file-picker.js";
import { address } from "./files.js";
import { post } from "./resumable.js";
import { drawn } from "./thumbnail.js";

/** @typedef {import("../protocol/types").Node} Node */

const kinds = "image/png,image/jpeg,image/gif,image/webp";
/** Bytes above which a photograph is made smaller, and pixels of its longer side then: models see no more. */
const large = 1e6, side = 2048;

/** @param {Node | undefined} node @param {string} session */
export function pictureButton(node, session) {
  if (!node?.offers?.length) return null;
  const isOff = node.is_enabled === false;
  return iconButton("image", (isOff && node.detail) || node.label, () => choose(session), { key: "attach", disabled: isOff });
}

/** @param {Node | undefined} node */
export function pictureChips(node) {
  if (!node?.children?.length && !node?.is_busy) return null;
  return h("ul", { key: "pictures", class: "prompt-pictures", "aria-label": plain(node.label), "aria-busy": node.is_busy ? "true" : null }, node.children?.map((picture) => h("li", { key: picture.id, class: "chip" },
    h("img", { src: address(picture), alt: "" }), h("bdi", null, say(picture.label)), h("small", null, say(picture.detail)),
    picture.children?.map((child) => iconButton("x", child.label, () => press(child), { key: child.id })))));
}

/** @param {string} session */
function choose(session) {
  askForFiles((files) => void takePictures(files, session), { accept: kinds, multiple: true });
}

/** @param {FileList | File[] | null | undefined} files @param {string} session @returns {Promise<void>} */
export async function takePictures(files, session) {
  for (const file of files ?? []) {
    if (!file.type || !kinds.includes(file.type)) toast(key("page.agent.no_picture", { name: { said: file.name } }));
    else await bring(file, session);
  }
}

/** @param {File} file @param {string} session */
async function bring(file, session) {
  try {
    const picture = await smaller(file);
    const handle = await post({ file: picture, sent: 0 });
    if (handle) await connection.dispatch({ type: "attach_to_prompt", session, name: file.name, bytes: picture.size, handle });
  } catch (error) {
    toast(key("page.no_file", { reason: { said: /** @type {Error} */ (error).message } }));
  }
}

/** A photograph as large as a model sees it; other pictures as they are.
 * @param {File} file @returns {Promise<Blob>} */
async function smaller(file) {
  const copy = file.size > large && file.type !== "image/gif" && await createImageBitmap(file).then((picture) => drawn(picture, side, file.type, 0.85)).catch(() => null);
  return copy && copy.size < file.size ? copy : file;
}
