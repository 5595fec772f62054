// A room that waits for somebody: the code and the words, large enough to be read out.

import { connection, copy, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { countdown } from "../words/times.js";
import { button } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { qrCode } from "../parts/qr.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} part */
export function invitation(part) {
  const code = textOf(part("code"));
  const words = secretOf(part("words"));
  const whole = [code, ...(words ? [words.replaceAll(" ", "-")] : [])].join("-");
  const expires = part("expires")?.value;
  const until = expires && "time" in expires ? expires.time : undefined;
  return h("div", { key: "invitation", class: "invitation" },
    h("p", { class: "quiet" }, say("page.code.about")),
    h("p", { class: "code" }, h("span", null, code.slice(0, 3)), " ", h("span", null, code.slice(3))),
    words && h("p", { class: "words" }, words.replaceAll("-", " ")),
    whole && qrCode(whole, "page.qr"),
    h("div", { class: "actions" }, button("page.copy.invitation", () => copy(whole), { class: "primary" }, "copy")),
    h("p", { class: "quiet narrow" }, say("page.code.server")),
    until !== undefined && h("span", { class: "chip" }, icon("clock"), h("span", { class: "ticking", made: (/** @type {HTMLElement} */ element) => tick(element, until) })));
}

/** The words behind the reference, as soon as the host has told them.
 * @param {Node | undefined} node */
function secretOf(node) {
  if (!node?.value || !("secret" in node.value)) return "";
  const { secret } = node.value;
  const known = ui.secrets.get(secret);
  if (known !== undefined) return known;
  ui.secrets.set(secret, "");
  void connection.ask("secret", { ref: secret }).then((text) => {
    ui.secrets.set(secret, String(text ?? ""));
    redraw();
  });
  return "";
}

/** @param {HTMLElement} element @param {number} until */
function tick(element, until) {
  const write = () => {
    const left = until - Date.now();
    element.textContent = left > 0 ? plain(key("page.code.left", { time: { said: countdown(left) } })) : plain("page.code.over");
  };
  write();
  const timer = setInterval(() => (element.isConnected ? write() : clearInterval(timer)), 1000);
}
