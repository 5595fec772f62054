// Brings files to the host. What breaks off goes on where it was (draft-ietf-httpbis-resumable-upload).

import { connection, redraw } from "../app.js";
import { untilOpen } from "../protocol/waking.js";
import { plain } from "../words/words.js";

/** @typedef {{file: Blob, sent: number, request?: XMLHttpRequest, isGone?: boolean}} Sending */

/** Attempts in a row that bring nothing. */
const patience = 8;

/** @param {string} method @param {string} address @param {Record<string, string>} [fields] */
const ask = (method, address, fields = {}) =>
  fetch(address, { method, headers: { "Alcove-Session": connection.session ?? "", ...fields } }).catch(() => undefined);

/** Files that are on their way. */
let underway = 0;

/** Whether the host does not have all yet of what was given. */
export const isBringing = () => underway > 0;

/** Brings a file to the host.
 * @param {Sending} upload @returns {Promise<string | undefined>} the id of the file, unless it was given up */
export async function post(upload) {
  underway += 1;
  try {
    return await bring(upload);
  } finally {
    underway -= 1;
  }
}

/** @param {Sending} upload */
async function bring(upload) {
  let address = "";
  let session = connection.session;
  // Bytes that the host has: what the browser has sent may not have come.
  let come = 0;
  for (let vain = 0; vain < patience; vain++) {
    if (vain) await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** Math.min(vain, 5)));
    if (!(await untilOpen(connection))) break;
    if (upload.isGone) break;
    const state = address ? await look(address) : undefined;
    if (state === "unreachable") continue;
    if (state === "whole" && session === connection.session) return idOf(address);
    if (typeof state !== "number") [address, upload.sent] = [(await begin(upload)) ?? "", 0];
    else {
      upload.sent = state;
      if (state > come) [come, vain] = [state, 0];
    }
    if (!address) continue;
    session = connection.session;
    const answer = await append(upload, address);
    if (answer?.status === 201) return idOf(address);
    if (answer && isRefusal(answer.status, session)) {
      void ask("DELETE", address);
      throw new Error(reason(answer.responseText));
    }
  }
  if (address) void ask("DELETE", address);
  if (upload.isGone) return undefined;
  throw new Error(plain("page.offline.short"));
}

/** What the host says of it. A whole page is no sentence.
 * @param {string} text */
const reason = (text) => (text.startsWith("<") ? "" : text.slice(0, 200));

/** The last step of an upload's address is the id of its file.
 * @param {string} address */
const idOf = (address) => decodeURIComponent(address.slice(address.lastIndexOf("/") + 1));

/** Whether to try again would not help. Another session is one of another host process, which asks for the file anew.
 * @param {number} status @param {string | undefined} session */
const isRefusal = (status, session) => ![404, 409, 410, 503].includes(status) && !(status === 403 && session !== connection.session);

/** @param {Sending} upload @returns {Promise<string | undefined>} where the bytes go; nothing if the host cannot be reached */
async function begin({ file }) {
  const answer = await ask("POST", "/files", { "Upload-Complete": "?0", "Upload-Length": `${file.size}` });
  if (!answer || answer.status === 503) return undefined;
  if (answer.status !== 201) throw new Error(reason(await answer.text()));
  return answer.headers.get("Location") ?? undefined;
}

/** How many bytes have come.
 * @param {string} address @returns {Promise<number | "whole" | "unknown" | "unreachable">} */
async function look(address) {
  const answer = await ask("HEAD", address);
  if (!answer || answer.status === 503) return "unreachable";
  if (answer.status !== 204) return "unknown";
  return answer.headers.get("Upload-Complete") === "?1" ? "whole" : Number(answer.headers.get("Upload-Offset"));
}

/** Sends the rest. Only this kind of request says how far it is.
 * @param {Sending} upload @param {string} address @returns {Promise<XMLHttpRequest | undefined>} nothing if it broke off */
function append(upload, address) {
  const request = new XMLHttpRequest();
  const from = upload.sent;
  upload.request = request;
  return new Promise((resolve) => {
    request.open("PATCH", address);
    request.setRequestHeader("Content-Type", "application/partial-upload");
    request.setRequestHeader("Upload-Offset", `${from}`);
    request.setRequestHeader("Upload-Complete", "?1");
    request.setRequestHeader("Alcove-Session", connection.session ?? "");
    request.upload.onprogress = (event) => {
      upload.sent = from + event.loaded;
      redraw();
    };
    request.onabort = request.onerror = () => resolve(undefined);
    request.onload = () => resolve(request);
    request.send(upload.file.slice(from));
  });
}
