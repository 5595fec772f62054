// The forms that make a room or join one, the lock, and what stands there while no room is open.

import { act, go, secret, toast } from "../app.js";
import { h } from "../dom/h.js";
import { isRefused } from "../protocol/requests.js";
import { plain, say } from "../words/words.js";
import { whole } from "../words/times.js";
import { banner } from "../parts/banner.js";
import { button, press } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { icon } from "../parts/icon.js";
import { logo } from "./rail.js";
import { first } from "./welcome.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root @param {string} id */
const child = (root, id) => root.children?.find((child) => child.id === id);

/** @param {Node} root */
export function create(root) {
  const [name, expires, submit] = ["create.name", "create.expires", "create.submit"].map((id) => child(root, id));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    flush("create.name");
    void act("create.submit");
  };
  return h("form", { key: "create", class: "centred form", onsubmit: send },
    h("span", { class: "glyph" }, icon("message-square-plus")), h("p", { class: "quiet" }, say("welcome.invite.how")),
    name && field(name), expires && choices(expires),
    submit && button(submit.label, () => {}, { type: "submit", class: "primary wide", disabled: submit.is_enabled === false, "aria-busy": submit.is_busy ? "true" : null }));
}

/** @param {Node} node */
function choices(node) {
  return h("fieldset", { key: node.id, class: "choices" }, h("legend", null, say(node.label)),
    h("div", { class: "segments", role: "radiogroup", "aria-label": plain(node.label) }, node.children?.map((choice) => h("button", {
      key: choice.id, type: "button", role: "radio", "aria-checked": String(!!choice.is_selected), onclick: () => choice.is_selected || act(choice.id),
    }, say(choice.label)))));
}

/** @param {Node} root */
export function join(root) {
  const [name, submit] = ["join.name", "join.submit"].map((id) => child(root, id));
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem("code");
    const text = box.value.trim();
    const [, digits = "", rest = ""] = /^((?:\d[\s-]*){6})?(.*)$/.exec(text) ?? [];
    const words = rest.trim().split(/[\s-]+/).join("-");
    flush("join.name");
    void act("join.code", "set_text", { code: digits.replace(/\D/g, "") || text });
    if (words) {
      const reference = await secret(words.toLowerCase(), false);
      // Without its words the room would be joined unverified.
      if (!reference) return;
      void act("join.words", "set_secret", { words: reference });
    }
    // What is no code cannot be sent.
    const code = await act("join.submit");
    box.setAttribute("aria-invalid", String(isRefused(code)));
    if (isRefused(code)) toast("page.join.about");
  };
  return h("form", { key: "join", class: "centred form", onsubmit: send },
    h("span", { class: "glyph" }, icon("log-in")), h("p", { class: "quiet" }, say("page.join.about")),
    h("div", { class: "field" }, h("label", { for: "join-code" }, say("page.join.code")),
      h("input", { id: "join-code", name: "code", type: "text", class: "code-box", placeholder: "482913-maple-otter", autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true, dir: "ltr",
        made: (/** @type {HTMLElement} */ element) => element.focus() })),
    name && field({ ...name, is_focused: false }),
    submit && button(submit.label, () => {}, { type: "submit", class: "primary wide", "aria-busy": submit.is_busy ? "true" : null }));
}

/** @param {Node} root */
export function lock(root) {
  const box = child(root, "lock.passphrase");
  const wait = child(root, "lock.wait");
  const moving = child(root, "lock.moving");
  const erase = child(root, "lock.erase");
  const notices = (root.children ?? []).flatMap((node) => (node.id === "notices" ? node.children ?? [] : node.role === "banner" ? [node] : []));
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem("passphrase");
    const reference = await secret(input.value, true);
    if (!reference) return;
    input.value = "";
    void act("lock.passphrase", "set_secret", { passphrase: reference });
  };
  return h("main", { key: "lock", id: "main", class: "centred lock" }, h("form", { class: "form", onsubmit: send },
    h("span", { class: "logo large" }, logo()), h("h1", null, say(child(root, "lock.title")?.label)), h("p", { class: "quiet" }, say("page.lock.about")),
    notices.map(banner),
    box && h("input", { key: "passphrase", type: "password", name: "passphrase", autocomplete: "current-password", required: true, "aria-label": plain(box.label), placeholder: plain(box.label),
      disabled: box.is_enabled === false, made: (/** @type {HTMLElement} */ element) => element.focus() }),
    moving?.value && "done" in moving.value && h("div", { key: "moving", class: "quiet", role: "status" }, h("p", null, say(moving.label)),
      h("progress", { max: Math.max(1, moving.value.total), value: moving.value.done, "aria-label": plain(moving.label) })),
    wait?.value && "time" in wait.value && h("p", { class: "quiet", role: "status" }, say(wait.label), " ", whole(wait.value.time)),
    button("page.unlock", () => {}, { type: "submit", class: "primary wide", disabled: box?.is_enabled === false, "aria-busy": box?.is_busy ? "true" : null }),
    erase && button(erase.label, () => press(erase), { class: "quiet small" })));
}

/** What stands beside the list while no room is open.
 * @param {Node} root */
export function home(root) {
  const welcome = child(root, "welcome");
  if (welcome) return first(welcome);
  const empty = child(root, "rooms.empty");
  return h("main", { key: "home", id: "main", class: "centred empty" },
    h("span", { class: "logo large" }, logo()), h("p", null, say(empty ? empty.label : "page.home")),
    h("div", { class: "actions" }, button("rooms.create", () => go("rooms.create"), { class: "primary" }, "message-square-plus"),
      button("rooms.join", () => go("rooms.join"), {}, "log-in")));
}
