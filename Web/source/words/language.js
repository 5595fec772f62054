// The language of the page: the one that the person chose, or the first of the browser's that there is. English is always here; another one
// is loaded when it is wanted, and the page is drawn then, or in English if it takes too long.

import core from "../../../.build/page/sentences.en.json";
import own from "../../words/en.json";
import { forget } from "../dom/h.js";
import { Part } from "../parts/part.js";
import { pseudo } from "./pseudo.js";

/** @type {Record<string, any>} */
const english = { ...core, ...own };
/** @type {Record<string, Part<{sentences: Record<string, any>}>>} */
const others = { de: new Part(() => import("./german.js")) };

export const isMirrored = new URLSearchParams(location.search).get("language") === pseudo.tag;

/** What is spoken now. `locale` says how dates and numbers are written. */
export const speech = { tag: "", locale: "", sentences: english, isWhole: false, plural: new Intl.PluralRules("en") };
use("en", english);

/** What only screens say that come after the first.
 * @param {Record<string, any>} sentences */
export function alsoSay(sentences) {
  Object.assign(english, sentences);
  speech.isWhole = true;
  forget();
}

/** Speaks a language if it is here.
 * @param {string | undefined} chosen a tag; the browser's language without one
 * @returns {boolean} whether the page can be drawn */
export function speak(chosen) {
  const tag = isMirrored ? "en" : chosen ?? ofBrowser();
  const other = others[tag];
  if (other && !other.loaded) {
    void other.bring();
    return other.isLate;
  }
  if (speech.tag !== tag) use(tag, other?.loaded?.sentences ?? english);
  return true;
}

/** @param {string} name */
function primary(name) {
  return name.split("-")[0].toLowerCase();
}

/** @param {string} tag @param {Record<string, any>} sentences */
function use(tag, sentences) {
  Object.assign(speech, { tag, sentences, plural: new Intl.PluralRules(tag), locale: isMirrored ? "ar" : navigator.languages.find((name) => primary(name) === tag) ?? tag });
  document.documentElement.lang = isMirrored ? pseudo.tag : tag;
  document.documentElement.dir = isMirrored ? "rtl" : "ltr";
  forget();
}

const ofBrowser = () => navigator.languages.map(primary).find((tag) => tag === "en" || tag in others) ?? "en";
