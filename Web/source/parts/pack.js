// A folder with an app as one file: a ZIP archive without compression, because the host takes files and no folders.

import { filesOf } from "./given.js";

/** Bytes of all files of a folder: they are packed in memory. */
export const mostPacked = 64 * 2 ** 20;
/** Files of a folder. */
const most = 500;

/** @param {FileSystemDirectoryEntry} folder @returns {Promise<File | undefined>} nothing if it is too large, or holds nothing */
export async function packed(folder) {
  const found = await filesOf(folder);
  const size = found.reduce((sum, { file }) => sum + file.size, 0);
  if (!found.length || found.length > most || size > mostPacked) return undefined;
  const parts = await Promise.all(found.map(async ({ file, path }) => ({
    name: new TextEncoder().encode(path.slice(folder.fullPath.length + 1)), bytes: new Uint8Array(await file.arrayBuffer()),
  })));
  return new File(zip(parts), `${folder.name}.zip`);
}

/** The parts of an archive (APPNOTE 6.3): each file behind its header, then the list of all, and where it begins.
 * @param {{name: Uint8Array, bytes: Uint8Array}[]} files @returns {BlobPart[]} */
function zip(files) {
  /** @type {Uint8Array[]} */
  const contents = [];
  /** @type {Uint8Array[]} */
  const list = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const about = fields([2, 20], [2, 0x0800], [2, 0], [2, 0], [2, 0x21], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]);
    contents.push(fields([4, 0x04034b50]), about, name, bytes);
    list.push(fields([4, 0x02014b50], [2, 20]), about, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
    at += 4 + about.length + name.length + bytes.length;
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
