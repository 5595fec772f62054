// Where one writes. What is typed stands here at once; the core hears of it a moment later, and Send waits for nobody.

import { act, leaving, node as nodeOf, redraw, toast, ui } from "../app.js";
import { h } from "../dom/h.js";
import { isRefused } from "../protocol/requests.js";
import { roomOf, textOf } from "../protocol/tree.js";
import { key, plain, say } from "../words/words.js";
import { isChord, isComposing } from "../parts/composing.js";
import { iconButton } from "../parts/controls.js";
import { icon } from "../parts/icon.js";
import { flush, focused } from "../parts/fields.js";
import { fit } from "../parts/fit.js";
import { paste, pickFiles } from "../parts/given.js";
import { prepare, record, recorder } from "../parts/recording.js";
import { askPlace } from "../parts/place.js";
import { fill, putBack, take, tell, tellLater, unheardIn } from "../parts/unheard.js";

/** @typedef {import("../protocol/types").Node} Node */

/** @param {(name: string) => Node | undefined} part @param {string} room @param {import("../words/words.js").Words} name */
export function composer(part, room, name) {
  const draft = /** @type {Node} */ (part("draft"));
  const isOff = draft.is_enabled === false;
  const attach = part("attach");
  const about = aboutIn(room);
  const offer = part("take_draft");
  const recording = recorder(room, part);
  return h("footer", { key: `composer.${room}`, class: "composer" },
    offer && h("button", { type: "button", class: "button quiet small", onclick: () => takeDraft(offer) }, say(offer.label)),
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
          enterkeyhint: "send", ...focused(draft), "data-room": room, made: (/** @type {HTMLTextAreaElement} */ box) => appear(box, draft), drawn: (/** @type {HTMLTextAreaElement} */ box) => follow(box),
          oninput: (/** @type {any} */ event) => typed(event.target), onkeydown: (/** @type {KeyboardEvent} */ event) => keys(event, room), onpaste: paste }),
        part("status")?.facts?.lifetime && h("span", { class: "chip", title: plain("room_settings.lifetime") }, icon("timer"), h("span", null, say(part("status")?.facts?.lifetime))),
        part("record")?.offers && !about ? iconButton("mic", "chat.record", () => void record(room), { key: "mic", made: prepare }) : null,
        iconButton("send-horizontal", "page.send", () => send(room), { key: "send", class: "send" })));
}

/** What is answered or changed in a room.
 * @param {string} room */
const aboutIn = (room) => (ui.about?.room === room ? ui.about : undefined);

/** @param {HTMLTextAreaElement} box @param {Node} draft */
function appear(box, draft) {
  begins(box);
  follow(box);
  fit(box);
  if (draft.is_focused && ui.isWide) box.focus({ preventScroll: true });
}

/** What is written here besides a change of a message stands in the box.
 * @param {HTMLTextAreaElement} box */
function begins(box) {
  if (fill(box, textOf(nodeOf("chat.draft")), box.dataset.room ?? "")) tellDraft(box);
}

/** What was written in another window appears here, unless somebody writes, or the core has not heard yet of what was written here. What another
 * window took goes from here, or it would be sent twice.
 * @param {HTMLTextAreaElement} box */
function follow(box) {
  const { room = "" } = box.dataset;
  const about = aboutIn(room);
  const edited = about?.kind === "edit" ? about.message : "";
  if ((box.dataset.edited ?? "") !== edited) {
    box.dataset.edited = edited;
    if (edited) box.value = about?.text ?? about?.excerpt ?? "";
    else begins(box);
    return fit(box);
  }
  const draft = nodeOf("chat.draft");
  if (!draft || about || unheardIn(room) !== undefined) return;
  const isTaken = box.value === box.dataset.draft && !textOf(draft) && !!nodeOf("chat.take_draft");
  box.dataset.draft = textOf(draft);
  if (box.value === textOf(draft) || box === document.activeElement && !isTaken) return;
  box.value = textOf(draft);
  fit(box);
}

/** @param {HTMLTextAreaElement} box */
function typed(box) {
  fit(box);
  if (!box.dataset.edited) tellDraft(box);
  // The box may be made anew before it is sent.
  else if (ui.about) ui.about.text = box.value;
}

/** @param {HTMLTextAreaElement} box */
function tellDraft({ value: text, dataset: { room = "" } }) {
  // `RoomLimits.draftBytes` of the core.
  tellLater("chat.draft", text, room, 128 << 10, () => act("chat.draft", "set_text", { text }, room));
}

// Who goes elsewhere changes nothing any more, and what is typed on the way there belongs to the draft.
leaving.addEventListener("leaving", () => {
  const text = box();
  if (text?.dataset.edited && text.dataset.room === roomOf(ui.root)) follow(text);
});

const box = () => /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".composer textarea"));

/** Begins an answer to a message, or another text for it. What is typed next goes there.
 * @param {"reply" | "edit"} kind @param {Node} message */
export function begin(kind, message) {
  const [excerpt, room] = [textOf(message) || plain(message.label), roomOf(ui.root) ?? ""];
  const about = aboutIn(room);
  // Who chooses the same once more goes on with what is typed.
  if (about?.kind !== kind || about.message !== message.id) ui.about = { kind, room, message: message.id, excerpt };
  const text = box();
  if (text) follow(text);
  text?.focus();
  redraw();
}

function stop() {
  const text = box();
  ui.about = undefined;
  // What is typed next belongs to the draft.
  if (text) follow(text);
  text?.focus();
  redraw();
}

/** @param {Node} offer */
async function takeDraft(offer) {
  await act(offer.id);
  const text = box();
  if (text && !text.dataset.edited) text.value = textOf(nodeOf("chat.draft"));
}

/** @param {KeyboardEvent} event @param {string} room */
function keys(event, room) {
  if (isComposing(event)) return;
  const text = /** @type {HTMLTextAreaElement} */ (event.currentTarget);
  if (event.key === "Enter" && !event.shiftKey && !event.altKey) send(room);
  else if (event.key === "Escape" && aboutIn(room)) stop();
  else if (event.key === "ArrowUp" && !text.value && !isChord(event)) editLast();
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

/** @param {string} room */
async function send(room) {
  const text = box();
  const said = text?.value.trim();
  if (!text || !said) return;
  // The core says the same, but the text would be out of the line by then.
  if (new TextEncoder().encode(said).length > most) return toast("notice.text_too_long");
  const about = aboutIn(room);
  const isEdit = about?.kind === "edit";
  // What was begun before an edit stands in the box again after it.
  if (isEdit) flush("chat.draft");
  else take(text, "chat.draft", room);
  ui.about = undefined;
  if (isEdit) follow(text);
  fit(text);
  text.focus();
  const unsent = { id: `unsent.${Date.now()}.${Math.random()}`, text: said, room, at: Date.now(), after: nodeOf("chat.messages")?.children?.at(-1)?.id };
  if (!isEdit) ui.unsent.push(unsent);
  redraw();
  const heard = isEdit ? undefined : tell("", room);
  const code = await (about ? answer(about, said, room) : write(said, room));
  heard?.();
  if (!isRefused(code)) return;
  ui.unsent = ui.unsent.filter((other) => other !== unsent);
  const now = box();
  // It does not belong into the change of another message.
  const isOpen = now?.dataset.room === room && !now.dataset.edited;
  if (putBack(said, room, isOpen ? now : null) && now) typed(now);
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
