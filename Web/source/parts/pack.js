// A folder as one file: a ZIP archive without compression, because the host takes files and no folders.

import { filesOf } from "./given.js";

/** Files of an app, and bytes of all of them. */
export const appLimits = { files: 500, bytes: 64 * 2 ** 20 };
/** The same for a folder of notes, in which programs keep hidden files of their own. */
export const noteLimits = { files: 20000, bytes: 512 * 2 ** 20, skipsHidden: true };

/** @param {FileSystemDirectoryEntry} folder @param {{files: number, bytes: number, skipsHidden?: boolean}} limits
 * @returns {Promise<File | undefined>} nothing if it is too large, or holds nothing */
export async function packed(folder, limits) {
  const found = await filesOf(folder, limits);
  const size = found.reduce((sum, { file }) => sum + file.size, 0);
  if (!found.length || found.length > limits.files || size > limits.bytes) return undefined;
  const parts = [];
  // One after the other: what is read for its checksum need not stay in memory.
  for (const { file, path } of found) {
    const name = new TextEncoder().encode(path.slice(folder.fullPath.length + 1));
    parts.push({ name, file, sum: checksum(new Uint8Array(await file.arrayBuffer())) });
  }
  return new File(zip(parts), `${folder.name}.zip`);
}

/** The parts of an archive (APPNOTE 6.3): each file behind its header, then the list of all, and where it begins.
 * @param {{name: Uint8Array, file: File, sum: number}[]} files @returns {BlobPart[]} */
function zip(files) {
  /** @type {(Uint8Array | File)[]} */
  const contents = [];
  /** @type {Uint8Array[]} */
  const list = [];
  let at = 0;
  for (const { name, file, sum } of files) {
    const about = fields([2, 20], [2, 0x0800], [2, 0], [2, 0], [2, 0x21], [4, sum], [4, file.size], [4, file.size], [2, name.length], [2, 0]);
    contents.push(fields([4, 0x04034b50]), about, name, file);
    list.push(fields([4, 0x02014b50], [2, 20]), about, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
    at += 4 + about.length + name.length + file.size;
  }
  const length = list.reduce((sum, part) => sum + part.length, 0);
  return /** @type {BlobPart[]} */ ([...contents, ...list, fields([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, at], [2, 0])]);
}

/** Numbers, the lowest byte first.
 * @param {[number, number][]} numbers how many bytes each has */
const fields = (...numbers) => Uint8Array.from(numbers.flatMap(([count, value]) => Array.from({ length: count }, (_, place) => (value >>> (8 * place)) & 255)));

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32.
 * @param {Uint8Array} bytes */
const checksum = (bytes) => ~bytes.reduce((sum, byte) => table[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;
