import { connection, paintWith, redraw, ui } from "./app.js";
import { forget } from "./dom/h.js";
import { show } from "./dom/patch.js";
import { page, shortcuts } from "./page.js";
import { choose, holdBack, keepFocus } from "./parts/focus.js";
import { flushAll } from "./parts/fields.js";
import { keepOut } from "./parts/given.js";
import { load } from "./parts/later.js";
import "./parts/leaving.js";
import { askForLock } from "./parts/locking.js";
import { loadWith } from "./parts/part.js";
import "./parts/returning.js";
import { noteSeen } from "./parts/scroll.js";
import { settleNote } from "./screens/note.js";
import { windows } from "./screens/place.js";
import { speak } from "./words/language.js";

const wide = matchMedia("(min-width: 720px)");
const veryWide = matchMedia("(min-width: 1100px)");
const mount = /** @type {HTMLElement} */ (document.getElementById("page"));

function measure() {
  ui.isWide = wide.matches;
  ui.isVeryWide = veryWide.matches;
  redraw();
}

let day = new Date().toDateString();

/** What was written of times yesterday is not true any more. */
function turn() {
  const today = new Date().toDateString();
  if (today === day) return;
  day = today;
  forget();
  redraw();
}

function front() {
  turn();
  // What was typed goes first: a window that is not in front may be locked.
  if (document.hidden) flushAll();
  connection.looks({ front: !document.hidden });
  noteSeen();
}

/** A frame of an app that has the focus is not another window. */
function away() {
  ui.isAway = !document.hasFocus();
  if (ui.isAway === connection.look.away) return;
  connection.looks({ away: ui.isAway });
  noteSeen();
  if (ui.covers) redraw();
}

loadWith(() => connection.state === "open", redraw);
paintWith(() => {
  if (!speak(ui.root?.facts?.language)) return;
  keepFocus(mount, () => show(mount, [page(ui.root)]));
  document.getElementById("unscripted")?.remove();
  settleNote();
});
wide.addEventListener("change", measure);
veryWide.addEventListener("change", measure);
addEventListener("blur", away);
addEventListener("focus", away);
addEventListener("dragover", keepOut);
addEventListener("drop", keepOut);
document.addEventListener("visibilitychange", front);
document.addEventListener("keydown", shortcuts);
document.addEventListener("keydown", choose);
document.addEventListener("click", holdBack, { capture: true });
connection.look = { seen: {}, windows: { ...windows, "chat.messages": { before: 200, after: 0 } } };
measure();
front();
away();
connection.start();
setInterval(turn, 60_000);
// What a person sees first comes first; the rest when they are about to do something.
for (const sign of ["pointermove", "pointerdown", "keydown"]) addEventListener(sign, load, { once: true, passive: true });
setTimeout(() => void askForLock(), 500);
