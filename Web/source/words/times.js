import { speech } from "./language.js";
import { plain } from "./words.js";

/** How times are written, in the language that is spoken.
 * @type {Record<string, Intl.DateTimeFormatOptions>} */
const options = {
  clock: { hour: "numeric", minute: "2-digit" },
  weekday: { weekday: "short" },
  date: { day: "numeric", month: "short" },
  day: { weekday: "long", day: "numeric", month: "long" },
  year: { dateStyle: "long" },
  numbers: { dateStyle: "short" },
  full: { dateStyle: "full", timeStyle: "medium" },
};
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {string} name @param {number} at */
function written(name, at) {
  const key = `${speech.locale} ${name}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(speech.locale, options[name]);
  formats.set(key, format);
  return format.format(at);
}

/** Days between this day and the one of a time.
 * @param {number} at */
function daysAgo(at) {
  const midnight = (/** @type {number} */ time) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(Date.now()) - midnight(at)) / 86_400_000);
}

/** @param {number} at */
const isThisYear = (at) => new Date(at).getFullYear() === new Date().getFullYear();

/** As in a list.
 * @param {number} at */
export function short(at) {
  const days = daysAgo(at);
  if (days <= 0) return written("clock", at);
  return days === 1 ? plain("page.yesterday") : written(days < 7 ? "weekday" : isThisYear(at) ? "date" : "numbers", at);
}

/** As above the messages of a day.
 * @param {number} at */
export function dayName(at) {
  const days = daysAgo(at);
  return days <= 0 ? plain("page.today") : days === 1 ? plain("page.yesterday") : written(isThisYear(at) ? "day" : "year", at);
}

/** @param {number} at */
export const time = (at) => written("clock", at);
/** @param {number} at */
export const whole = (at) => written("full", at);
/** How long a sound is, as on a player.
 * @param {number} seconds */
export const length = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
/** @param {number} left milliseconds */
export function countdown(left) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
