// Asks before a page is left while something waits for the host or its person, or is on its way: nothing of it would be left. So does a message
// that is half changed: the draft that the core keeps is another text. What is recorded asks for itself.

import { connection, ui } from "../app.js";
import { flushAll } from "./fields.js";
import { isBringing } from "./resumable.js";
import { holdsText } from "./unheard.js";
import { uploads } from "./uploads.js";

const isHalfChanged = () => ui.about?.kind === "edit" && (ui.about.text ?? ui.about.excerpt).trim() !== ui.about.excerpt.trim();

addEventListener("beforeunload", (event) => {
  flushAll();
  const waits = connection.state !== "open" && (connection.requests.hasWaiting || ui.unsent.length);
  if (waits || uploads.length || isBringing() || holdsText() || isHalfChanged()) event.preventDefault();
});
