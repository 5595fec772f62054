import { locale, plain } from "./words.js";

const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const day = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
const year = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
const numbers = new Intl.DateTimeFormat(locale, { dateStyle: "short" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" });

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
  if (days <= 0) return clock.format(at);
  return days === 1 ? plain("page.yesterday") : days < 7 ? weekday.format(at) : (isThisYear(at) ? date : numbers).format(at);
}

/** As above the messages of a day.
 * @param {number} at */
export function dayName(at) {
  const days = daysAgo(at);
  return days <= 0 ? plain("page.today") : days === 1 ? plain("page.yesterday") : (isThisYear(at) ? day : year).format(at);
}

/** @param {number} at */
export const time = (at) => clock.format(at);
/** @param {number} at */
export const whole = (at) => full.format(at);
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
