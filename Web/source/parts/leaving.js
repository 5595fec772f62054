// Asks before a page is left while something waits for the host or its person: nothing of it would be left.

import { connection, ui } from "../app.js";
import { flushAll } from "./fields.js";
import { uploads } from "./uploads.js";

addEventListener("beforeunload", (event) => {
  flushAll();
  if (connection.state === "open" && !uploads.some(({ isHeld }) => isHeld)) return;
  if (connection.requests.hasWaiting || ui.unsent.length || uploads.length) event.preventDefault();
});
