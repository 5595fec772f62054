// Files that are sealed to one person and carried by hand: made here and saved by the browser, and opened where they are dropped.

import { act, connection, toast } from "../app.js";
import { key } from "../words/words.js";
import { decoded, encoded } from "../documents/base64.js";
import { askForFiles } from "./file-picker.js";
import { post } from "./resumable.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Bytes of one frame that gives some to the host. */
const piece = 45_000;
/** Bytes that the host takes for one question, and what sealing adds to a file at most. */
const given = 2 ** 24, added = 2 ** 16;

/** Gives bytes and asks a question about them.
 * @param {Blob} file @param {string} query @param {Record<string, unknown>} [args] @returns {Promise<{result?: any, code?: string}>} */
async function about(file, query, args) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (let at = 0; at < bytes.length; at += piece) {
    const refused = /** @type {any} */ (await connection.once({ type: "give", bytes: encoded(bytes.subarray(at, at + piece)) }));
    if (refused) return typeof refused === "string" ? { code: refused } : refused;
  }
  return connection.once({ type: "ask", query, ...args });
}

/** Asks for a file, seals it for the person of a room, and saves it.
 * @param {string} room */
export function sealFile(room) {
  askForFiles(([file]) => void seal(room, file));
}

/** @param {string} room @param {File | undefined} file */
async function seal(room, file) {
  if (!file) return;
  if (file.size > given - added) return toast(key("page.file.too_large", { name: { said: file.name }, limit: { bytes: given - added } }));
  const { result, code } = await about(file, "seal_file", { room });
  if (code) return toast(reason(result));
  save(decoded(result), `${file.name}.ntdf`);
}

/** Asks for a file that somebody sealed.
 * @param {Node} target takes messages */
export function pickSealed(target) {
  askForFiles(([file]) => void openSealed(file, target));
}

/** Opens what somebody sealed: a message goes into its conversation, a file is saved. A key opens once, so the key of a file goes when the browser has the content.
 * @param {File | undefined} file @param {Node | undefined} target takes messages */
export async function openSealed(file, target) {
  if (!file) return;
  if (file.size <= given) {
    const { result, code } = await about(file, "open_file");
    if (!code) {
      save(decoded(result.content), file.name.replace(/\.ntdf$/i, "") || "file");
      await connection.once({ type: "ask", query: "file_stored" });
      return;
    }
    // What is no file may be a message, or the notice that trust has ended.
    if (result?.code !== "unreadable") return toast(reason(result));
  }
  if (!target?.offers?.length) return;
  try {
    const handle = await post({ file, sent: 0 });
    if (handle) await act(target.id, "attach", { name: file.name, bytes: file.size, handle });
  } catch (error) {
    toast(key("page.no_file", { reason: { said: error instanceof Error ? error.message : "" } }));
  }
}

/** @param {{code?: string} | undefined} failure */
const reason = (failure) => (failure?.code ? `failure.${failure.code}` : "page.offline.short");

/** @param {Uint8Array} bytes @param {string} name */
function save(bytes, name) {
  const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (bytes)]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
