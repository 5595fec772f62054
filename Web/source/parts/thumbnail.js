// A small copy of a picture, which goes with the offer and is seen before the file is there.

/** @typedef {import("../protocol/types").Media} Media */

const kinds = /^image\/(png|jpeg|gif|webp|avif)$/;
/** Bytes of a picture that is looked at here; what is larger goes as a file. */
const limit = 100 * 2 ** 20;
/** Bytes of the copy. */
const copyLimit = 16 * 1024;
const sides = [480, 320, 200, 120];
const longestSide = 65_535;

/** How a picture is presented; nothing for what is none, or cannot be read.
 * @param {Blob} file @returns {Promise<Media | undefined>} */
export async function pictureOf(file) {
  if (!kinds.test(file.type) || file.size > limit) return undefined;
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    if (Math.max(width, height) > longestSide) return undefined;
    const thumbnail = await copyOf(picture);
    picture.close();
    return { kind: "picture", width, height, thumbnail };
  } catch {
    return undefined;
  }
}

/** As large as fits into the limit.
 * @param {ImageBitmap} picture @returns {Promise<string | undefined>} in Base64 */
async function copyOf(picture) {
  for (const side of sides) {
    // The copy has no transparency.
    const copy = await drawn(picture, side, "image/jpeg", 0.72, "white");
    if (copy && copy.size <= copyLimit) return base64(new Uint8Array(await copy.arrayBuffer()));
  }
  return undefined;
}

/** The picture with a longer side of so many pixels, if it has more.
 * @param {ImageBitmap} picture @param {number} side @param {string} type @param {number} quality @param {string} [ground] @returns {Promise<Blob | null>} */
export function drawn(picture, side, type, quality, ground = "transparent") {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  const width = (canvas.width = Math.ceil(picture.width * scale));
  const height = (canvas.height = Math.ceil(picture.height * scale));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

/** @param {Uint8Array} bytes */
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
