// The first minute: what this is, a passphrase and why, a server that answers, and then somebody to talk to.

import { act, go, redraw } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { button, offered } from "../parts/controls.js";
import { field, flush } from "../parts/fields.js";
import { icon } from "../parts/icon.js";
import { passphrase } from "../parts/passphrase.js";
import { restoring } from "./archive.js";
import { logo } from "./rail.js";
import { serverForm } from "./server.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The step that was opened by hand.
 * @type {string | undefined} */
let opened;
/** Whether the server was asked: once, so that nobody invites a person in vain. */
let hasAsked = false;

/** @param {Node} welcome */
export function first(welcome) {
  const steps = welcome.children?.find((node) => node.id === "welcome.steps")?.children ?? [];
  const about = welcome.children?.find((node) => node.id === "welcome.about");
  const done = welcome.children?.find((node) => node.id === "welcome.done");
  const step = (/** @type {string} */ name) => steps.find(({ id }) => id === `welcome.${name}`);
  const [name, protect, server, invite, join, restore] = ["name", "passphrase", "server", "invite", "join", "restore"].map(step);
  const health = server && state(server);
  const check = server && child(server, "server.check");
  if (check && !health && !hasAsked) {
    hasAsked = true;
    void act(check.id);
  }
  const isAlone = !!health?.facts?.failure;
  return h("main", { key: "welcome", id: "main", class: "centred welcome" },
    h("span", { class: "logo large" }, logo()), h("h1", null, say(welcome.label)), h("p", { class: "lead" }, say(about?.label)),
    h("ol", { class: "card steps" },
      name && unfolding(name, "user-round", !!name.is_selected, [name.children?.[0] && nameForm(name.children[0])]),
      protect && unfolding(protect, "lock", !!protect.is_selected, [h("p", { class: "quiet" }, say("welcome.passphrase.why")), protect.children?.[0] && passphrase(protect.children[0])]),
      server && unfolding(server, "server", !!health && !isAlone, [h("p", { class: "quiet" }, say(isAlone ? "page.welcome.no_server" : "page.server.about")), serverForm(child(server, "server"), child(server, "server.check"), health)], isAlone ? "page.welcome.no_server.short" : undefined),
      restore && unfolding(restore, "archive-restore", false, [restore.children?.[0] && restoring(restore.children[0])])),
    h("div", { class: "actions" },
      invite && button(invite.label, () => go("rooms.create"), { class: "primary", title: plain(invite.detail) }, "user-plus"),
      join && button(join.label, () => go("rooms.join"), { title: plain(join.detail) }, "log-in")),
    done && offered(done, "quiet small"));
}

/** What is typed is kept at once; the button goes on to what comes next.
 * @param {Node} node */
function nameForm(node) {
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    flush(node.id);
    opened = "welcome.passphrase";
    redraw();
  };
  return h("form", { key: "form", class: "name-form", onsubmit: submit }, field(node, { autocomplete: "name" }), button("page.next", () => {}, { type: "submit", class: "small primary" }));
}

/** @param {Node} step @param {string} name */
const child = (step, name) => step.children?.find(({ id }) => id === `settings.${name}`);

/** @param {Node} step */
const state = (step) => child(step, "server.state");

/** @param {Node} step @param {import("../parts/icon.js").Name} picture @param {boolean} isDone @param {any} content
 * @param {string} [warning] */
function unfolding(step, picture, isDone, content, warning) {
  const isOpen = opened === step.id && !(isDone && step.id === "welcome.passphrase");
  const toggle = () => {
    opened = isOpen ? undefined : step.id;
    redraw();
  };
  return h("li", { key: step.id },
    h("button", { type: "button", class: "row", "aria-expanded": String(isOpen), "aria-controls": `${step.id}.content`, onclick: toggle },
      h("span", { class: isDone ? "step-picture done" : warning ? "step-picture warning" : "step-picture" }, icon(isDone ? "check" : warning ? "circle-alert" : picture)),
      h("span", { class: "row-words" }, h("span", null, say(step.label)), h("small", { class: warning ? "warning" : null }, warning && [say(warning), " "], say(step.id === "welcome.passphrase" && !isDone ? "page.welcome.optional" : step.detail))), icon(isOpen ? "chevron-up" : "chevron-down")),
    h("div", { id: `${step.id}.content`, class: "step-content", hidden: !isOpen }, isOpen && content));
}
