// What stands in the boxes of conversations and sessions, and the core has not heard of or did not take: a box may be made anew meanwhile, as
// after a recording, or behind a lock. A place is a room or a session.

import { node as nodeOf } from "../app.js";
import { isRefused } from "../protocol/requests.js";
import { textOf } from "../protocol/tree.js";
import { forget, later } from "./fields.js";

/** By place.
 * @type {Map<string, {text: string}>} */
const unheard = new Map();
/** What was typed in a place that was not open any more when the host heard of it, until it is, or is too long; and what the core knew then.
 * @type {Map<string, {text: string, known: string}>} */
const untaken = new Map();
/** What was refused while its box was not there, until it is.
 * @type {Map<string, string[]>} */
const refused = new Map();
/** What was refused and stands first in a box.
 * @type {WeakMap<HTMLTextAreaElement, string>} */
const returned = new WeakMap();

/** Whether something that the core did not take waits here for its box, and nowhere else. */
export const holdsText = () => refused.size > 0 || [...untaken.values()].some(({ text, known }) => text.trim() && text !== known);

/** @param {string} place */
export const unheardIn = (place) => unheard.get(place)?.text;

/** @param {string} text @param {string} place
 * @returns {() => boolean} for when the core has heard of it; says whether nothing was written since */
export function tell(text, place) {
  const standing = { text };
  unheard.set(place, standing);
  return () => unheard.get(place) === standing && unheard.delete(place);
}

/** @param {string} text @param {number} most bytes */
export const isLonger = (text, most) => text.length * 3 > most && new TextEncoder().encode(text.trim()).length > most;

/** Tells the core what is typed, after a pause. What is longer than the core takes is kept here: it would come back cut.
 * @param {string} draft the node that has it in the core @param {string} text @param {string} place @param {number} most bytes that the core takes
 * @param {() => Promise<string | undefined>} say gives why it was not taken */
export function tellLater(draft, text, place, most, say) {
  if (isLonger(text, most)) return keep(draft, text, place);
  const heard = tell(text, place);
  const known = textOf(nodeOf(draft));
  later(draft, async () => {
    const code = await say();
    if (heard() && isRefused(code)) untaken.set(place, { text, known });
    else untaken.delete(place);
  });
}

/** @param {string} draft the node that has the others in the core @param {string} text @param {string} place */
function keep(draft, text, place) {
  forget(draft);
  tell(text, place);
  untaken.set(place, { text, known: textOf(nodeOf(draft)) });
}

/** Fills a box with what belongs there: what the core has not heard of, what it did not take, or else its draft.
 * @param {HTMLTextAreaElement} box @param {string} draft what the core knows @param {string} place
 * @returns {boolean} whether the core is to be told of it */
export function fill(box, draft, place) {
  const [onItsWay, typed, back] = [unheardIn(place), untaken.get(place), refused.get(place) ?? []];
  untaken.delete(place);
  refused.delete(place);
  returned.delete(box);
  box.value = onItsWay ?? (typed && (typed.known === draft || typed.text.startsWith(draft)) ? typed.text : draft);
  const isNews = onItsWay === undefined && box.value !== draft;
  // The core may know the beginning of what was refused.
  if (onItsWay === undefined && back.some((text) => text.startsWith(box.value))) box.value = "";
  for (const text of back) putFirst(text, box);
  return isNews || back.length > 0;
}

/** Takes what is sent out of its box.
 * @param {HTMLTextAreaElement} box @param {string} draft the node that has it in the core @param {string} place */
export function take(box, draft, place) {
  forget(draft);
  untaken.delete(place);
  returned.delete(box);
  box.value = "";
}

/** Puts what was refused back into its box, where it waits if the box is not there.
 * @param {string} said @param {string} place @param {HTMLTextAreaElement | null} box
 * @returns {boolean} whether the core is to be told of it */
export function putBack(said, place, box) {
  if (box) putFirst(said, box);
  else refused.set(place, [...(refused.get(place) ?? []), said]);
  return !!box;
}

/** Behind what was refused before, and before what was typed meanwhile.
 * @param {string} said @param {HTMLTextAreaElement} box */
function putFirst(said, box) {
  const before = returned.get(box) ?? "";
  const isBehind = before !== "" && (box.value === before || box.value.startsWith(`${before}\n`));
  const since = isBehind ? box.value.slice(before.length + 1) : box.value;
  const first = isBehind ? `${before}\n${said}` : said;
  returned.set(box, first);
  box.value = since ? `${first}\n${since}` : first;
}
