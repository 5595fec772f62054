// A language that nobody speaks: English mirrored and in other letters, so that a page shows what it forgot to translate or to mirror.

const letters = "אבגדהוזחטיכלמנסעפצקרשת";

export const pseudo = {
  tag: "he-x-mirrored",
  /** @param {string} sentence */
  mirrored(sentence) {
    return sentence.replace(/\{[a-z_]+\}|[a-z]/gi, (found) =>
      found.length > 1 ? found : letters[(found.toLowerCase().charCodeAt(0) - 97) % letters.length]);
  },
};
