// What would be sent to a model, all of it, and to which: nothing goes out before the person says so.

import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { say } from "../words/words.js";
import { banner } from "../parts/banner.js";
import { offered } from "../parts/controls.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function summary(root) {
  const part = (/** @type {string} */ name) => root.children?.find(({ id }) => id === `summary.${name}`);
  const [models, reading, nothing, copy, prompt] = ["models", "reading", "nothing", "copy", "prompt"].map(part);
  const [cancel, retry] = ["cancel", "retry"].map(part);
  // Its id says what is sent, and to whom.
  const send = root.children?.find(({ id }) => id.startsWith("summary.send."));
  const problems = ["none", "keeps_nothing", "problem"].flatMap((name) => part(name) ?? []);
  return h("div", { key: root.id, class: "sheet summary" },
    problems.map(banner),
    models && generic(models),
    reading && h("p", { key: "reading", class: "quiet", role: "status" }, h("span", { class: "busy" }), say(reading.label)),
    nothing && h("p", { key: "nothing", class: "quiet" }, say(nothing.label)),
    prompt && h("section", { key: "prompt", class: "group", "aria-labelledby": "summary-prompt" },
      h("h2", { id: "summary-prompt", class: "group-name" }, say(prompt.label)),
      h("div", { class: "card tool-part" }, h("pre", { tabindex: "0", dir: "auto", role: "group", "aria-labelledby": "summary-prompt" }, textOf(prompt)))),
    copy && h("p", { key: "copy", class: "group-about" }, say(copy.label)),
    h("div", { key: "actions", class: "actions" }, cancel && offered(cancel), retry && offered(retry), send && offered(send, "primary", "send-horizontal")));
}
