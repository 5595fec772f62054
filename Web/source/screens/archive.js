// The whole profile as one sealed file: made here and saved by the browser, or given and put in the place of an empty profile.

import { act, redraw, secret, toast } from "../app.js";
import { h } from "../dom/h.js";
import { key, plain, say, size } from "../words/words.js";
import { button } from "../parts/controls.js";
import { askForFiles } from "../parts/file-picker.js";
import { dropping } from "../parts/given.js";
import { group } from "../parts/group.js";
import { icon } from "../parts/icon.js";
import { passphrase } from "../parts/passphrase.js";
import { saveLink } from "../parts/saving.js";
import { post } from "../parts/resumable.js";
import { generic } from "./generic.js";

/** @typedef {import("../protocol/types").Node} Node */

/** The file that was chosen, and how much of it is with the host.
 * @type {{file: File, sent: number, isOnItsWay?: boolean} | undefined} */
let given;

/** @param {(name: string) => Node | undefined} take */
export function archive(take) {
  const [section, restore] = [take("export"), take("restore")];
  const part = (/** @type {string} */ name) => section?.children?.find(({ id }) => id === `settings.export.${name}`);
  const [files, secret, done] = ["files", "passphrase", "done"].map(part);
  return group("settings-archive", "page.section.archive", [
    section && h("p", { key: "about", class: "row quiet archive-about" }, say(section.detail)),
    files && generic(files),
    secret && passphrase(secret, "page.export.make"),
    done?.facts?.archive && h("div", { key: "done", class: "row archive", role: "status" }, h("span", { class: "row-picture good" }, icon("circle-check")),
      h("span", { class: "row-words" }, h("span", null, say(done.label)), h("small", { dir: "auto" }, done.facts.archive.name)),
      saveLink(done.facts.archive, "small primary")),
    restore && h("div", { key: "restore", class: "restore" }, h("p", { class: "field-name" }, say(restore.label)), restoring(restore)),
  ], undefined, "archive");
}

/** A file with a profile, chosen or dropped, and its passphrase.
 * @param {Node} node */
export function restoring(node) {
  const isOff = !node.offers?.length;
  const isBusy = node.is_busy || !!given?.isOnItsWay;
  if (isOff && !isBusy) return h("p", { key: "restoring", class: "quiet" }, say(node.detail));
  return h("form", { key: "restoring", class: "field restoring", onsubmit: (/** @type {Event} */ event) => void restore(event, node),
    ...dropping(!isBusy, (event) => choose(event.dataTransfer?.files)) },
  h("p", { class: "quiet" }, say(node.detail)),
  h("div", { class: "drop" }, h("span", { class: "row-picture" }, icon("file-archive")),
    h("span", { class: "row-words" }, given ? [h("bdi", null, given.file.name), h("small", null, given.isOnItsWay ? `${size(given.sent)} / ${size(given.file.size)}` : size(given.file.size))] : say("page.restore.drop")),
    button("page.restore.choose", pick, { class: "small", disabled: isBusy })),
  h("input", { name: "passphrase", type: "password", required: true, "aria-label": plain("page.restore.passphrase"), placeholder: plain("page.restore.passphrase"), autocomplete: "current-password", disabled: isBusy }),
  button("page.restore", () => {}, { type: "submit", class: "small primary", disabled: !given || isBusy, "aria-busy": isBusy ? "true" : null }));
}

function pick() {
  askForFiles(choose);
}

/** @param {FileList | File[] | null | undefined} files */
function choose(files) {
  const file = files?.[0];
  if (file) given = { file, sent: 0 };
  redraw();
}

/** @param {Event} event @param {Node} node */
async function restore(event, node) {
  event.preventDefault();
  const box = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem("passphrase"));
  const upload = given;
  if (!upload || upload.isOnItsWay) return;
  upload.isOnItsWay = true;
  redraw();
  try {
    const handle = await post(upload);
    const kept = handle && (await secret(box.value, true));
    if (kept) box.value = "";
    if (kept) await act(node.id, "attach", { handle, passphrase: kept });
  } catch (error) {
    toast(key("page.no_file", { reason: { said: error instanceof Error ? error.message : "" } }));
  }
  upload.isOnItsWay = false;
  redraw();
}
