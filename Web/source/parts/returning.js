// Goes back to where the person was when a host began anew and was locked first: it goes by itself only to what it may show.

import { connection, trees, ui } from "../app.js";

/** @type {{page: string, room?: string}[] | undefined} */
let wanted;
let wasLocked = false;

trees.addEventListener("anew", () => {
  wanted = connection.screens;
  wasLocked = false;
});

trees.addEventListener("tree", () => {
  if (!wanted || ui.isOld) return;
  if (ui.root?.id === "lock") {
    wasLocked = true;
    return;
  }
  const screens = wanted;
  wanted = undefined;
  if (wasLocked) screens.forEach((to) => void connection.dispatch({ type: "navigate", to }));
});
