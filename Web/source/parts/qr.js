// A QR code (ISO/IEC 18004) of up to 53 bytes: version 3, error correction L, byte mode, mask 0. A join code is never longer.

import { h } from "../dom/h.js";

const size = 29;
const dataBytes = 55;
const checkBytes = 15;

/** @param {string} text */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.length > dataBytes - 2) return null;
  const squares = [];
  const grid = drawn(codewords(bytes));
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (grid[y][x]) squares.push(`M${x} ${y}h1v1h-1z`);
  return h("svg", { viewBox: `-2 -2 ${size + 4} ${size + 4}`, "shape-rendering": "crispEdges", "aria-hidden": "true" }, h("path", { d: squares.join("") }));
}

/** @param {number[]} bytes @returns {number[]} */
function codewords(bytes) {
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length), ...bytes.flatMap(bitsOf), 0, 0, 0, 0];
  const data = [];
  for (let index = 0; index + 8 <= bits.length; index += 8) data.push(bits.slice(index, index + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  for (let pad = 0xec; data.length < dataBytes; pad ^= 0xec ^ 0x11) data.push(pad);
  return [...data, ...check(data)];
}

/** @param {number} byte */
const bitsOf = (byte) => Array.from({ length: 8 }, (_, index) => (byte >> (7 - index)) & 1);

/** Reed-Solomon over GF(256) with the polynomial 0x11d.
 * @param {number[]} data */
function check(data) {
  const generator = Array.from({ length: checkBytes }).reduce((/** @type {number[]} */ product, _, power) => {
    const root = raised(power);
    return [...product, 0].map((value, index) => value ^ (index > 0 ? times(product[index - 1], root) : 0));
  }, [1]);
  const rest = [...data, ...Array(checkBytes).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const factor = rest[index];
    if (factor) generator.forEach((value, offset) => { rest[index + offset] ^= times(value, factor); });
  }
  return rest.slice(data.length);
}

/** @param {number} power */
const raised = (power) => Array.from({ length: power }).reduce((/** @type {number} */ value) => times(value, 2), 1);

/** @param {number} one @param {number} other @returns {number} */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((other >> bit) & 1) product ^= one;
  }
  return product & 0xff;
}

/** @param {number[]} words @returns {boolean[][]} */
function drawn(words) {
  /** @type {(boolean | undefined)[][]} */
  const grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  const put = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ dark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y][x] = dark;
  };
  const rings = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ radius, /** @type {number[]} */ light) => {
    for (let y = -radius; y <= radius; y++) for (let x = -radius; x <= radius; x++) put(cx + x, cy + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) rings(x, y, 4, [2, 4]);
  rings(size - 7, size - 7, 2, [1]);
  for (let index = 8; index < size - 8; index++) {
    put(index, 6, index % 2 === 0);
    put(6, index, index % 2 === 0);
  }
  format(put);
  let bit = 0;
  const bits = words.flatMap(bitsOf);
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y][x] === undefined) grid[y][x] = ((bits[bit++] ?? 0) ^ ((x + y) % 2 === 0 ? 1 : 0)) === 1;
      }
    }
  }
  return /** @type {boolean[][]} */ (grid);
}

/** Level L and mask 0, with their check bits.
 * @param {(x: number, y: number, dark: boolean) => void} put */
function format(put) {
  const bits = 0b111011111000100;
  const dark = (/** @type {number} */ index) => ((bits >> index) & 1) === 1;
  for (let index = 0; index < 6; index++) put(8, index, dark(index));
  put(8, 7, dark(6));
  put(8, 8, dark(7));
  put(7, 8, dark(8));
  for (let index = 9; index < 15; index++) put(14 - index, 8, dark(index));
  for (let index = 0; index < 8; index++) put(size - 1 - index, 8, dark(index));
  for (let index = 8; index < 15; index++) put(8, size - 15 + index, dark(index));
  put(8, size - 8, true);
}
