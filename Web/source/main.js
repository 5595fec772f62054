import { connection, paintWith, redraw, ui } from "./app.js";
import { show } from "./dom/patch.js";
import { page, shortcuts } from "./page.js";
import { noteSeen } from "./parts/scroll.js";
import { windows } from "./screens/log.js";
import { direction, language } from "./words/words.js";

const wide = matchMedia("(min-width: 720px)");
const mount = /** @type {HTMLElement} */ (document.getElementById("page"));

document.documentElement.lang = language;
document.documentElement.dir = direction;

function measure() {
  ui.isWide = wide.matches;
  redraw();
}

function front() {
  connection.looks({ front: !document.hidden });
  if (!document.hidden) noteSeen();
}

paintWith(() => show(mount, [page(ui.root)]));
wide.addEventListener("change", measure);
document.addEventListener("visibilitychange", front);
document.addEventListener("keydown", shortcuts);
connection.look = { seen: {}, windows: { ...windows, "chat.messages": { before: 200, after: 0 } } };
measure();
front();
connection.start();
