// The handles of a table: one above the column and one beside the row of the cell under the pointer, or else of the one with the caret. Pressed,
// a handle selects its column or row, and opens a menu. If that is closed without a choice, the selection is again what it was.
import { CellSelection, isInTable, selectionCell } from 'prosemirror-tables'
import { Plugin, PluginKey } from 'prosemirror-state'

/** How far a handle stands out of the table, in pixels. */
const reach = 16

/** The selection from before a handle was pressed. It goes with what others write. */
const selectedBefore = new PluginKey('tableHandles')

class TableHandles {
  constructor (view, { labels, onMenu }) {
    Object.assign(this, { view, hovered: null, isPlanned: false })
    this.mount = view.dom.parentElement
    this.ending = new AbortController()
    const { signal } = this.ending
    this.buttons = ['column', 'row'].map(part => {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', className: `table-handle of-${part}`, title: labels[part], hidden: true })
      button.setAttribute('aria-label', labels[part])
      button.setAttribute('aria-haspopup', 'menu')
      // In a table the Tab key goes from cell to cell. For keys the same menu is in the bar.
      button.tabIndex = -1
      button.addEventListener('mousedown', event => event.preventDefault(), { signal })
      button.addEventListener('click', event => { if (this.select(part)) onMenu(event, part, () => this.putBack()) }, { signal })
      return button
    })
    view.dom.after(...this.buttons)
    this.mount.addEventListener('pointermove', event => this.hover(event.target), { signal })
    this.mount.addEventListener('pointerleave', () => this.hover(this.view.dom), { signal })
    addEventListener('resize', () => this.update(), { signal })
    this.update()
  }

  /** Beside the text, as on the way to a handle, they stay. */
  hover (target) {
    if (!this.view.dom.contains(target)) return
    const cell = target.closest('td, th')
    if (cell === this.hovered) return
    this.hovered = cell
    this.update()
  }

  /** The cell at which the handles stand, as an element. */
  get cell () {
    if (this.hovered?.isConnected) return this.hovered
    const { state } = this.view
    return isInTable(state) ? this.view.nodeDOM(selectionCell(state).pos) : null
  }

  select (part) {
    const { cell } = this
    if (!cell) return false
    const { state } = this.view
    const $cell = state.doc.resolve(this.view.posAtDOM(cell, 0, -1) - 1)
    const selection = part === 'column' ? CellSelection.colSelection($cell) : CellSelection.rowSelection($cell)
    this.view.dispatch(state.tr.setSelection(selection).setMeta(selectedBefore, state.selection.getBookmark()))
    return true
  }

  putBack () {
    const { state } = this.view
    this.view.dispatch(state.tr.setSelection(selectedBefore.getState(state).resolve(state.doc)))
    this.view.focus()
  }

  /** They go to their cell before the next picture: where that is, is known then without another layout. */
  update () {
    if (this.isPlanned) return
    this.isPlanned = true
    requestAnimationFrame(() => {
      this.isPlanned = false
      if (this.mount.isConnected) this.place()
    })
  }

  place () {
    const cell = this.view.editable ? this.cell : null
    const table = cell?.closest('table')
    for (const button of this.buttons) button.hidden = !table
    if (!table) return
    const [column, row] = this.buttons
    const origin = column.offsetParent.getBoundingClientRect()
    const [inner, outer] = [cell.getBoundingClientRect(), table.getBoundingClientRect()]
    const isMirrored = getComputedStyle(table).direction === 'rtl'
    column.style.left = `${inner.left + (inner.width - column.offsetWidth) / 2 - origin.left}px`
    column.style.top = `${outer.top - reach - origin.top}px`
    row.style.left = `${(isMirrored ? outer.right + reach - row.offsetWidth : outer.left - reach) - origin.left}px`
    row.style.top = `${inner.top + (inner.height - row.offsetHeight) / 2 - origin.top}px`
  }

  destroy () {
    this.ending.abort()
    for (const button of this.buttons) button.remove()
  }
}

/** @param {{ labels: { column: string, row: string }, onMenu: (event: MouseEvent, part: 'column' | 'row', putBack: () => void) => void }} options */
export const tableHandles = options => new Plugin({
  key: selectedBefore,
  state: { init: () => null, apply: (tr, before) => tr.getMeta(selectedBefore) ?? before?.map(tr.mapping) ?? null },
  view: view => new TableHandles(view, options)
})
