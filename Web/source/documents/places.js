// Where in a note somebody wants to be who opens it: at words that were found, or at a heading that a link names.

/** @typedef {{note: string, words?: string, heading?: string}} Place */

/** @type {Place | undefined} */
let wanted;

/** Goes to a place of the note that is open; whether it is that note.
 * @type {{goTo: (place: Place) => boolean}} */
export const open = { goTo: () => false };

/** Has a note shown at a place, now or as soon as it is open.
 * @param {Place} place */
export function seek(place) {
  wanted = open.goTo(place) ? undefined : place;
}

/** The place that is wanted of a note that is opened.
 * @param {string} note */
export function placeIn(note) {
  const found = wanted?.note === note ? wanted : undefined;
  wanted = undefined;
  return found;
}
