// What stands in the box of a conversation, and the core has not heard of: the box may be made anew meanwhile, as after a recording.

/** By room.
 * @type {Map<string, {text: string}>} */
const unheard = new Map();

/** @param {string} room */
export const unheardIn = (room) => unheard.get(room)?.text;

/** @param {string} text @param {string} room @returns {() => void} for when the core has heard of it */
export function tell(text, room) {
  const standing = { text };
  unheard.set(room, standing);
  return () => {
    if (unheard.get(room) === standing) unheard.delete(room);
  };
}
