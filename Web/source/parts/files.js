// Where files of messages are, and what of them a browser shows.

import { ui } from "../app.js";
import { roomOf } from "../protocol/tree.js";
import { plain } from "../words/words.js";

/** @typedef {import("../protocol/types").Node} Node */

/** Whether it is a picture of a prompt.
 * @param {Node} node */
const isGiven = (node) => node.id.startsWith("picture.");

/** The address of a message's file, or of a prompt's picture, at the host of this page. What has an address for a name is there.
 * @param {Node} node */
export const address = (node) => (node.id.startsWith("/") ? node.id : isGiven(node) ? node.id.replace("picture.", "/agents/pictures/") : `/files/${encodeURIComponent(roomOf(ui.root) ?? "")}/${encodeURIComponent(node.id.slice("message.".length))}`);

/** The same, to be kept in a file of its own.
 * @param {Node} node */
export const savedAddress = (node) => `${address(node)}?save`;

/** The file's name as its sender wrote it.
 * @param {Node} node */
export const nameOf = (node) => (typeof node.label === "object" && "said" in node.label ? node.label.said : plain(node.label));

/** Whether the whole file is on this machine.
 * @param {Node} node */
export const isHere = (node) => isGiven(node) || !!node.uses?.includes("open");

/** What takes the file that is offered, by its id.
 * @param {Node} node */
export const acceptOf = (node) => node.children?.find((child) => child.id === `${node.id}.accept` && child.offers?.length && child.is_enabled !== false)?.id;

/** @param {Node} node */
export const isPicture = (node) => node.facts?.bytes !== undefined
  && (node.facts.media?.kind === "picture" || (isHere(node) && /\.(png|jpe?g|gif|webp|avif)$/i.test(nameOf(node))));

/** @param {Node} node */
export const isVideo = (node) => node.facts?.bytes !== undefined && /\.(mp4|m4v|mov|webm|ogv)$/i.test(nameOf(node)) && node.facts.media?.kind !== "voice";

/** @param {Node} node */
export const isVoice = (node) => node.facts?.media?.kind === "voice";

/** What the viewer shows.
 * @param {Node} node */
export const isViewable = (node) => isHere(node) && (isPicture(node) || isVideo(node));
