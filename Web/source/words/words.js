// Makes what a person reads out of the core's words. What somebody else wrote is set apart from the sentence around it.

import { h } from "../dom/h.js";
import { isMirrored, speech } from "./language.js";
import { pseudo } from "./pseudo.js";

/** @typedef {import("../protocol/types").Words} Words */
/** @typedef {import("../protocol/types").Arg} Arg */
/** @typedef {string | {said: string}} Part */

/** What there is to read, as children for `h`.
 * @param {Words | undefined} words */
export function say(words) {
  if (words === undefined) return [];
  return parts(words).map((part, _, all) => (typeof part === "string" ? coded(part) : h("bdi", all.length === 1 ? { class: "said" } : null, part.said)));
}

/** A sentence with what is to be typed in a terminal, which stands between backticks.
 * @param {string} text */
const coded = (text) => (text.includes("`") ? text.split("`").map((part, index) => (index % 2 ? h("code", null, part) : part)) : text);

/** The same for attributes, which hold no elements: isolates stand in for them (UAX 9).
 * @param {Words | undefined} words @returns {string} */
export function plain(words) {
  if (words === undefined) return "";
  return parts(words).map((part) => (typeof part === "string" ? part.replaceAll("`", "") : `\u2068${part.said}\u2069`)).join("");
}

/** @param {string} key @param {Record<string, Arg>} [args] @returns {Words} */
export const key = (key, args) => (args ? { key, args } : key);

/** @param {number} count */
export const countOfNew = (count) => key("page.new", { count: { count } });

/** @param {Words} words @returns {Part[]} */
function parts(words) {
  if (typeof words === "string") return sentence(words, {});
  if ("key" in words) return sentence(words.key, words.args ?? {});
  if ("said" in words) return [{ said: words.said }];
  return "all" in words ? joined(words.all, "join.sentences") : joined(words.list, "join.list");
}

/** @param {string} key @param {Record<string, Arg>} args @returns {Part[]} */
function sentence(key, args) {
  const found = speech.sentences[key];
  // It comes in a moment, with the screens that come after the first.
  if (found === undefined) return [speech.isWhole ? key : "…"];
  const form = typeof found === "string" ? found : found[speech.plural.select(args[found.by]?.count ?? 0)] ?? found.other;
  return /** @type {string} */ (isMirrored ? pseudo.mirrored(form) : form)
    .split(/(\{[a-z_]+\})/)
    .filter(Boolean)
    .flatMap((piece) => {
      const name = piece.startsWith("{") ? piece.slice(1, -1) : "";
      return name && args[name] ? argument(args[name]) : [piece];
    });
}

/** @param {Arg} arg @returns {Part[]} */
function argument(arg) {
  if (arg.said !== undefined) return [{ said: arg.said }];
  if (arg.count !== undefined) return [new Intl.NumberFormat(speech.locale).format(arg.count)];
  if (arg.bytes !== undefined) return [size(arg.bytes)];
  if (arg.time !== undefined) return [new Intl.DateTimeFormat(speech.locale, { dateStyle: "medium", timeStyle: "short" }).format(arg.time)];
  if (arg.duration !== undefined) return duration(arg.duration);
  if (arg.words !== undefined) return parts(arg.words);
  return joined(arg.list ?? [], "join.list");
}

/** @param {Words[]} words @param {string} key @returns {Part[]} */
function joined(words, key) {
  return words.flatMap((part, index) => {
    if (index === 0) return parts(part);
    const [, between = " "] = /\}(.*)\{/.exec(speech.sentences[key] ?? "") ?? [];
    return [between, ...parts(part)];
  });
}

/** @param {number} bytes */
export function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const number = bytes / 1000 ** step;
  return new Intl.NumberFormat(speech.locale, { style: "unit", unit: units[step], unitDisplay: step > 0 ? "short" : "long", maximumSignificantDigits: step > 0 ? 3 : 4 }).format(number);
}

/** @param {number} milliseconds @returns {Part[]} */
function duration(milliseconds) {
  const seconds = Math.ceil(Math.max(milliseconds, 0) / 1000);
  const units = /** @type {const} */ ([[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]]);
  const [unit, name] = units.find(([unit]) => seconds >= unit && (seconds % unit === 0 || seconds >= 2 * unit)) ?? units[3];
  return sentence(`unit.${name}`, { count: { count: Math.ceil(seconds / unit) } });
}
