// QR codes: the host makes them, the page draws them.

import { connection, redraw } from "../app.js";
import { h } from "../dom/h.js";
import { plain } from "../words/words.js";

/** The paths of those that are known, by their texts; empty while the host is asked.
 * @type {Map<string, {side: number, path: string}>} */
const known = new Map();
const quiet = 4;
const limit = 20;

/** @param {string} text @param {import("../words/words.js").Words} label */
export function qrCode(text, label) {
  const code = known.get(text);
  if (!code) void draw(text);
  const { side, path } = code ?? { side: 21, path: "" };
  const size = side + 2 * quiet;
  return h("div", { class: "qr", role: "img", "aria-label": plain(label), "aria-busy": path ? null : "true" },
    h("svg", { viewBox: `${-quiet} ${-quiet} ${size} ${size}`, "shape-rendering": "crispEdges", "aria-hidden": "true" }, h("path", { d: path })));
}

/** @param {string} text */
async function draw(text) {
  if (known.size >= limit) known.clear();
  known.set(text, { side: 21, path: "" });
  /** @type {{rows: string[]} | undefined} */
  const answer = await connection.ask("qr_code", { text });
  const rows = answer?.rows ?? [];
  const path = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)).join("");
  known.set(text, { side: rows.length || 21, path });
  redraw();
}
