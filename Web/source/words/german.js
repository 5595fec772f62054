// Loaded when somebody reads German.

import core from "../../../.build/page/sentences.de.json";
import own from "../../words/de.json";

/** @type {Record<string, any>} */
export const sentences = { ...core, ...own };
