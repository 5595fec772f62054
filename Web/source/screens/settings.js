// Settings: everything on one sheet, in sections that a list beside it leads to.

import { act, redraw, ui } from "../app.js";
import { h } from "../dom/h.js";
import { plain, say } from "../words/words.js";
import { press } from "../parts/controls.js";
import { archive } from "./archive.js";
import { field } from "../parts/fields.js";
import { group, way } from "../parts/group.js";
import { icon } from "../parts/icon.js";
import { passphrase } from "../parts/passphrase.js";
import { generic } from "./generic.js";
import { iceServers } from "./ice-servers.js";
import { server } from "./server.js";
import { storage } from "./storage.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {Node} root */
export function settings(root) {
  /** @type {Map<string, Node>} */
  const left = new Map((root.children ?? []).filter(({ id }) => id.startsWith("settings.")).map((child) => [child.id.slice("settings.".length), child]));
  left.delete("title");
  const take = (/** @type {string} */ name) => {
    const found = left.get(name);
    left.delete(name);
    return found;
  };
  const sections = [you(take), appearance(take), languages(take), lock(take), notifications(take), server(take), iceServers(take), storage(take), archive(take), about(take)];
  if (left.size) sections.push(group("settings-more", "page.more", [...left.values()].map((node) => generic(node))));
  return h("div", { key: "settings", class: "settings", made: watch },
    h("nav", { class: "sections", "aria-label": plain("page.sections") }, sections.map((section) => h("button", { key: section.props.id, type: "button", "aria-current": section.props.id === current ? "true" : null, onclick: () => jump(section.props.id) }, heading(section)))),
    h("div", { class: "sheet" }, sections));
}

/** The section that is read. */
let current = "settings-you";

/** @param {HTMLElement} element */
function watch(element) {
  current = "settings-you";
  const body = element.closest(".screen-body");
  body?.addEventListener("scroll", () => {
    const edge = body.getBoundingClientRect().top + body.clientHeight / 4;
    const isAtEnd = body.scrollTop + body.clientHeight >= body.scrollHeight - 1;
    const read = [...element.querySelectorAll(".sheet > .group")].filter((section) => isAtEnd || section.getBoundingClientRect().top <= edge).at(-1)?.id;
    if (!read || read === current) return;
    current = read;
    redraw();
  }, { passive: true });
}

/** The heading of a section, once more in the list.
 * @param {import("../dom/h.js").Element_} section */
const heading = (section) => /** @type {any} */ (section.children[0]).children;

/** @param {string} id */
function jump(id) {
  const section = document.getElementById(id);
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}

/** @typedef {(name: string) => Node | undefined} Take */

/** @param {Take} take */
function you(take) {
  const name = take("name");
  return group("settings-you", "page.section.you", [name && field(name, { autocomplete: "name" })], "page.name.about", "user-round");
}

/** @param {Take} take */
function appearance(take) {
  const theme = take("theme");
  return group("settings-appearance", "settings.theme", [
    theme && h("div", { key: "theme", class: "themes", role: "radiogroup", "aria-label": plain(theme.label) }, theme.children?.map((choice) => {
      const name = choice.id.split(".").at(-1) ?? "";
      return h("button", { key: choice.id, type: "button", role: "radio", "aria-checked": String(!!choice.is_selected), class: "theme", onclick: () => choice.is_selected || act(choice.id) },
        h("span", { class: `preview ${name}`, "aria-hidden": "true" }, (name === "system" ? ["light", "dark"] : [name]).map((half) => h("span", { key: half, "data-theme": half }, h("i"), h("i"), h("i")))),
        h("span", { class: "theme-name" }, choice.is_selected && icon("check"), h("span", null, say(choice.label))));
    })),
  ], undefined, "palette");
}

/** @param {Take} take */
function lock(take) {
  const set = take("passphrase");
  const others = ["auto_lock", "cover", "passphrase.remove"].flatMap((name) => take(name) ?? []);
  const now = take("lock");
  return group("settings-lock", "page.section.lock", [
    set && passphrase(set), others.map((node) => generic(node)),
    now && way(now.id, now.label, () => press(now), { picture: "lock" }),
  ], take("passphrase.remove") ? "page.lock.set" : "page.lock.why", "lock");
}

/** @param {Take} take */
const languages = (take) => group("settings-language", "settings.language", [choices(take("language"))], undefined, "languages");

/** @param {Take} take */
const notifications = (take) => group("settings-notifications", "settings.notifications", [choices(take("notifications"))], "page.notifications.about", "bell");

/** @param {Node | undefined} node */
const choices = (node) => node && h("div", { key: "choices", class: "card-group", role: "radiogroup", "aria-label": plain(node.label) }, node.children?.map((choice) => generic(choice)));

/** @param {Take} take */
function about(take) {
  const [identities, erase] = [take("identities"), take("erase")];
  const open = (/** @type {typeof ui.sheet} */ sheet) => { ui.sheet = sheet; redraw(); };
  return group("settings-profile", "page.section.profile", [
    identities && way(identities.id, identities.label, () => act(identities.id), { about: "identities.about", picture: "key-round" }),
    way("report", "page.report", () => open("report"), { about: "page.report.about", picture: "file-search" }),
    way("help", "page.help", () => open("help"), { picture: "keyboard" }),
    h("a", { key: "licences", class: "row", href: "/licences.txt", target: "_blank", rel: "noopener" }, h("span", { class: "row-picture" }, icon("scroll-text")), h("span", { class: "row-words" }, say("page.licences")), icon("external-link")),
    erase && way(erase.id, erase.label, () => press(erase), { about: "page.erase.about", picture: "trash-2", isDestructive: true }),
  ], undefined, "user-round-cog");
}
