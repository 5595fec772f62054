// Commands for tables. Two people who add a row and a column at the same time make a table with a hole, so each command first mends what
// it is about to change; merely receiving never does.
import {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, CellSelection, deleteColumn, deleteRow, deleteTable, fixTables, goToNextCell,
  isInTable, mergeCells, selectedRect, splitCell, tableEditing, toggleHeader
} from 'prosemirror-tables'
import { GapCursor } from 'prosemirror-gapcursor'
import { keymap } from 'prosemirror-keymap'
import { Plugin, Selection } from 'prosemirror-state'
import { schema } from './schema.js'

/** A command on a table without holes, whose outcome the schema admits. */
const onWholeTable = command => (state, dispatch) => {
  if (!isInTable(state)) return false
  const tr = fixTables(state) ?? state.tr
  const whole = tr.docChanged ? state.apply(tr) : state
  let isDone = false
  const isPossible = command(whole, made => {
    for (const step of made.steps) tr.step(step)
    if (!isValid(tr.doc)) return
    if (made.selectionSet) tr.setSelection(Selection.fromJSON(tr.doc, made.selection.toJSON()))
    dispatch?.(tr.scrollIntoView())
    isDone = true
  })
  return dispatch ? isDone : isPossible
}

const isValid = doc => {
  try {
    doc.check()
    return true
  } catch {
    return false
  }
}

/** Aligns the cells that are selected, or else the column with the caret. */
const align = textAlign => (state, dispatch) => {
  const { map, tableStart, ...rect } = selectedRect(state)
  const isChosen = state.selection instanceof CellSelection
  const cells = map.cellsInRect(isChosen ? rect : { ...rect, top: 0, bottom: map.height })
  dispatch?.(cells.reduce((tr, cell) => tr.setNodeAttribute(tableStart + cell, 'textAlign', textAlign), state.tr))
  return true
}

const commands = {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, mergeCells, splitCell,
  toggleHeaderColumn: toggleHeader('column'), toggleHeaderRow: toggleHeader('row'),
  alignLeft: align('left'), alignCenter: align('center'), alignRight: align('right')
}

/** @type {Record<string, import('prosemirror-state').Command>} */
export const tableCommands = {
  ...Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, onWholeTable(command)])),
  deleteTable
}

/** To the next cell, from the last one into a new row. */
export const nextCell = (state, dispatch) =>
  goToNextCell(1)(state, dispatch) ||
  tableCommands.addRowAfter(state, dispatch && (tr => {
    goToNextCell(1)(state.apply(tr), next => tr.setSelection(Selection.fromJSON(tr.doc, next.selection.toJSON())))
    dispatch(tr)
  }))

export const previousCell = goToNextCell(-1)

/** A table with a row of headers. */
export const newTable = (rows = 3, columns = 3) => {
  const row = type => schema.nodes.tableRow.create(null, Array.from({ length: columns }, () => type.createAndFill()))
  const { tableHeader, tableCell } = schema.nodes
  return schema.nodes.table.create(null, Array.from({ length: rows }, (_, index) => row(index === 0 ? tableHeader : tableCell)))
}

/** Down from the last row, where nothing follows the table: to a line behind it, which becomes a paragraph when something is typed there. */
const leaveTable = (state, dispatch, view) => {
  if (state.selection instanceof GapCursor) return !Selection.findFrom(state.selection.$head, 1)
  if (!isInTable(state) || !state.selection.empty || !view.endOfTextblock('down')) return false
  const { bottom, map, table, tableStart } = selectedRect(state)
  const $behind = state.doc.resolve(tableStart + table.nodeSize - 1)
  if (bottom < map.height || Selection.findFrom($behind, 1)) return false
  dispatch?.(state.tr.setSelection(new GapCursor($behind)).scrollIntoView())
  return true
}

/** At the edge of the table there are no more of them, and the browser would select something else. */
const isOfCells = ({ selection }) => selection instanceof CellSelection

/** Selecting cells, and keys in tables, without mending what others made. */
export const tables = () => {
  const { spec } = tableEditing()
  return [keymap({ ArrowDown: leaveTable }), new Plugin({
    ...spec,
    appendTransaction: (transactions, before, state) => {
      const tr = spec.appendTransaction(transactions, before, state)
      return tr && !tr.docChanged ? tr : null
    }
  }), keymap(Object.fromEntries(['Left', 'Right', 'Up', 'Down'].map(side => [`Shift-Arrow${side}`, isOfCells])))]
}
