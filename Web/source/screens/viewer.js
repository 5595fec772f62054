// Pictures and films in the full window, one after the other.

import { ui } from "../app.js";
import { h } from "../dom/h.js";
import { find } from "../protocol/tree.js";
import { iconButton } from "../parts/controls.js";
import { save } from "../parts/file.js";
import { address, isVideo, isViewable, nameOf } from "../parts/files.js";
import { close, open, viewed, zoomTo } from "../parts/viewing.js";

/** @typedef {import("../protocol/types").Node} Node */

const factor = 1.5;

/** What there is to see in the conversation, or was given to an agent; else what was given to the viewer.
 * @returns {Node[]} */
const all = () => viewed()?.among ?? [find(ui.root, "chat.messages") ?? find(ui.root, "agent.items")].flatMap((list) => list?.children ?? []).flatMap((node) => [node, node.children ?? []].flat()).filter(isViewable);

/** @returns {import("../dom/h.js").Element_ | null} */
export function viewer() {
  const viewing = viewed();
  if (!viewing) return null;
  const shown = all();
  const place = shown.findIndex((node) => node.id === viewing.id);
  const node = shown[place];
  // It may be deleted while somebody looks at it.
  if (!node) return h("span", { key: "viewer.gone", hidden: true, made: close });
  const step = (/** @type {number} */ by) => h("span", { key: `step.${by}` },
    shown.length > 1 && iconButton(by < 0 ? "chevron-left" : "chevron-right", by < 0 ? "page.previous" : "page.next", () => open(shown[place + by]), { class: "viewer-step", disabled: !shown[place + by] }));
  return h("dialog", { key: "viewer", class: "viewer", "aria-label": nameOf(node), onclose: close, made: begin, left: (/** @type {HTMLDialogElement} */ element) => element.close() },
    h("header", { class: "viewer-head" },
      h("h2", null, h("bdi", null, nameOf(node))), shown.length > 1 && h("span", { class: "digits" }, `${place + 1} / ${shown.length}`),
      h("span", { class: "viewer-actions" },
        !isVideo(node) && iconButton("zoom-out", "page.zoom.out", () => zoomTo(viewing.zoom / factor), { disabled: viewing.zoom <= 1, key: "out" }),
        !isVideo(node) && iconButton("zoom-in", "page.zoom.in", () => zoomTo(viewing.zoom * factor), { disabled: viewing.zoom >= 8, key: "in" }),
        save(node), iconButton("x", "page.close", (event) => event.currentTarget.closest("dialog").close(), { key: "close" }))),
    h("div", { class: "viewer-body" }, step(-1), stage(node, viewing.zoom), step(1)));
}

/** @param {HTMLDialogElement} dialog */
function begin(dialog) {
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector(".viewer-stage"))?.focus();
}

/** @param {Node} node @param {number} zoom */
function stage(node, zoom) {
  return h("div", {
    key: "stage", class: zoom > 1 ? "viewer-stage zoomed" : "viewer-stage", tabindex: -1,
    ondblclick: () => !isVideo(node) && zoomTo(zoom > 1 ? 1 : 2), onwheel: (/** @type {WheelEvent} */ event) => wheel(event, zoom),
    onpointermove: (/** @type {any} */ event) => zoom > 1 && event.buttons === 1 && event.currentTarget.scrollBy(-event.movementX, -event.movementY),
  }, isVideo(node)
    ? h("video", { key: node.id, src: address(node), controls: true, autoplay: true, playsinline: true, "aria-label": nameOf(node), left: (/** @type {HTMLVideoElement} */ element) => element.pause() })
    : h("img", { key: node.id, src: address(node), alt: nameOf(node), draggable: "false", style: { "--zoom": zoom } }));
}

/** @param {WheelEvent} event @param {number} zoom */
function wheel(event, zoom) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(event.deltaY < 0 ? zoom * factor : zoom / factor);
}

/** What keys do while somebody looks, wherever the focus is.
 * @param {KeyboardEvent} event */
export function viewerKeys(event) {
  const viewing = viewed();
  if (!viewing || event.target instanceof HTMLVideoElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const shown = all();
  const place = shown.findIndex((node) => node.id === viewing.id);
  const step = document.dir === "rtl" ? -1 : 1;
  const next = { ArrowRight: place + step, ArrowLeft: place - step, Home: 0, End: shown.length - 1 }[event.key];
  const zoom = { "+": viewing.zoom * factor, "=": viewing.zoom * factor, "-": viewing.zoom / factor, 0: 1 }[event.key];
  if (next !== undefined) shown[next] && open(shown[next]);
  else if (zoom) zoomTo(zoom);
  else return;
  event.preventDefault();
}
