// Pictures, which lie beside the notes as files: the host keeps them, and a note names them.

import { connection, toast } from "../app.js";
import { plain } from "../words/words.js";
import { askForFiles } from "../parts/file-picker.js";
import { post } from "../parts/resumable.js";
import { follow } from "./bubble.js";

/** @typedef {import("../../editor/editor.js").Place} Place */

/** What the editor does not draw itself. Texts and addresses in it come from other people.
 * @param {string} note */
export function draw(note) {
  return {
    /** @param {{imageId?: string, alt?: string, caption?: string, width?: string}} attributes */
    notecoveImage: ({ imageId, alt, caption, width }) => {
      const drawn = figure(note, imageId ?? "", alt ?? "", caption ?? "");
      const [, number, unit = "px"] = /^(\d{1,4}(?:\.\d+)?)(px|%)?$/.exec(width ?? "") ?? [];
      if (number) drawn.style.width = `${number}${unit}`;
      return drawn;
    },
    /** @param {{url?: string, title?: string, description?: string}} attributes */
    oembedUnfurl: ({ url = "", title = "", description = "" }) => {
      const card = element("div", "card");
      const link = element("button", "card-title", title || url);
      link.setAttribute("type", "button");
      link.addEventListener("click", () => /^https?:/i.test(url) && follow(url));
      card.append(link);
      if (description) card.append(element("p", "quiet", description));
      card.append(element("small", "", url));
      return card;
    },
  };
}

/** A picture may come after the words that are around it, from the other person or through a synced folder. Milliseconds until it is looked
 * for again. */
const pauses = [1000, 2000, 4000, 8000, 15000, 30000, 60000, 120000];

/** @param {HTMLImageElement} picture */
function again(picture) {
  // What is hidden is loaded only then.
  picture.loading = "eager";
  picture.src = picture.src;
}

/** @param {string} note @param {string} id */
export const addressOf = (note, id) => `/notes/${encodeURIComponent(note)}/media/${encodeURIComponent(id)}`;

/** @param {string} note @param {string} id @param {string} alt @param {string} caption */
function figure(note, id, alt, caption) {
  const figure = element("figure", "image");
  const picture = document.createElement("img");
  picture.alt = alt;
  picture.loading = "lazy";
  picture.decoding = "async";
  const missing = element("p", "quiet missing", plain("page.note.no_image"));
  let attempt = 0;
  picture.onerror = () => {
    picture.hidden = true;
    picture.after(missing);
    const pause = pauses[attempt++];
    if (pause) setTimeout(() => figure.isConnected && again(picture), pause);
  };
  picture.onload = () => {
    picture.hidden = false;
    missing.remove();
  };
  picture.src = addressOf(note, id);
  figure.append(picture);
  if (caption) figure.append(element("figcaption", "quiet", caption));
  return figure;
}

/** @param {string} tag @param {string} kind @param {string} [text] */
function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.dir = "auto";
  made.textContent = text;
  return made;
}

/** Gives files to the host and puts them into the note where they were given, one behind the other. Until they are there people write on.
 * @param {import("./sheet.js").Sheet} sheet @param {File[]} files @param {Place} place */
export async function takePictures(sheet, files, place) {
  for (const file of files) {
    try {
      const handle = await post({ file, sent: 0 });
      // A note that is not open takes none.
      const { result } = sheet.editor ? await connection.once({ type: "doc_picture", doc: sheet.note, handle }) : { result: undefined };
      if (sheet.editor && !result) throw new Error(plain("page.note.no_picture"));
      const next = sheet.editor?.putPicture(place, { imageId: result.image, alt: file.name });
      if (next) place = next;
      else toast({ key: "page.note.picture.late", args: { name: { said: file.name } } });
    } catch (error) {
      toast({ key: "page.no_file", args: { reason: { said: error instanceof Error ? error.message : "" } } });
    }
  }
}

/** Asks for pictures.
 * @param {import("./sheet.js").Sheet} sheet */
export function pickPictures(sheet) {
  const place = sheet.editor?.place();
  if (place) askForFiles((files) => void takePictures(sheet, files, place), { accept: "image/*", multiple: true });
}
