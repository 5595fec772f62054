// The frame of the page: places, list, and what is open.

import { act, back, comesFromSearch, go, redraw, redrawNow, ui } from "./app.js";
import { h } from "./dom/h.js";
import { find, roomOf, unreadIn } from "./protocol/tree.js";
import { plain, say } from "./words/words.js";
import { isComposing } from "./parts/composing.js";
import { iconButton } from "./parts/controls.js";
import { further, isFurther, sheet as openSheet } from "./parts/later.js";
import { layers, notices, offline } from "./parts/layers.js";
import { prompt } from "./parts/prompt.js";
import { sending } from "./parts/sending.js";
import { agent } from "./screens/agent.js";
import { agents, noSession, ofAgents } from "./screens/agents.js";
import { apps, showWindows } from "./screens/apps.js";
import { create, home, join, lock } from "./screens/forms.js";
import { sheet, strip } from "./screens/generic.js";
import { inspector } from "./screens/inspector.js";
import { noteScreen, prepareNotes } from "./screens/note.js";
import { listOf, noNote, notes, ofNotes } from "./screens/notes.js";
import { isOfPanels, panels, panelsButton } from "./screens/panels.js";
import { palette } from "./screens/palette.js";
import { logo, rail } from "./screens/rail.js";
import { rooms } from "./screens/rooms.js";
import { search } from "./screens/search.js";
import { talk } from "./screens/talk.js";
import { viewer, viewerKeys } from "./screens/viewer.js";
import { leaveText } from "./parts/focus.js";
import { onlyIn } from "./parts/sound.js";
import { viewed } from "./parts/viewing.js";
import { first } from "./screens/welcome.js";

/** @typedef {import("./protocol/types").Node} Node */

/** Screens that stand beside the list of rooms. */
const ofRooms = /^(rooms|chat|create|join|search|room_settings|safety_number)$/;
const topScreens = /^(create|join|settings|notes|note|apps|circle|add_agent|agent_settings)$/;
/** Screens that are a list in a narrow window. */
const ofLists = /^(rooms|notes|agents)$/;

/** @param {Node | undefined} root */
export function page(root) {
  appear(root?.facts);
  if (!root) return h("div", { key: "skeleton", class: "skeleton", "aria-busy": "true" }, offline(), ...layers());
  onlyIn(root.id === "chat" ? roomOf(root) : undefined);
  document.title = title(root);
  if (root.id === "lock") return h("div", { key: "locked", class: "frame alone" }, lock(root), offline(), openSheet(), cover(), ...layers());
  const hasList = ofRooms.test(root.id);
  const isOfNotes = ofNotes.test(root.id);
  const isOfAgents = ofAgents.test(root.id);
  const hasDetail = ui.isWide || !ofLists.test(root.id);
  const inspects = root.id === "chat" && ui.inspects && ui.isVeryWide;
  const kind = ["frame", hasList ? "with-list" : isOfNotes ? "with-notes" : isOfAgents ? "with-agents" : "without-list", inspects ? "with-inspector" : "", root.id === "rooms" ? "at-rooms" : "at-detail"].join(" ");
  if (root.id === "notes") prepareNotes();
  showWindows(root);
  return h("div", { key: "frame", class: kind },
    h("a", { class: "skip", href: "#main" }, say("page.skip")),
    ui.isWide || root.id === "rooms" ? rail(root) : null,
    hasList && (ui.isWide || root.id === "rooms") ? rooms(root, roomOf(root)) : null,
    isOfNotes && (ui.isWide || !hasDetail) ? notes(root) : null,
    isOfAgents && (ui.isWide || !hasDetail) ? agents(root) : null,
    hasDetail ? detail(root) : root.id === "rooms" ? narrowWelcome(root) : null,
    inspects && inspector(root),
    palette(root), openSheet(),
    viewer(), notices(root), prompt(), sending(), cover(), ...layers());
}

/** The colours that the person chose, in every window alike.
 * @param {Node["facts"]} facts */
function appear(facts) {
  if (facts?.theme) document.documentElement.dataset.theme = facts.theme;
  else delete document.documentElement.dataset.theme;
  ui.covers = facts?.covers ?? false;
}

const isCovered = () => ui.isAway && ui.covers;

/** Hides everything while another window is in front. */
const cover = () => isCovered() && h("div", { key: "cover", class: "cover" }, h("span", { class: "logo large" }, logo()), h("p", { class: "quiet" }, say("page.covered")));

/** @param {Node} root */
function detail(root) {
  switch (root.id) {
    case "rooms": return home(root);
    case "chat": return talk(root);
    case "create": return screen(root, create(root));
    case "join": return screen(root, join(root));
    case "notes": return noNote();
    case "note": return find(root, "note.editor") ? noteScreen(root)
      : screen(root, h("div", { key: "note", class: "note-frame" }, sheet(root, isOfPanels), panels(root)), panelsButton(root));
    case "agents": return noSession(root);
    case "agent": return agent(root);
    case "search": return screen(root, search(root));
    case "apps": return screen(root, apps(root));
    default: return screen(root, isFurther.test(root.id) ? further(root) : sheet(root));
  }
}

/** @param {Node} root */
function narrowWelcome(root) {
  const welcome = find(root, "welcome");
  const isEmpty = find(root, "rooms.empty");
  return welcome ? first(welcome) : isEmpty ? home(root) : null;
}

/** @param {Node} root @param {any} content @param {any} [actions] */
function screen(root, content, actions) {
  const isForm = root.id === "create" || root.id === "join";
  const canGoBack = find(root, "back") && !(ui.isWide && topScreens.test(root.id));
  return h("main", { key: `screen.${root.id}`, id: "main", class: "screen" },
    h("header", { class: "head" }, canGoBack && iconButton("chevron-left", "page.back", back),
      h("h1", null, say(root.label)), actions && h("div", { class: "head-actions" }, actions)),
    ui.isWide && [ofRooms, ofNotes, ofAgents].some((list) => list.test(root.id)) ? null : offline(),
    isForm ? h("div", { key: "body", class: "screen-body" }, strip(root, (id) => id.startsWith(`${root.id}.`)), content) : h("div", { key: "body", class: "screen-body" }, content));
}

/** Everybody reads it, also of a window that is hidden: a lock leaves no name in it, and a cover neither.
 * @param {Node} root */
function title(root) {
  const rooms = find(root, "rooms.beside") ?? root;
  // Of a hidden window the host tells the number alone, and while it is locked nothing.
  const unread = ui.cover ? ui.cover.facts?.unread : unreadIn(rooms);
  if (root.id === "lock" || unread === undefined) return "Alcove";
  return `${unread ? `(${unread}) ` : ""}${isCovered() ? "" : `${plain(root.label)} · `}Alcove`;
}

/** @param {KeyboardEvent} event */
export function shortcuts(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  const isTyping = event.target instanceof HTMLElement && (/^(INPUT|TEXTAREA)$/.test(event.target.tagName) || event.target.isContentEditable);
  if (ui.root?.id === "lock" || event.defaultPrevented || isComposing(event)) return;
  if (viewed()) return viewerKeys(event);
  if (isCommand && event.key.toLowerCase() === "k") ui.sheet = ui.sheet === "palette" ? undefined : "palette";
  else if (isCommand && event.shiftKey && event.key.toLowerCase() === "o") void go("rooms.create");
  else if (isCommand && event.shiftKey && event.key.toLowerCase() === "f") searchAll();
  else if (isCommand && event.key.toLowerCase() === "f" && find(ui.root, "chat.search")) void act("chat.search");
  else if (isCommand && event.key === "/") /** @type {HTMLElement | null} */ (document.querySelector(".composer textarea"))?.focus();
  else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) neighbour(event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "?" && !isTyping && !isCommand) ui.sheet = "help";
  else if (event.key === "Escape" && !ui.sheet && !ui.question && !ui.menu && !document.querySelector("dialog[open]")) escape(isTyping);
  else return;
  event.preventDefault();
  // What is typed next belongs to the sheet, also in the time of one picture.
  if (ui.sheet) redrawNow();
  else redraw();
}

/** Beside the list of rooms the search comes on top of what is open, so that Escape leads back there. */
function searchAll() {
  if (find(ui.root, "rooms.search")) {
    if (ui.root?.id === "search") void back();
    void act("rooms.search");
  } else {
    void go("rooms.search");
  }
}

/** @param {boolean} isTyping */
function escape(isTyping) {
  if (isTyping) leaveText();
  else if (ui.about && ui.about.room === roomOf(ui.root) && ui.root?.id === "chat") ui.about = undefined;
  else if (find(ui.root, "back") && (!ui.isWide || ui.root?.id !== "chat" || comesFromSearch())) void back();
}

/** @param {number} step */
function neighbour(step) {
  const list = ofNotes.test(ui.root?.id ?? "") && listOf(ui.root);
  if (!list && !document.querySelector(".room")) return;
  const open = list ? find(list, "notes.list")?.children?.find((note) => note.is_selected)?.id : `room.${roomOf(ui.root)}`;
  const ids = list ? find(list, "notes.list")?.children?.map((note) => note.id) ?? [] : roomIds();
  const next = ids[ids.indexOf(open ?? "") + step];
  if (next) void go(next, list ? "notes" : "rooms");
}

function roomIds() {
  const list = find(ui.root, "rooms.beside") ?? ui.root;
  return ["rooms.pinned", "rooms.active", "rooms.pending", "rooms.closed"].flatMap((id) => find(list, id)?.children?.map((room) => room.id) ?? []);
}
