// The keys that exist, by place, for the sheet that lists them. Tests/Editor holds those of a note to the editor.

/** What a key does, and the ways to press it.
 * @typedef {[string, ...string[][]]} Row */
/** @typedef {{label: string, screens: RegExp, rows: Row[]}} Place */

/** @type {Record<"everywhere" | "conversation" | "message" | "pictures" | "note", Place>} */
export const shortcuts = {
  everywhere: {
    label: "shortcut.everywhere", screens: /^$/,
    rows: [
      ["shortcut.palette", ["Ctrl", "K"]], ["shortcut.search.all", ["Ctrl", "Shift", "F"]], ["shortcut.create", ["Ctrl", "Shift", "O"]],
      ["shortcut.next", ["Alt", "↓"]], ["shortcut.previous", ["Alt", "↑"]], ["shortcut.help", ["?"]], ["shortcut.back", ["Esc"]],
    ],
  },
  conversation: {
    label: "shortcut.conversation", screens: /^(chat|agent)$/,
    rows: [
      ["shortcut.composer", ["Ctrl", "/"]], ["shortcut.send", ["Enter"]], ["shortcut.line", ["Shift", "Enter"]], ["shortcut.edit", ["↑"]],
      ["shortcut.search", ["Ctrl", "F"]], ["shortcut.messages", ["Esc", "↑"]],
    ],
  },
  message: {
    label: "shortcut.message", screens: /^chat$/,
    rows: [
      ["shortcut.others", ["↑"], ["↓"]], ["page.more", ["Enter"]], ["shortcut.buttons", ["→"]], ["page.reply", ["R"]], ["page.edit", ["E"]],
      ["page.delete", ["Del"]], ["page.voice.place", ["←"], ["→"]],
    ],
  },
  pictures: {
    label: "page.pictures", screens: /^chat$/,
    rows: [
      ["page.previous", ["←"]], ["page.next", ["→"]], ["page.zoom.in", ["+"]], ["page.zoom.out", ["-"]], ["shortcut.fit", ["0"]], ["page.close", ["Esc"]],
    ],
  },
  note: {
    label: "note", screens: /^note$/,
    rows: [
      ["page.note.insert", ["/"]], ["page.note.find", ["Ctrl", "F"]], ["page.note.undo", ["Ctrl", "Z"]], ["page.note.redo", ["Ctrl", "Y"], ["Ctrl", "Shift", "Z"]],
      ["page.note.bold", ["Ctrl", "B"]], ["page.note.italic", ["Ctrl", "I"]], ["page.note.underline", ["Ctrl", "U"]], ["page.note.strike", ["Ctrl", "Shift", "X"]],
      ["page.note.code", ["Ctrl", "E"]], ["page.note.link", ["Ctrl", "Shift", "K"]], ["shortcut.follow", ["Alt", "Enter"]], ["shortcut.comment", ["Ctrl", "Alt", "M"]],
      ["page.note.paragraph", ["Ctrl", "Alt", "0"]], ["page.note.heading_1", ["Ctrl", "Alt", "1"]], ["page.note.heading_2", ["Ctrl", "Alt", "2"]],
      ["page.note.heading_3", ["Ctrl", "Alt", "3"]], ["page.note.code_block", ["Ctrl", "Alt", "C"]], ["page.note.quote", ["Ctrl", "Shift", "."]],
      ["page.note.numbers", ["Ctrl", "Shift", "7"]], ["page.note.bullets", ["Ctrl", "Shift", "8"]], ["page.note.tasks", ["Ctrl", "Shift", "9"]],
      ["shortcut.task", ["Ctrl", "Enter"]], ["shortcut.indent", ["Tab"], ["Shift", "Tab"]], ["shortcut.block", ["Alt", "↑"], ["Alt", "↓"]], ["shortcut.leave", ["Esc"]],
    ],
  },
};
