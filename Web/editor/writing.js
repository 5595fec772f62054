// From ProseMirror to the shared document: as few operations as say the change, and nothing else is touched.
import { isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import * as Y from 'yjs'
import { changesBetween, splitsPair, unitsOf } from './difference.js'
import { eachMarkChange, formatsOf, hasTwice, idsOf, piecesOf, takeTail, textOf, wordsOf } from './inline.js'
import { restore } from './locked.js'
import { matchParts } from './matching.js'
import { Part } from './reading.js'

/** Half of a surrogate pair would be one character here and another one for everybody else. */
const wellFormed = text => text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')

export class Writer {
  /**
   * @param {(part: Part) => void} made is told of each part that is made
   * @param {(id: string) => any} copyOf gives the copy of a locked element
   * @param {Y.Transaction} transaction
   * @param {{ node: any, offset: number } | null} caret the text block with the caret, and where it is there
   */
  constructor (made, copyOf, transaction, caret) {
    this.made = made
    this.copyOf = copyOf
    this.transaction = transaction
    this.caret = caret
    /** Parts whose element is not quite what was written; they have to be read again. */
    this.unequal = []
    /** Tables that were written. Whether they can be shown is known when they are complete. */
    this.tables = []
    /** Text blocks that were deleted, as they were, and those that got text. */
    this.taken = []
    this.placed = new Set()
  }

  /** Makes the element of a part what a node says. Both have the same type. */
  write (part, node) {
    if (part.node === node) return
    if (node.type.name === 'table') this.tables.push(part)
    this.writeAttributes(part, node)
    if (node.isTextblock) this.writeText(part, node)
    else if (part.parts) this.writeChildren(part, node)
    part.node = node
  }

  writeAttributes ({ type, node: { attrs } }, node) {
    if (attrs === node.attrs) return
    for (const name in node.attrs) {
      const value = node.attrs[name]
      if (JSON.stringify(value) === JSON.stringify(attrs[name])) continue
      if (value === null) type.removeAttribute(name)
      else type.setAttribute(name, value)
    }
  }

  writeChildren (part, node) {
    // What only the schema demanded becomes an element with the first change beside it.
    const known = part.parts.filter(({ type }) => type)
    const wanted = node.content.content
    const matches = matchParts(known, wanted)
    const kept = new Set(matches)
    for (const old of known) {
      if (kept.has(old)) continue
      this.take(old)
      old.type._item.delete(this.transaction)
    }
    let left = null
    part.parts = wanted.map((child, index) => {
      const match = matches[index]
      if (match) this.write(match, child)
      const next = match ?? this.insert(part.type, left, child)
      left = next.type
      next.parent = part
      return next
    })
  }

  take ({ type, node, parts }) {
    if (parts) parts.forEach(part => this.take(part))
    else if (type && node.isTextblock) this.taken.push({ type, text: wordsOf(node), ids: idsOf(type) })
  }

  insert (parent, left, node) {
    const part = this.make(node)
    if (left) parent.insertAfter(left, [part.type])
    else parent.insert(0, [part.type])
    return part
  }

  /** A new element for a node, with parts for all that is in it. */
  make (node) {
    const part = new Part(this.element(node), node)
    if (node.type.name === 'table') this.tables.push(part)
    if (!node.isTextblock && !node.isAtom) {
      part.parts = node.content.content.map(child => this.make(child))
      for (const child of part.parts) child.parent = part
      part.type.insert(0, part.parts.map(child => child.type))
    } else if (node.isTextblock) {
      part.type.insert(0, this.inlineTypes(node.content, part))
      this.placed.add(part)
    } else if (node.type.name === 'lockedBlock') {
      this.unequal.push(part)
    }
    this.made(part)
    return part
  }

  element (node) {
    if (node.type.name.startsWith('locked')) return this.lockedType(node)
    const element = new Y.XmlElement(node.type.name)
    for (const name in node.attrs) if (node.attrs[name] !== null) element.setAttribute(name, node.attrs[name])
    return element
  }

  lockedType (node) {
    const copy = this.copyOf(node.attrs.id)
    if (copy) return restore(copy)
    // Nobody knows what it was: the words are what is left.
    const paragraph = new Y.XmlElement(node.isInline ? 'mentionNode' : 'paragraph')
    if (node.isInline) paragraph.setAttribute('displayName', node.attrs.text)
    else paragraph.insert(0, [new Y.XmlText(node.attrs.text)])
    return paragraph
  }

  /** Texts and elements for inline content. */
  inlineTypes (content, part) {
    const types = []
    let delta = []
    const flush = () => {
      if (delta.length === 0) return
      const text = new Y.XmlText()
      text.applyDelta(delta)
      types.push(text)
      delta = []
    }
    content.forEach(node => {
      const insert = this.pieceOf(node, part)
      if (insert !== undefined) delta.push({ insert, attributes: formatsOf(node) })
      else {
        flush()
        types.push(this.element(node))
        if (node.type.name === 'lockedInline') this.unequal.push(part)
      }
    })
    flush()
    return types
  }

  /** What goes into a text for a node; undefined when it needs an element. */
  pieceOf (node, part) {
    if (node.type.name === 'embed') return node.attrs.value
    if (!node.isText) return undefined
    const text = wellFormed(node.text)
    if (text !== node.text || hasTwice(node)) this.unequal.push(part)
    return text
  }

  writeText (part, node) {
    const caret = this.caret?.node === node ? this.caret.offset : undefined
    const before = part.node.content
    const changes = changesBetween(before, node.content, caret)
    for (const { from, to, start, end } of changes.slice().reverse()) {
      if (to > from) this.deleteText(part.type, from, to)
      if (end > start) this.insertText(part, from, node.content.cut(start, end))
    }
    this.writeMarks(part, before, node.content, changes)
    if (node.content.content.some(hasTwice)) this.unequal.push(part)
  }

  deleteText (type, from, to) {
    for (const { child, start, length } of piecesOf(type).reverse()) {
      const [first, last] = [Math.max(from, start) - start, Math.min(to, start + length) - start]
      if (first >= last) continue
      if (isText(child)) child.delete(first, last - first)
      else child._item.delete(this.transaction)
    }
  }

  insertText (part, offset, content) {
    this.placed.add(part)
    const { type } = part
    const pieces = piecesOf(type)
    const place = pieces.find(({ child, start, length }) => isText(child) && start <= offset && offset <= start + length)
    const nodes = content.content
    let index = 0
    if (place) {
      let at = offset - place.start
      for (; index < nodes.length; index++) {
        const piece = this.pieceOf(nodes[index], part)
        if (piece === undefined) break
        if (typeof piece === 'string') place.child.insert(at, piece, formatsOf(nodes[index]))
        else place.child.insertEmbed(at, piece, formatsOf(nodes[index]))
        at += nodes[index].nodeSize
      }
      if (index === nodes.length) return
      const types = this.inlineTypes(content.cut(nodes.slice(0, index).reduce((size, node) => size + node.nodeSize, 0)), part)
      const tail = takeTail(place.child, at)
      if (tail.length > 0) types.push(textOf(tail))
      type.insertAfter(place.child, types)
    } else {
      const left = pieces.filter(({ start, length }) => start + length <= offset).pop()
      const types = this.inlineTypes(content, part)
      if (left) type.insertAfter(left.child, types)
      else type.insert(0, types)
    }
  }

  /** Sets the marks of text that was there before and has others now. */
  writeMarks (part, before, after, changes) {
    if (before.size === 0 || after.size === 0) return
    let pieces, units
    const format = (from, to, formats) => {
      pieces ??= piecesOf(part.type)
      units ??= unitsOf(after)
      // Yjs cannot part a surrogate pair, so both halves get the marks.
      const [isFirstHalf, isLastHalf] = [splitsPair(units, from), splitsPair(units, to)]
      if (isFirstHalf || isLastHalf) this.unequal.push(part)
      if (isFirstHalf) from--
      if (isLastHalf) to++
      for (const { child, start, length } of pieces) {
        const [first, last] = [Math.max(from, start) - start, Math.min(to, start + length) - start]
        if (first < last && isText(child)) child.format(first, last - first, formats)
      }
    }
    let [oldStart, newStart] = [0, 0]
    for (const { from, to, end } of [...changes, { from: before.size, to: before.size, end: after.size }]) {
      eachMarkChange(before, oldStart, after, newStart, from - oldStart, format)
      ;[oldStart, newStart] = [to, end]
    }
  }
}
