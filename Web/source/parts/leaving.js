// Asks before a page is left while something waits for the host or its person, or is on its way: nothing of it would be left. What is recorded
// asks for itself.

import { connection, ui } from "../app.js";
import { flushAll } from "./fields.js";
import { isBringing } from "./resumable.js";
import { uploads } from "./uploads.js";

addEventListener("beforeunload", (event) => {
  flushAll();
  const waits = connection.state !== "open" && (connection.requests.hasWaiting || ui.unsent.length);
  if (waits || uploads.length || isBringing()) event.preventDefault();
});
