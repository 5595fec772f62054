// Files as a person gives them: picked, pasted, or dropped, also whole folders.

import { toast } from "../app.js";
import { key } from "../words/words.js";
import { askForFiles } from "./file-picker.js";
import { askToSend } from "./sending.js";
import { give } from "./uploads.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Files of one folder. */
const most = 500;

/** Asks for files.
 * @param {Node | undefined} [target] */
export function pickFiles(target) {
  const multiple = target?.id !== "circle.open" && target?.id !== "apps.pick";
  askForFiles((files) => void (target?.id === "notes.import" ? takeNotes(files, target) : takeFiles(files, target)), { multiple });
}

/** Asks for a folder for the conversation that is open. */
export function pickFolder() {
  askForFiles((files) => takeFolder(files.map((file) => ({ file, name: called(file.webkitRelativePath || file.name) }))), { isFolder: true });
}

/** What a file of a folder is called: the way to it, because the other side gets no folders.
 * @param {string} path */
const called = (path) => path.split("/").filter(Boolean).join(" - ");

/** @param {{file: File, name: string}[]} files */
const takeFolder = (files) => (files.length > most ? toast(key("page.file.too_many", { count: { count: most } })) : askToSend(files));

/** Gives files to what takes them. What is for a conversation is shown before it goes.
 * @param {FileList | File[] | null | undefined} files @param {Node | undefined} [target] */
export function takeFiles(files, target) {
  const chosen = Array.from(files ?? [], (file) => ({ file, name: file.name }));
  return target && target.id !== "chat.attach" ? give(chosen, target) : askToSend(chosen);
}

/** Makes notes of files: of texts, and of ZIP files with texts and what belongs to them.
 * @param {FileList | File[] | null | undefined} files @param {Node} target */
export function takeNotes(files, target) {
  const [taken, others] = [/** @type {File[]} */ ([]), /** @type {File[]} */ ([])];
  for (const file of files ?? []) (/\.(md|markdown|txt|zip)$/i.test(file.name) ? taken : others).push(file);
  for (const { name } of others) toast(key("page.notes.no_text", { name: { said: name } }));
  return give(taken.map((file) => ({ file, name: file.name })), target);
}

/** Whether files are dragged. A text belongs to the field in which it is dropped.
 * @param {DragEvent} event */
export const holdsFiles = (event) => !!event.dataTransfer?.types.includes("Files");

/** Takes files that are dragged over something that wants them.
 * @param {DragEvent} event */
export function takeOver(event) {
  if (holdsFiles(event)) event.preventDefault();
}

/** Lights up while files are dragged over it, and takes them.
 * @param {boolean} takes @param {(event: DragEvent) => void} take */
export function dropping(takes, take) {
  const light = (/** @type {any} */ { currentTarget }, /** @type {boolean} */ on) => currentTarget.classList.toggle("dropping", on);
  return {
    ondragover: (/** @type {DragEvent} */ event) => {
      takeOver(event);
      light(event, takes && holdsFiles(event));
    },
    // Over what stands in it they are still over it.
    ondragleave: (/** @type {any} */ event) => event.currentTarget.contains(event.relatedTarget) || light(event, false),
    ondrop: (/** @type {DragEvent} */ event) => {
      takeOver(event);
      light(event, false);
      if (takes && holdsFiles(event)) take(event);
    },
  };
}

/** Whether what is dropped can be written there.
 * @param {EventTarget | null} target a text itself in Firefox */
const isWritten = (target) => !!(target instanceof Text ? target.parentElement : /** @type {Element | null} */ (target))?.matches?.(":read-write");

/** Keeps what nobody wants from being shown in place of the page: a file, and, where nobody writes, a link or an address.
 * @param {DragEvent} event */
export function keepOut(event) {
  if (event.defaultPrevented || !holdsFiles(event) && isWritten(event.target)) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}

/** What was dropped, also whole folders.
 * @param {DataTransfer | null} dropped */
export async function takeDropped(dropped) {
  // The entries can be asked for only now, before any wait.
  const entries = Array.from(dropped?.items ?? []).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return takeFiles(dropped?.files);
  /** @type {{file: File, name: string}[]} */
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return takeFolder(found);
}

/** The folder that was dropped, if it is one.
 * @param {DataTransfer | null} dropped @returns {FileSystemDirectoryEntry | undefined} */
export function droppedFolder(dropped) {
  const entry = dropped?.items[0]?.webkitGetAsEntry();
  return entry?.isDirectory ? /** @type {FileSystemDirectoryEntry} */ (entry) : undefined;
}

/** Every file of a folder and of those in it, up to one more than so many.
 * @param {FileSystemEntry} folder @param {{files: number, skipsHidden?: boolean}} limits @returns {Promise<{file: File, path: string}[]>} */
export async function filesOf(folder, limits) {
  /** @type {{file: File, name: string, path?: string}[]} */
  const found = [];
  await collect(folder, found, limits);
  return found.map(({ file, path = "" }) => ({ file, path }));
}

/** @param {FileSystemEntry} entry @param {{file: File, name: string, path?: string}[]} found @param {{files: number, skipsHidden?: boolean}} limits */
async function collect(entry, found, limits = { files: most }) {
  if (found.length > limits.files || limits.skipsHidden && entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise((/** @type {(file: File | undefined) => void} */ resolve) =>
      /** @type {FileSystemFileEntry} */ (entry).file(resolve, () => resolve(undefined)));
    if (file) found.push({ file, name: called(entry.fullPath), path: entry.fullPath });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  // It hands out so many at a time, and none at the end.
  for (let part = await read(reader); part.length && found.length <= limits.files; part = await read(reader)) {
    for (const inner of part) await collect(inner, found, limits);
  }
}

/** @param {FileSystemDirectoryReader} reader @returns {Promise<FileSystemEntry[]>} */
const read = (reader) => new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));

/** @param {ClipboardEvent} event */
export function paste(event) {
  if (!event.clipboardData?.files.length || event.clipboardData.getData("text/plain")) return;
  event.preventDefault();
  void takeFiles(event.clipboardData.files);
}
