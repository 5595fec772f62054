// From changes of the shared document to the least steps of ProseMirror, so that caret, selection and a composition beside them stay.
import { Fragment, Slice } from 'prosemirror-model'
import { AddMarkStep, AttrStep, RemoveMarkStep, ReplaceStep } from 'prosemirror-transform'
import { eachChild, isElement, isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { changesBetween } from './difference.js'
import { lockedAttributes } from './locked.js'
import { attributesOf, fillerFor, shapeOf } from './reading.js'
import * as Y from 'yjs'

export class Receiver {
  /**
   * @param {import('prosemirror-state').Transaction} tr takes the steps
   * @param {import('./reading.js').Reader} reader
   * @param {Set<import('./reading.js').Part>} dirty parts whose element changed, or something in it that has no part
   * @param {Y.Transaction | null} transaction what changed them; without it, contents are compared
   */
  constructor (tr, reader, dirty, transaction) {
    this.tr = tr
    this.reader = reader
    this.dirty = dirty
    this.transaction = transaction
    this.touched = new Set()
    for (let part of dirty) for (; part && !this.touched.has(part); part = part.parent) this.touched.add(part)
  }

  /** Brings the document of the transaction, and the parts, to what the shared document says. */
  run (root) {
    this.update(root, -1, 0)
    this.assign(root, this.tr.doc)
  }

  /** Updates what is at a position. Everything is done from the end to the beginning, so that positions before stay as they were. */
  update (part, position, level) {
    if (!this.touched.has(part)) return
    const { type, node, parent } = part
    const isBlock = parent !== null
    // Whether a table can be shown depends on all that is in it.
    if (isBlock && (this.dirty.has(part) || node.type.name === 'table')) {
      const shape = shapeOf(type, parent.node.type.name, level)
      if (shape !== node.type.name) return this.replace(part, position, level)
    }
    if (node.type.name === 'lockedBlock') {
      if (!node.hasMarkup(node.type, lockedAttributes(type))) this.replace(part, position, level)
      return
    }
    if (node.isTextblock) this.updateText(part, position)
    else if (part.parts) this.updateChildren(part, position, level)
    if (isBlock && this.dirty.has(part)) this.updateAttributes(part, position)
  }

  replace (part, position, level) {
    const fresh = this.reader.read(part.type, part.parent.node.type.name, level)
    this.step(new ReplaceStep(position, position + part.node.nodeSize, sliceOf([fresh.node])))
    const siblings = part.parent.parts
    siblings[siblings.indexOf(part)] = fresh
    fresh.parent = part.parent
  }

  updateAttributes ({ type, node }, position) {
    const attributes = attributesOf(type, node.type)
    for (const name in attributes) {
      if (JSON.stringify(attributes[name]) !== JSON.stringify(node.attrs[name])) this.step(new AttrStep(position, name, attributes[name]))
    }
  }

  updateChildren (part, position, level) {
    const positions = []
    let next = position + 1
    for (const child of part.parts) {
      positions.push(next)
      next += child.node.nodeSize
    }
    positions.push(next)
    if (!this.dirty.has(part)) {
      for (let i = part.parts.length - 1; i >= 0; i--) this.update(part.parts[i], positions[i], level + 1)
      return
    }
    const old = part.parts
    const fresh = this.childrenOf(part, level)
    part.parts = fresh.slice()
    // Elements never change their order, so what is in both lists is in the same order.
    const places = new Map(old.map((child, i) => [child, i]))
    let end = old.length
    let added = []
    for (let j = fresh.length - 1; j >= -1; j--) {
      const place = j < 0 ? -1 : places.get(fresh[j])
      if (place === undefined) {
        added.unshift(fresh[j].node)
        continue
      }
      if (end - place > 1 || added.length > 0) this.step(new ReplaceStep(positions[place + 1], positions[end], sliceOf(added)))
      if (j >= 0) this.update(fresh[j], positions[place], level + 1)
      added = []
      end = place
    }
  }

  /** The parts of the children as they are now: those that are known, and new ones. */
  childrenOf (part, level) {
    const known = new Map(part.parts.filter(child => child.type).map(child => [child.type, child]))
    const children = []
    eachChild(part.type, type => { children.push(known.get(type) ?? this.reader.read(type, part.node.type.name, level + 1)) })
    const filler = fillerFor(part.node.type, children)
    if (filler) children.unshift(part.parts[0]?.type === null ? part.parts[0] : filler)
    for (const child of children) child.parent = part
    return children
  }

  updateText (part, position) {
    const { type, node } = part
    const fresh = this.reader.inline(type, node.type)
    const changes = this.changes(type, node.content, fresh)
    for (const { from, to, start, end } of changes.slice().reverse()) {
      this.step(new ReplaceStep(position + 1 + from, position + 1 + to, new Slice(fresh.cut(start, end), 0, 0)))
    }
    this.updateMarks(position + 1, this.tr.doc.nodeAt(position).content, fresh)
  }

  changes (type, before, after) {
    const changes = this.transaction ? writtenChanges(type, this.transaction) : []
    // What the operations say must add up; if it does not, the contents themselves are compared.
    const delta = changes.reduce((sum, { from, to, start, end }) => sum + end - start - (to - from), 0)
    const result = before.size + delta === after.size && this.transaction ? changes : changesBetween(before, after)
    return saysAll(result, before, after) ? result : changesBetween(before, after)
  }

  updateMarks (start, before, after) {
    let [i, j, at] = [0, 0, 0]
    let [oldEnd, newEnd] = [before.firstChild?.nodeSize, after.firstChild?.nodeSize]
    while (at < after.size) {
      const [one, other] = [before.child(i), after.child(j)]
      const end = Math.min(oldEnd, newEnd)
      if (other.isText) {
        for (const mark of one.marks) if (!mark.isInSet(other.marks)) this.step(new RemoveMarkStep(start + at, start + end, mark))
        for (const mark of other.marks) if (!mark.isInSet(one.marks)) this.step(new AddMarkStep(start + at, start + end, mark))
      }
      at = end
      if (oldEnd === end) oldEnd += before.maybeChild(++i)?.nodeSize ?? 0
      if (newEnd === end) newEnd += after.maybeChild(++j)?.nodeSize ?? 0
    }
  }

  step (step) {
    this.tr.step(step)
  }

  /** Gives each part the node that ProseMirror made of it. */
  assign (part, node) {
    part.node = node
    if (!part.parts || !this.touched.has(part)) return
    if (part.parts.length !== node.childCount) throw new RangeError('the parts and the nodes differ')
    part.parts.forEach((child, index) => this.assign(child, node.child(index)))
  }
}

const sliceOf = nodes => new Slice(Fragment.fromArray(nodes), 0, 0)

/** Whether the changes turn the one content into the other, as far as text and atoms go. */
const saysAll = (changes, before, after) => {
  let [from, start] = [0, 0]
  for (const change of [...changes, { from: before.size, to: before.size, start: after.size, end: after.size }]) {
    if (change.from - from !== change.start - start) return false
    if (!isSameBetween(before, from, after, start, change.from - from)) return false
    ;[from, start] = [change.to, change.end]
  }
  return true
}

const isSameBetween = (before, from, after, start, length) =>
  length === 0 || changesBetween(before.cut(from, from + length), after.cut(start, start + length)).length === 0

/** The changes of a text block that a transaction made, as its operations say them. */
const writtenChanges = (type, { beforeState, deleteSet }) => {
  const changes = []
  let [from, start] = [0, 0]
  let current = null
  const isNew = ({ id }) => id.clock >= (beforeState.get(id.client) ?? 0)
  const count = (item, length) => {
    const wasThere = !isNew(item) && (!item.deleted || Y.isDeleted(deleteSet, item.id))
    const isThere = !item.deleted
    if (wasThere && isThere) current = null
    else if (wasThere || isThere) {
      if (!current) changes.push(current = { from, to: from, start, end: start })
      if (wasThere) current.to += length
      else current.end += length
    }
    if (wasThere) from += length
    if (isThere) start += length
  }
  for (let item = type._start; item; item = item.right) {
    const child = item.content.type
    if (isElement(child)) count(item, 1)
    else if (isText(child)) for (let unit = child._start; unit; unit = unit.right) if (unit.countable) count(unit, unit.length)
  }
  return changes
}
