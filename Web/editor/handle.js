// The handle at the edge of a block: dragged, it moves the block; pressed, it opens a menu. It stands at the block under the pointer, or
// else at the one with the caret, from where the Tab key leads to it.
import { Plugin } from 'prosemirror-state'

/** Pixels from which on a press is a drag. */
const threshold = 4

class Handle {
  constructor (view, { label, run, onMenu }) {
    Object.assign(this, { view, run, onMenu, hovered: null, drag: null, isPlanned: false, wasDragged: false })
    this.button = document.createElement('button')
    Object.assign(this.button, { type: 'button', className: 'block-handle', title: label })
    this.button.setAttribute('aria-label', label)
    this.button.setAttribute('aria-haspopup', 'menu')
    this.line = document.createElement('div')
    Object.assign(this.line, { className: 'block-line', hidden: true })
    this.mount = view.dom.parentElement
    view.dom.after(this.button, this.line)
    this.ending = new AbortController()
    const { signal } = this.ending
    const on = (element, kind, hear) => element.addEventListener(kind, hear, { signal })
    on(this.mount, 'pointermove', event => this.hover(event))
    on(this.mount, 'pointerleave', () => this.hover(null))
    // The caret stays in the text.
    on(this.button, 'mousedown', event => event.preventDefault())
    on(this.button, 'pointerdown', event => this.begin(event))
    on(this.button, 'pointermove', event => this.move(event))
    on(this.button, 'pointerup', () => this.drop())
    on(this.button, 'pointercancel', () => this.end())
    on(this.button, 'click', event => this.press(event))
    on(this.button, 'keydown', event => this.step(event))
    addEventListener('keydown', event => {
      if (!this.drag || event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      this.end()
    }, { capture: true, signal })
    this.update()
  }

  /** The outermost block in which an element is. */
  blockOf (node) {
    while (node && node.parentNode !== this.view.dom) node = node.parentNode
    return node instanceof HTMLElement ? node : null
  }

  get block () {
    if (this.hovered?.isConnected) return this.hovered
    const { node, offset } = this.view.domAtPos(this.view.state.selection.head)
    return this.blockOf(node === this.view.dom ? node.childNodes[Math.min(offset, node.childNodes.length - 1)] : node)
  }

  indexOf (block) { return this.view.state.doc.resolve(this.view.posAtDOM(block, 0, -1)).index(0) }

  hover (event) {
    if (this.drag) return
    // Beside the blocks, as on the way to the handle, it stays.
    const block = event ? this.blockOf(event.target) ?? this.hovered : null
    if (block === this.hovered) return
    this.hovered = block
    this.update()
  }

  /** Goes to its block before the next picture: where that is, is known then without another layout. */
  update () {
    if (this.isPlanned) return
    this.isPlanned = true
    requestAnimationFrame(() => {
      this.isPlanned = false
      if (!this.drag && this.button.isConnected) this.place()
    })
  }

  place () {
    const block = this.view.editable ? this.block : null
    this.button.hidden = !block
    if (!block) return
    const { top, height } = block.getBoundingClientRect()
    // Beside the first line; a table has the handle of its first row there.
    const line = block.matches('table') ? -8 : Math.min(height, parseFloat(getComputedStyle(block).lineHeight) || height)
    this.button.style.top = `${top - this.origin + (line - this.button.offsetHeight) / 2}px`
  }

  /** The height from which positions count. */
  get origin () { return (this.line.offsetParent ?? this.button.offsetParent ?? this.mount).getBoundingClientRect().top }

  begin (event) {
    const { block } = this
    this.wasDragged = false
    if (event.button !== 0 || !block) return
    this.drag = { block, y: event.clientY, to: null }
    this.button.setPointerCapture(event.pointerId)
  }

  move ({ clientY: y }) {
    const { drag } = this
    if (!drag || (!this.wasDragged && Math.abs(y - drag.y) < threshold)) return
    this.wasDragged = true
    const block = this.blockAt(y)
    if (!block) return
    if (block.offsetHeight < innerHeight / 2) block.scrollIntoView({ block: 'nearest' })
    const { top, bottom } = block.getBoundingClientRect()
    const isBehind = y > (top + bottom) / 2
    drag.to = { block, isBehind }
    this.button.classList.add('dragging')
    this.line.hidden = false
    this.line.style.top = `${(isBehind ? bottom : top) - this.origin}px`
  }

  /** The block at a height of the window; between two of them none. */
  blockAt (y) {
    const { left, width } = this.view.dom.getBoundingClientRect()
    const { firstElementChild: first, lastElementChild: last } = this.view.dom
    if (first && y < first.getBoundingClientRect().top) return first
    if (last && y > last.getBoundingClientRect().bottom) return last
    return this.blockOf(document.elementFromPoint(left + width / 2, y))
  }

  drop () {
    const { drag } = this
    this.end()
    // Somebody else may have deleted one of them meanwhile.
    if (!drag?.to || !drag.block.isConnected || !drag.to.block.isConnected) return
    this.act('moveTo', { from: this.indexOf(drag.block), to: this.indexOf(drag.to.block) + (drag.to.isBehind ? 1 : 0) })
  }

  end () {
    this.drag = null
    this.line.hidden = true
    this.button.classList.remove('dragging')
    this.update()
  }

  act (name, argument) {
    this.hovered = null
    this.run(name, argument)
    this.view.focus()
  }

  /** The keys that move the block with the caret move the one at which the handle stands. */
  step (event) {
    const { block } = this
    const isUp = event.key === 'ArrowUp'
    if (!block || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(isUp || event.key === 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    const from = this.indexOf(block)
    this.act('moveTo', { from, to: isUp ? from - 1 : from + 2 })
  }

  press (event) {
    const { block } = this
    if (this.wasDragged || !block) {
      this.wasDragged = false
      return
    }
    const from = () => block.isConnected ? this.indexOf(block) : -1
    this.onMenu(event, {
      moveUp: () => this.act('moveTo', { from: from(), to: from() - 1 }),
      moveDown: () => this.act('moveTo', { from: from(), to: from() + 2 }),
      remove: () => this.act('deleteBlock', { index: from() })
    })
  }

  destroy () {
    this.ending.abort()
    this.button.remove()
    this.line.remove()
  }
}

/**
 * @param {{ label: string, run: (name: string, argument: any) => void, onMenu: (event: MouseEvent, does: import('./editor.js').BlockMenu) => void }} options
 */
export const blockHandle = options => new Plugin({ view: view => new Handle(view, options) })
