// The texts in a ZIP file (PKWARE APPNOTE 6.3.10), for notes that were exported elsewhere. Its pictures stay where they are.

/** Files of one archive, and bytes of one of them unpacked. */
const [most, limit] = [500, 4 << 20];
const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50];
/** The record at the end, and how far a comment may push it forward. */
const [endSize, longestComment] = [22, 0xffff];

/** @param {Blob} archive @returns {Promise<{name: string, file: Blob}[]>} nothing if it is none, or is damaged */
export async function texts(archive) {
  const tail = Math.max(0, archive.size - endSize - longestComment);
  const last = new DataView(await archive.slice(tail).arrayBuffer());
  let end = last.byteLength - endSize;
  while (end >= 0 && last.getUint32(end, true) !== endMark) end--;
  if (end < 0) return [];
  const start = last.getUint32(end + 16, true);
  const list = new DataView(await archive.slice(start, start + last.getUint32(end + 12, true)).arrayBuffer());
  /** @type {{name: string, file: Blob}[]} */
  const found = [];
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === entryMark && found.length < most;) {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) => list.getUint16(at + place, true));
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, Math.min(nameSize, list.byteLength - at - 46)));
    if (isText(name) && list.getUint32(at + 24, true) <= limit) {
      const file = await unpacked(archive, list.getUint32(at + 42, true), list.getUint32(at + 20, true), list.getUint16(at + 10, true));
      if (file) found.push({ name: name.split("/").at(-1) ?? name, file });
    }
    at += 46 + nameSize + extraSize + commentSize;
  }
  return found;
}

/** @param {string} name */
export const isText = (name) => /\.(md|markdown|txt)$/i.test(name) && !/(^|\/)(\.|__MACOSX\/)/.test(name);

/** @param {Blob} archive @param {number} at @param {number} size packed @param {number} method 0 as it is, 8 deflated */
async function unpacked(archive, at, size, method) {
  const head = new DataView(await archive.slice(at, at + 30).arrayBuffer());
  if (head.byteLength < 30 || head.getUint32(0, true) !== fileMark) return undefined;
  const start = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = archive.slice(start, start + size);
  if (method === 0) return packed.size <= limit ? packed : undefined;
  return method === 8 ? inflated(packed) : undefined;
}

/** What it says of its size may not be true, so it is unpacked only so far.
 * @param {Blob} packed */
async function inflated(packed) {
  // The types of the compiler do not know it yet.
  const { DecompressionStream } = /** @type {any} */ (globalThis);
  /** @type {ReadableStreamDefaultReader<Uint8Array>} */
  const reader = packed.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  try {
    for (let part = await reader.read(); part.value; part = await reader.read()) {
      size += part.value.length;
      if (size > limit) return void reader.cancel().catch(() => {});
      parts.push(part.value);
    }
  } catch {
    return undefined;
  }
  return new Blob(parts);
}
