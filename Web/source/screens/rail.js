import { go, node, ui } from "../app.js";
import { h } from "../dom/h.js";
import { find, unreadIn } from "../protocol/tree.js";
import { countOfNew, plain } from "../words/words.js";
import { icon } from "../parts/icon.js";
import { canLock, lock } from "../parts/locking.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Where one can go from everywhere, and which screens belong to it.
 * @type {{id: string, label: string, short?: string, icon: import("../parts/icon.js").Name, screens: RegExp, isLast?: boolean}[]} */
const places = [
  { id: "home", label: "rooms", icon: "message-square", screens: /^(rooms|chat|create|join|search|room_settings|safety_number)$/ },
  { id: "rooms.notes", label: "rooms.notes", icon: "file-text", screens: /^(notes?|folders?|note_settings|purge_note)$/ },
  { id: "rooms.apps", label: "rooms.apps", icon: "layout-grid", screens: /^(apps?|app_log|install_app|remove_app|apps_core)$/ },
  { id: "rooms.agents", label: "rooms.agents", icon: "bot", screens: /^(agents?|add_agent|agent_settings|agent_(threads|devices)|session_settings|agent_log)$/ },
  { id: "rooms.circle", label: "rooms.circle", short: "page.place.circle", icon: "users", screens: /^(circle|member|revoke)$/ },
  { id: "rooms.settings", label: "rooms.settings", icon: "settings", screens: /^(settings|identities)$/, isLast: true },
];

/** Where one is: a screen that belongs to several places, such as a summary, belongs to the one from which one came.
 * @type {string | undefined} */
let here;

/** @param {Node} root */
export function rail(root) {
  here = places.find(({ screens }) => screens.test(root.id))?.id ?? here;
  return h("nav", { key: "rail", class: "rail", "aria-label": plain("page.navigation") },
    h("span", { class: "logo" }, logo()),
    places.filter(({ id }) => id === "home" || node(id)).map((place) => [
      // In a narrow window there is no room for it; the settings have it, too.
      place.isLast && ui.isWide && canLock() && h("button", { key: "lock", type: "button", title: plain("settings.lock"), class: "place last", "aria-label": plain("settings.lock"), onclick: lock }, icon("lock")),
      button(place, place.id === "home" ? unreadIn(find(root, "rooms.beside") ?? root) : node(place.id)?.facts?.unread ?? 0),
    ]));
}

/** A place, and how much in it is new. What the host says of a place stands at the button that leads there; of the rooms it lists each.
 * @param {typeof places[number]} place @param {number} unread */
function button({ id, label, short, icon: picture, isLast }, unread) {
  const name = unread ? `${plain(label)}, ${plain(countOfNew(unread))}` : plain(label);
  return h("button", { key: id, type: "button", title: name, class: isLast ? "place last" : "place", "aria-label": name, "aria-current": id === here ? "page" : null, onclick: () => go(id) },
    icon(picture), unread > 0 && h("i", { class: "place-new", "aria-hidden": "true" }, unread > 99 ? "99+" : unread), h("span", { class: "place-name" }, plain(short ?? label)));
}

export function logo() {
  return h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    h("path", { d: "M4 21v-9a8 8 0 0 1 16 0v9M9 21v-8a3 3 0 0 1 6 0v8" }));
}
