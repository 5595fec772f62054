// Beside a wide conversation: who it is with, how the two are connected, and what they gave each other.

import { act, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say, size } from "../words/words.js";
import { roomOf } from "../protocol/tree.js";
import { avatar } from "../parts/avatar.js";
import { iconButton } from "../parts/controls.js";
import { fact, way } from "../parts/group.js";
import { icon } from "../parts/icon.js";
import { goTo } from "./place.js";
import { compare } from "./talk.js";

/** @typedef {import("../protocol/types").Node} Node */

const files = 30;

/** @param {Node} root */
export function inspector(root) {
  const status = root.children?.find(({ id }) => id === "chat.status");
  const { verification, lifetime } = status?.facts ?? {};
  const isVerified = verification === "verified";
  const close = () => { ui.inspects = false; redraw(); };
  return h("aside", { key: "inspector", class: "inspector", "aria-label": plain("page.inspector") },
    h("header", null, iconButton("x", "page.close", close)),
    h("div", { class: "hero" }, avatar(`room.${roomOf(root)}`, root.label, "large"), h("h2", null, say(root.label))),
    h("div", { class: "card" },
      verification && way("verification", "room_settings.safety_number", compare, { about: isVerified ? "page.verified" : "verification.none", picture: isVerified ? "shield-check" : "shield-alert" }),
      status && fact("link", "page.inspector.link", say(status.label)),
      status?.detail && fact("path", "page.inspector.path", say(status.detail)),
      fact("lifetime", "room_settings.lifetime", say(lifetime ?? "lifetime.keep")),
      way("settings", "chat.settings", () => void act("chat.settings"), { picture: "settings-2" })),
    given((root.children?.find(({ id }) => id === "chat.messages")?.children ?? []).filter(({ facts }) => facts?.bytes !== undefined)));
}

/** The newest first, of the messages that are here.
 * @param {Node[]} messages */
function given(messages) {
  if (!messages.length) return h("p", { key: "none", class: "quiet narrow" }, say("page.inspector.none"));
  return h("section", { key: "files", class: "group", "aria-labelledby": "inspector.files" }, h("h3", { class: "group-name", id: "inspector.files" }, say("page.inspector.files")),
    h("div", { class: "card" }, messages.slice(-files).reverse().map((node) => h("button", { key: node.id, type: "button", class: "row", onclick: () => goTo(node.id) },
      h("span", { class: "row-picture" }, icon(node.facts?.media?.kind === "picture" ? "image" : "file")),
      h("span", { class: "row-words" }, h("span", { class: "file-name" }, say(node.label)), h("small", null, size(node.facts?.bytes ?? 0)))))));
}
