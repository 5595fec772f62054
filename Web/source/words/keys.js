// The names of keys as they stand on the keyboards of the language.

import { plain } from "./words.js";

/** @type {Record<string, string>} */
const named = { Ctrl: "key.control", Shift: "key.shift", Enter: "key.enter", Esc: "key.escape", Alt: "key.alt", Del: "key.delete" };

/** @param {string} name */
export const keyName = (name) => (named[name] ? plain(named[name]) : name);
