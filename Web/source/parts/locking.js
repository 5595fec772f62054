// Whether there is a passphrase to lock with: the settings and the lock tell, and before one was there, the state of the host.

import { connection, redraw, trees, ui } from "../app.js";
import { find } from "../protocol/tree.js";

let isSet = false;

export const canLock = () => isSet;

export const lock = () => void connection.dispatch({ type: "lock" });

/** Asks once, when the page has nothing else to do: the answer is long. */
export async function askForLock() {
  const state = await connection.ask("state");
  isSet ||= !!state?.settings.has_passphrase;
  redraw();
}

trees.addEventListener("tree", () => {
  const { root } = ui;
  if (root?.id === "settings") isSet = !!find(root, "settings.lock");
  else isSet ||= root?.id === "lock" || root?.id === "rooms" && !!find(root, "welcome.passphrase")?.is_selected;
});
