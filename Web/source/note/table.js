// What can be done with a table: at the handles of a column and of a row, and all of it in the bar.

import { openMenu } from "../parts/controls.js";

/** @typedef {import("./bar.js").Command} Command */

/** @type {Command[]} */
const columns = [
  ["addColumnBefore", "page.note.column.before", "columns-3"], ["addColumnAfter", "page.note.column.after", "columns-3"],
  ["alignLeft", "page.note.align.left", "text-align-start"], ["alignCenter", "page.note.align.center", "text-align-center"], ["alignRight", "page.note.align.right", "text-align-end"],
  ["toggleHeaderColumn", "page.note.column.header", "heading"], ["deleteColumn", "page.note.column.delete", "x"],
];

/** @type {Command[]} */
const rows = [
  ["addRowBefore", "page.note.row.before", "rows-3"], ["addRowAfter", "page.note.row.after", "rows-3"],
  ["toggleHeaderRow", "page.note.row.header", "heading"], ["deleteRow", "page.note.row.delete", "x"],
];

/** @type {Command[]} */
const cells = [["mergeCells", "page.note.cells.merge", "table"], ["splitCell", "page.note.cells.split", "table"]];

/** @type {Command[]} */
const whole = [["deleteTable", "page.note.table.delete", "trash-2"]];

const menus = { column: columns, row: rows, table: [...rows, ...columns, ...cells, ...whole] };

/** Opens what can be done where the selection is.
 * @param {import("./sheet.js").Sheet} sheet @param {MouseEvent} event @param {keyof typeof menus} part
 * @param {{focus: () => void}} [opener] */
export function tableMenu(sheet, event, part, opener) {
  const possible = menus[part].filter(([name]) => sheet.editor?.can(name));
  openMenu(event, "note.table", possible.map(([name, label, icon]) => ({ label, icon, isDestructive: name === "deleteTable", act: () => sheet.run(name) })), opener);
}
