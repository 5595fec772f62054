// Where one writes. What is typed stands here at once; the core hears of it a moment later, and Send waits for nobody.

import { act, node as nodeOf, redraw, toast, ui } from "../app.js";
import { h } from "../dom/h.js";
import { textOf } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { isComposing } from "../parts/composing.js";
import { iconButton } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { flush, focused, forget, later } from "../parts/fields.js";
import { fit } from "../parts/fit.js";
import { paste, pickFiles } from "../parts/given.js";
import { prepare, record, recorder } from "../parts/recording.js";
import { askPlace } from "../parts/place.js";
import { tell, unheardIn } from "../parts/unheard.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} part @param {string} room @param {import("../words/words.js").Words} name */
export function composer(part, room, name) {
  const draft = /** @type {Node} */ (part("draft"));
  const isOff = draft.is_enabled === false;
  const attach = part("attach");
  const about = ui.about;
  const take = part("take_draft");
  const recording = recorder(room, part);
  return h("footer", { key: `composer.${room}`, class: "composer" },
    take && h("button", { type: "button", class: "button quiet small", onclick: () => takeDraft(take) }, say(take.label)),
    // A voice message answers nothing.
    about && !recording && h("div", { key: "about", class: "about" },
      h("div", { class: "about-words" }, h("b", null, say(about.kind === "reply" ? "page.replying" : "page.editing")), h("bdi", null, about.excerpt)),
      iconButton("x", "page.cancel", stop)),
    isOff ? h("p", { key: "off", class: "off" }, say(draft.detail ?? part("status")?.label))
      : recording ? recording
      : h("div", { key: "box", class: "box" },
        attach?.offers?.length ? iconButton("paperclip", "page.attach", () => pickFiles()) : null,
        ui.isWide && part("place")?.offers?.length && !about ? iconButton("map-pin", "chat.place", askPlace, { key: "place" }) : null,
        h("textarea", { key: `text.${room}`, rows: 1, dir: "auto", "aria-label": plain(key("page.message", { name: { words: name } })), placeholder: plain(key("page.message", { name: { words: name } })),
          enterkeyhint: "send", ...focused(draft), "data-room": room, made: (/** @type {HTMLTextAreaElement} */ box) => appear(box, draft, room), drawn: (/** @type {HTMLTextAreaElement} */ box) => follow(box),
          oninput: (/** @type {any} */ event) => typed(event.target), onkeydown: (/** @type {KeyboardEvent} */ event) => keys(event, room), onpaste: paste }),
        part("status")?.facts?.lifetime && h("span", { class: "chip", title: plain("room_settings.lifetime") }, icon("timer"), h("span", null, say(part("status")?.facts?.lifetime))),
        part("record")?.offers && !about ? iconButton("mic", "chat.record", () => void record(room), { key: "mic", made: prepare }) : null,
        iconButton("send-horizontal", "page.send", () => send(room), { key: "send", class: "send" })));
}

/** @param {HTMLTextAreaElement} box @param {Node} draft @param {string} room */
function appear(box, draft, room) {
  const [onItsWay, typedLast] = [unheardIn(room), untaken.get(room)];
  untaken.delete(room);
  box.value = onItsWay ?? (typedLast?.startsWith(textOf(draft)) ? typedLast : textOf(draft));
  if (onItsWay === undefined && box.value !== textOf(draft)) typed(box);
  fit(box);
  const refused = elsewhere.get(room)?.filter((text) => text !== box.value) ?? [];
  elsewhere.delete(room);
  returned = "";
  for (const text of refused) putBack(text, room);
  if (draft.is_focused && ui.isWide) box.focus({ preventScroll: true });
}

/** What was written in another window appears here, unless somebody writes, or the core has not heard yet of what was written here. What another
 * window took goes from here, or it would be sent twice.
 * @param {HTMLTextAreaElement} box */
function follow(box) {
  const edited = ui.about?.kind === "edit" ? ui.about.message : "";
  const onItsWay = unheardIn(box.dataset.room ?? "");
  if ((box.dataset.edited ?? "") !== edited) {
    box.dataset.edited = edited;
    box.value = edited ? ui.about?.excerpt ?? "" : onItsWay ?? textOf(nodeOf("chat.draft"));
    return fit(box);
  }
  const draft = nodeOf("chat.draft");
  if (!draft || ui.about || onItsWay !== undefined) return;
  const isTaken = box.value === box.dataset.draft && !textOf(draft) && !!nodeOf("chat.take_draft");
  box.dataset.draft = textOf(draft);
  if (box.value === textOf(draft) || box === document.activeElement && !isTaken) return;
  box.value = textOf(draft);
  fit(box);
}

/** @param {HTMLTextAreaElement} box */
function typed(box) {
  fit(box);
  if (ui.about?.kind === "edit") return;
  const { value: text, dataset: { room = "" } } = box;
  const heard = tell(text, room);
  later("chat.draft", async () => {
    const code = await act("chat.draft", "set_text", { text }, room);
    heard();
    if (code && code !== "unsaved") untaken.set(room, text);
    else untaken.delete(room);
  });
}

const box = () => /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".composer textarea"));

/** Begins an answer to a message, or another text for it. What is typed next goes there.
 * @param {"reply" | "edit"} kind @param {Node} message */
export function begin(kind, message) {
  const excerpt = textOf(message) || plain(message.label);
  ui.about = { kind, message: message.id, excerpt };
  const text = box();
  if (text) follow(text);
  text?.focus();
  redraw();
}

function stop() {
  ui.about = undefined;
  box()?.focus();
  redraw();
}

/** @param {Node} take */
async function takeDraft(take) {
  await act(take.id);
  const text = box();
  if (text) text.value = textOf(nodeOf("chat.draft"));
}

/** @param {KeyboardEvent} event @param {string} room */
function keys(event, room) {
  if (isComposing(event)) return;
  const text = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  if (event.key === "Enter" && !event.shiftKey && !event.altKey) send(room);
  else if (event.key === "Escape" && ui.about) stop();
  else if (event.key === "ArrowUp" && !text.value) editLast();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function editLast() {
  const own = nodeOf("chat.messages")?.children?.filter((row) => row.uses?.includes("edit")).at(-1);
  if (own) begin("edit", own);
}

/** Bytes of a message: `RoomLimits.textBytes` of the core. */
const most = 64 << 10;

/** What was refused and stands first in the box. */
let returned = "";
/** What was typed in a room that was not open any more when the host heard of it, until it is.
 * @type {Map<string, string>} */
const untaken = new Map();
/** What was refused after somebody had gone to another room, until its own room is open again.
 * @type {Map<string, string[]>} */
const elsewhere = new Map();

/** Puts what was refused back into the box: behind what was refused before, and before what was typed meanwhile. It waits for its own room.
 * @param {string} said @param {string} room */
function putBack(said, room) {
  const text = box();
  if (!text || text.dataset.room !== room) { elsewhere.set(room, [...(elsewhere.get(room) ?? []), said]); return; }
  const isFirst = returned !== "" && (text.value === returned || text.value.startsWith(`${returned}\n`));
  const typedSince = isFirst ? text.value.slice(returned.length + 1) : text.value;
  returned = isFirst ? `${returned}\n${said}` : said;
  text.value = typedSince ? `${returned}\n${typedSince}` : returned;
  typed(text);
}

/** @param {string} room */
async function send(room) {
  const text = box();
  const said = text?.value.trim();
  if (!text || !said) return;
  // The core says the same, but the text would be out of the line by then.
  if (new TextEncoder().encode(said).length > most) return toast("notice.text_too_long");
  const { about } = ui;
  const isEdit = about?.kind === "edit";
  // What was begun before an edit stands in the box again after it.
  (isEdit ? flush : forget)("chat.draft");
  untaken.delete(room);
  text.value = returned = "";
  fit(text);
  text.focus();
  ui.about = undefined;
  const unsent = { id: `unsent.${Date.now()}.${Math.random()}`, text: said, room, at: Date.now(), after: nodeOf("chat.messages")?.children?.at(-1)?.id };
  if (!isEdit) ui.unsent.push(unsent);
  redraw();
  const heard = isEdit ? undefined : tell("", room);
  const code = await (about ? answer(about, said, room) : write(said, room));
  heard?.();
  if (!code || code === "unsaved") return;
  ui.unsent = ui.unsent.filter((other) => other !== unsent);
  putBack(said, room);
  toast("page.sent.not");
}

/** @param {string} text @param {string} room */
async function write(text, room) {
  const [refused, code] = await Promise.all([act("chat.draft", "set_text", { text }, room), act("chat.send", "tap", undefined, room)]);
  // Send decides: a draft that the disk did not take may be a message all the same.
  return code ?? refused;
}

/** @param {NonNullable<typeof ui.about>} about @param {string} text @param {string} room */
function answer({ kind, message }, text, room) {
  if (kind === "reply") void act("chat.draft", "set_text", { text: "" }, room);
  return act(message, kind, { text }, room);
}
