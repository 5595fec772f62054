// The menu of commands that a slash opens. The caret stays in the text; the menu is told of by the editor's active descendant.

import { h } from "../dom/h.js";
import { icon } from "../parts/icon.js";
import { plain, say } from "../words/words.js";
import { keepSelection, titleOf } from "./bar.js";
import { pickPictures } from "./pictures.js";
import { beside } from "./places.js";

/** @typedef {import("../../editor/editor.js").Editor} Editor */

export class SlashMenu {
  /** @param {import("./sheet.js").Sheet} sheet */
  constructor(sheet) {
    this.sheet = sheet;
    this.chosen = 0;
    /** What was typed when the menu was put away; it stays away until something else is. */
    this.refused = /** @type {string | undefined} */ (undefined);
    this.query = "";
  }

  /** What is typed in the text, as long as something fits. Whoever writes elsewhere means no command, and the keys belong there. */
  get open() {
    const { editor, isReadonly } = this.sheet;
    if (isReadonly || !editor?.dom.contains(document.activeElement)) return null;
    const slash = editor.slash();
    if (!slash) {
      this.refused = undefined;
      return null;
    }
    return slash.items.length && slash.query !== this.refused ? slash : null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const slash = ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key) ? this.open : null;
    if (!slash) return false;
    const { length } = slash.items;
    if (event.key === "ArrowDown") this.chosen = (this.chosen + 1) % length;
    else if (event.key === "ArrowUp") this.chosen = (this.chosen + length - 1) % length;
    else if (event.key === "Escape") this.refused = slash.query;
    else this.choose(slash.items[Math.min(this.chosen, length - 1)].name);
    return true;
  }

  /** @private @param {string} name */
  choose(name) {
    const { editor } = this.sheet;
    this.chosen = 0;
    if (name === "image" || name === "noteLink") {
      // A command that cannot be carried out only takes away what was typed.
      editor?.runSlash("");
      if (name === "image") pickPictures(this.sheet);
      else void this.sheet.linker.open();
    } else {
      editor?.runSlash(name);
    }
    editor?.focus();
    this.sheet.draw();
  }

  /** @param {Editor} editor */
  view(editor) {
    const slash = this.open;
    if (!slash) {
      editor.dom.removeAttribute("aria-activedescendant");
      return null;
    }
    if (slash.query !== this.query) this.chosen = 0;
    this.query = slash.query;
    const chosen = Math.min(this.chosen, slash.items.length - 1);
    editor.dom.setAttribute("aria-activedescendant", `slash-${slash.items[chosen].name}`);
    const place = (/** @type {HTMLElement} */ element) => {
      beside(element, slash.box, "below");
      element.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" });
    };
    return h("div", { key: "slash", class: "menu note-slash", role: "listbox", "aria-label": plain("page.note.insert"), onmousedown: keepSelection, made: place, drawn: place },
      slash.items.map(({ name }, index) => {
        const [words, picture] = titleOf(name);
        return h("button", { key: name, id: `slash-${name}`, type: "button", role: "option", tabindex: "-1", "aria-selected": String(index === chosen), onclick: () => this.choose(name) },
          icon(picture), h("span", null, say(words)));
      }));
  }
}
