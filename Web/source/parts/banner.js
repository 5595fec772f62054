import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { act } from "../app.js";
import { iconButton, offered } from "./controls.js";
import { icon } from "./icon.js";

/** @type {Record<string, import("./icon.js").Name>} */
const pictures = { "chat.unverified": "shield-alert", "chat.proposal": "timer", "chat.offer": "users", "chat.keys": "key-round", storage: "hard-drive" };

/** What a person should know or decide, with what can be done about it.
 * @param {import("../protocol/types").Node} node */
export function banner(node) {
  const children = node.children ?? [];
  const dismiss = children.find((child) => child.id.endsWith(".dismiss"));
  return h("div", { key: node.id, class: "banner", role: "group", "aria-label": plain(node.label) },
    icon(pictures[node.id] ?? "info"),
    h("div", { class: "banner-words" }, node.detail && h("small", null, say(node.detail)), h("span", null, say(node.label)),
      node.value && "text" in node.value && h("small", null, h("bdi", null, node.value.text))),
    h("div", { class: "banner-actions" }, children.filter((child) => child !== dismiss).map((child, index) => offered(child, index ? "quiet small" : "small"))),
    dismiss && iconButton("x", dismiss.label, () => act(dismiss.id)));
}
