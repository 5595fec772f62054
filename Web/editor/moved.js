// Text that was moved here while somebody else wrote in it.
//
// An element cannot become another one or go elsewhere: who makes a heading of a paragraph, puts it into a list or joins it with the one
// before deletes it and writes its text anew. What another person writes in the old element before hearing of that would be lost with it.
// The editor that moved the text knows where it went, so that one, and no other, writes it there.
import { Fragment } from 'prosemirror-model'
import { isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { idsOf, wordsOf } from './inline.js'
import { schema } from './schema.js'
import { Writer } from './writing.js'
import * as Y from 'yjs'

/** The origin of the transactions that write such text. Undo does not take it back, because somebody else wrote it. */
export const movedOrigin = 'moved'

/** Units that are looked for before what was written. */
const unitLimit = 1000

/** Moved text blocks that are remembered. */
const moveLimit = 500

export class Moved {
  constructor (binding) {
    this.binding = binding
    /** For each element that was deleted: where its units went, and the element that took them in. */
    this.moves = new Map()
    this.lost = []
    this.collect = transaction => {
      if (this.moves.size > 0 && transaction.origin !== binding && transaction.origin !== movedOrigin) this.lost.push(...this.lostIn(transaction))
    }
    this.write = () => { if (this.lost.length > 0) this.writeLost(this.lost.splice(0)) }
    binding.doc.on('beforeObserverCalls', this.collect)
    binding.doc.on('afterAllTransactions', this.write)
  }

  destroy () {
    this.binding.doc.off('beforeObserverCalls', this.collect)
    this.binding.doc.off('afterAllTransactions', this.write)
  }

  /**
   * Remembers what a write moved.
   * @param {{ type: any, text: string, ids: any[] }[]} taken the text blocks that it deleted, as they were
   * @param {Set<import('./reading.js').Part>} placed those that got text
   */
  remember (taken, placed) {
    const targets = Array.from(placed, part => ({ part, text: wordsOf(part.node), from: 0 }))
    // Where all went as it was, even an empty block has its place.
    const isWhole = taken.length === targets.length && taken.every(({ text }, index) => text === targets[index].text)
    for (const [index, { type, text, ids }] of taken.entries()) {
      const target = isWhole ? targets[index] : text && targets.find(({ text: whole, from }) => whole.indexOf(text, from) >= 0)
      if (!target) continue
      const start = target.text.indexOf(text, target.from)
      target.from = start + text.length
      this.moves.set(type, { units: pairs(ids, idsOf(target.part.type), start), element: target.part.type })
      if (this.moves.size > moveLimit) this.moves.delete(this.moves.keys().next().value)
    }
  }

  /** What a transaction wrote into elements that are gone. */
  lostIn ({ doc, beforeState }) {
    const lost = []
    for (const [client, structs] of doc.store.clients) {
      const start = beforeState.get(client) ?? 0
      for (let index = structs.length - 1; index >= 0 && structs[index].id.clock >= start; index--) {
        const item = structs[index]
        if (!(item instanceof Y.Item) || !item.deleted || item.content.str === undefined || !isText(item.parent)) continue
        if (!this.moves.has(item.parent.parent)) continue
        // What is written behind it later must find it.
        item.keep = true
        item.parent._item.keep = true
        const { id, length, content: { str }, parent: { parent: element } } = item
        lost.push({ id, length, text: str, element, before: unitsBefore(item, this.moves.get(element)) })
      }
    }
    return lost.sort((one, other) => one.id.client - other.id.client || one.id.clock - other.id.clock)
  }

  writeLost (lost) {
    const { binding } = this
    for (const { id, length, text, element, before } of lost) {
      const move = this.moves.get(element)
      const place = move && this.placeOf(before, move)
      const part = place && binding.partOf.get(place.element)
      if (!part?.node.isTextblock) continue
      const marks = part.node.type.spec.marks === '' ? [] : part.node.resolve(Math.min(place.offset, part.node.content.size)).marks()
      const clock = Y.getState(binding.doc.store, binding.doc.clientID)
      binding.doc.transact(transaction => {
        const writer = new Writer(() => {}, () => null, transaction, null)
        writer.insertText(part, place.offset, Fragment.from(schema.text(text, marks)))
      }, movedOrigin)
      // From now on what stands behind this text goes behind it there, too.
      move.units.push(...pairs([{ client: id.client, clock: id.clock, length }], this.writtenSince(clock, place.element), 0))
    }
  }

  /** The units that were written into an element here. Yjs may have made one item of them and of what stands before. */
  writtenSince (clock, element) {
    const { clientID } = this.binding.doc
    return idsOf(element)
      .map(({ client, clock: start, length }) => ({ client, clock: Math.max(start, clock), length: start + length - Math.max(start, clock) }))
      .filter(({ client, length }) => client === clientID && length > 0)
  }

  /** Where in the note what stood behind these units belongs; null when that is gone, too. */
  placeOf (units, move) {
    for (const { client, clock } of units) {
      const place = this.placeBehind(client, clock, move)
      if (place) return place
    }
    let { element } = move
    for (let steps = 0; element._item?.deleted && this.moves.has(element) && steps < moveLimit; steps++) element = this.moves.get(element).element
    return element._item?.deleted ? null : { element, offset: 0 }
  }

  placeBehind (client, clock, move) {
    for (let steps = 0; move && steps < moveLimit; steps++) {
      const unit = move.units.find(unit => includes(unit, { client, clock }))
      if (!unit) return null
      ;[client, clock] = [unit.toClient, unit.toClock + clock - unit.clock]
      const element = elementOf(this.binding.doc, client, clock)
      if (!element) return null
      if (!element._item?.deleted) return { element, offset: offsetBehind(element, client, clock) }
      move = this.moves.get(element)
    }
    return null
  }
}

/** The units before an item whose place is known, nearest first. Yjs makes one item of many deleted ones, so each may have several. */
const unitsBefore = (item, { units }) => {
  const before = []
  for (let left = item.left; left && before.length < unitLimit; left = left.left) {
    const last = left.id.clock + left.length - 1
    const known = units.filter(({ client, clock, length }) => client === left.id.client && clock <= last && clock + length > left.id.clock)
    // Another part of the same text that came with it has its place when this one gets its own.
    if (known.length === 0) before.push({ client: left.id.client, clock: last })
    known.sort((one, other) => other.clock - one.clock)
    for (const { clock, length } of known) before.push({ client: left.id.client, clock: Math.min(last, clock + length - 1) })
    if (known.length > 0) break
  }
  return before
}

const includes = (unit, { client, clock }) => unit.client === client && clock >= unit.clock && clock < unit.clock + unit.length

/** Which unit became which, from a place on. */
const pairs = (ids, targets, start) => {
  const pairs = []
  let index = 0
  let skip = start
  while (index < targets.length && skip >= targets[index].length) skip -= targets[index++].length
  for (const { client, clock, length } of ids) {
    for (let done = 0; done < length && index < targets.length;) {
      const target = targets[index]
      const count = Math.min(length - done, target.length - skip)
      pairs.push({ client, clock: clock + done, length: count, toClient: target.client, toClock: target.clock + skip })
      done += count
      skip += count
      if (skip === target.length) {
        index++
        skip = 0
      }
    }
  }
  return pairs
}

const elementOf = (doc, client, clock) => {
  const item = Y.getItem(doc.store, Y.createID(client, clock))
  if (!(item instanceof Y.Item)) return null
  return isText(item.parent) ? item.parent.parent : item.parent
}

const offsetBehind = (element, client, clock) => {
  let offset = 0
  const isHere = item => item.id.client === client && clock >= item.id.clock && clock < item.id.clock + item.length
  for (let item = element._start; item; item = item.right) {
    const child = item.content.type
    if (!child) continue
    if (isText(child)) {
      for (let unit = child._start; unit; unit = unit.right) {
        const counts = unit.countable && !unit.deleted && !item.deleted
        if (isHere(unit)) return offset + (counts ? clock - unit.id.clock + 1 : 0)
        if (counts) offset += unit.length
      }
    } else if (!item.deleted) offset++
    if (isHere(item)) return offset
  }
  return offset
}
