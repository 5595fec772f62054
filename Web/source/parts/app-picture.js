import { h } from "../dom/h.js";
import { avatar } from "./avatar.js";

/** The picture of an app, or its first letter.
 * @param {import("../protocol/types").Node} node of the app @param {import("../words/words.js").Words} name @param {string} [size] */
export function appPicture(node, name, size = "") {
  const icon = node.facts?.icon;
  if (!icon) return avatar(node.id, name, `app ${size}`);
  return h("img", { class: `app-icon ${size}`, src: `/app-pictures/${encodeURIComponent(icon.app)}?${encodeURIComponent(icon.version)}`, alt: "", width: 48, height: 48 });
}
