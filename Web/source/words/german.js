// Loaded when somebody reads German.

import core from "../../../Sources/Core/Catalogues/Library/de.json";
import own from "../../words/de.json";

/** @type {Record<string, any>} */
export const sentences = { ...core.sentences, ...own };
