// Keeps a document of ProseMirror and the content of a shared note the same.
//
// What somebody does in the editor is written into the note at once (`write`); what comes from elsewhere becomes steps in the editor.
// Merely opening or receiving writes nothing.
import { TextSelection } from 'prosemirror-state'
import { isElement, root as contentOf } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { idOf, snapshot } from './locked.js'
import { Moved } from './moved.js'
import { absolutePosition, relativePosition } from './positions.js'
import { isRegular, Reader } from './reading.js'
import { Receiver } from './receiving.js'
import { schema } from './schema.js'
import { keptSelection } from './selection.js'
import { Undo } from './undo.js'
import { Writer } from './writing.js'

/** The name under which a transaction of ProseMirror tells that it comes from the shared document. */
export const received = 'received'

/** Locked elements whose copies are kept, for moving and pasting. */
const copyLimit = 1000

/**
 * @typedef {object} Host what holds the state of ProseMirror: a view, or a test's own
 * @property {import('prosemirror-state').EditorState} state
 * @property {(tr: import('prosemirror-state').Transaction) => void} dispatch
 */

export class Binding {
  /** @param {import('yjs').Doc} doc the note, with its content */
  constructor (doc) {
    this.doc = doc
    this.copies = new Map()
    /** How often the editor had to be filled anew, because single steps did not do. */
    this.repairs = 0
    this.reader = new Reader(part => this.remember(part))
    this.observer = (events, transaction) => this.receive(events, transaction)
    this.open()
    /** @type {Host | null} */
    this.host = null
    this.undo = new Undo(this)
    this.moved = new Moved(this)
    this.afterTransaction = () => { if (contentOf(doc) !== this.content) this.reopen() }
    doc.on('afterTransaction', this.afterTransaction)
  }

  open () {
    this.content = contentOf(this.doc)
    this.partOf = new WeakMap()
    this.root = this.reader.root(this.content)
    this.content.observeDeep(this.observer)
  }

  /** The content is somewhere else: an old note has come. */
  reopen () {
    this.content.unobserveDeep(this.observer)
    this.open()
    this.undo.follow(this.content)
    this.replaceAll()
  }

  /** What the editor begins with. */
  get node () { return this.root.node }

  /**
   * From now on the states of this host follow the note.
   * @param {Host} host
   * @param {() => void} catchUp brings its state up to where the caret is
   */
  attach (host, catchUp = () => {}) {
    this.host = host
    this.catchUp = catchUp
  }

  destroy () {
    this.content.unobserveDeep(this.observer)
    this.doc.off('afterTransaction', this.afterTransaction)
    this.undo.destroy()
    this.moved.destroy()
    this.host = null
  }

  remember (part) {
    if (!part.type) return
    this.partOf.set(part.type, part)
    this.keepCopies(part)
  }

  keepCopies ({ type, node }) {
    if (!type._item) return
    if (node.type === schema.nodes.lockedBlock) this.keep(node.attrs.id, type)
    else if (node.isTextblock && node.content.content.some(child => child.type === schema.nodes.lockedInline)) {
      for (const child of type.toArray()) if (isElement(child)) this.keep(idOf(child), child)
    }
  }

  keep (id, type) {
    const copy = snapshot(type)
    if (!copy) return
    this.copies.delete(id)
    this.copies.set(id, copy)
    if (this.copies.size > copyLimit) this.copies.delete(this.copies.keys().next().value)
  }

  /** Whether a locked element can be put somewhere else. */
  hasCopy (id) { return this.copies.has(id) }

  /**
   * Writes what changed in the editor.
   * @param {import('prosemirror-state').EditorState} state
   * @param {import('prosemirror-state').EditorState} before
   */
  write (state, before) {
    if (state.doc === this.root.node) return
    this.undo.before = this.selectionOf(before)
    const { $head } = state.selection
    const caret = $head.parent.isTextblock ? { node: $head.parent, offset: $head.parentOffset } : null
    let unequal = []
    this.doc.transact(transaction => {
      const writer = new Writer(part => this.remember(part), id => this.copies.get(id), transaction, caret)
      writer.write(this.root, state.doc)
      if (writer.taken.length > 0) this.moved.remember(writer.taken, writer.placed)
      unequal = writer.unequal.concat(writer.tables.filter(({ type }) => !isRegular(type)))
    }, this)
    if (unequal.length > 0) this.update(new Set(unequal), null)
  }

  receive (events, transaction) {
    if (transaction.origin === this) return
    const dirty = new Set()
    for (const { target } of events) {
      dirty.add(this.partAround(target))
    }
    this.update(dirty, transaction)
  }

  /** The innermost part that shows a type. What is inside of a locked element has no part of its own any more. */
  partAround (type) {
    const path = []
    for (; type && type !== this.content; type = type.parent) path.push(type)
    let part = this.root
    while (part.parts && path.length > 0) {
      const next = this.partOf.get(path.pop())
      if (next?.parent !== part) break
      part = next
    }
    return part
  }

  /** Brings the editor to what the note says of these parts. */
  update (dirty, transaction) {
    if (!this.host) {
      this.root = this.reader.root(this.content)
      return
    }
    this.catchUp()
    const tr = this.host.state.tr
    try {
      new Receiver(tr, this.reader, dirty, transaction).run(this.root)
    } catch {
      // The note is right, whatever went wrong here.
      this.repairs++
      return this.replaceAll()
    }
    for (const { type } of dirty) this.keepCopies(this.partOf.get(type))
    this.dispatch(tr)
  }

  /** Reads the note anew and replaces what differs. */
  replaceAll () {
    this.root = this.reader.root(this.content)
    if (!this.host) return
    this.catchUp()
    const tr = this.host.state.tr
    const start = tr.doc.content.findDiffStart(this.node.content)
    if (start !== null) tr.replaceWith(0, tr.doc.content.size, this.node.content)
    assignAll(this.root, tr.doc)
    this.dispatch(tr)
  }

  dispatch (tr) {
    if (!tr.docChanged) return
    const selection = this.undoneSelection(tr.doc) ?? keptSelection(this.host.state.selection, tr)
    if (selection && !selection.eq(tr.selection)) tr.setSelection(selection)
    if (this.undo.target) tr.scrollIntoView()
    this.host.dispatch(tr.setMeta('addToHistory', false).setMeta(received, true))
  }

  /** The selection of before the change that is taken back. */
  undoneSelection (doc) {
    const positions = this.undo.target && this.positionsOf(this.undo.target)
    return positions && TextSelection.between(doc.resolve(positions.anchor), doc.resolve(positions.head))
  }

  /** A selection as places that stay while others write. */
  selectionOf ({ doc, selection }) {
    if (doc !== this.root.node) return null
    return { anchor: this.placeOf(doc, selection.anchor), head: this.placeOf(doc, selection.head) }
  }

  /** A position as a place that stays while others write: with what is behind it, or with `association` -1 with what is before it. */
  placeOf (doc, position, association = 0) { return relativePosition(this.root, doc, position, association) }

  /** The position of such a place now, or null when it is gone. */
  positionOf (place) { return absolutePosition(this.root, type => this.partOf.get(type), this.doc, place) }

  /** Positions of such a selection now, or null when it is gone. */
  positionsOf ({ anchor, head }) {
    const [start, end] = [this.positionOf(anchor), this.positionOf(head)]
    return start === null || end === null ? null : { anchor: start, head: end }
  }
}

const assignAll = (part, node) => {
  part.node = node
  part.parts?.forEach((child, index) => assignAll(child, node.child(index)))
}
