// What is in a text block of the shared document, and which marks of it changed.
import { Mark } from 'prosemirror-model'
import { eachChild, eachPiece, isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { keyOf } from './schema.js'
import * as Y from 'yjs'

/** The texts and elements of a text block, with where each begins. */
export const piecesOf = type => {
  const pieces = []
  let start = 0
  eachChild(type, child => {
    const length = isText(child) ? child.length : 1
    pieces.push({ child, start, length })
    start += length
  })
  return pieces
}

/** Deletes what stands in a text from a place on, and answers it. */
export const takeTail = (text, at) => {
  const tail = []
  let index = 0
  eachPiece(text, (item, formats) => {
    const from = Math.max(0, at - index)
    index += item.length
    if (from >= item.length) return
    if (item.content.str !== undefined) tail.push({ insert: item.content.str.slice(from), attributes: { ...formats } })
    else for (const insert of item.content.getContent().slice(from)) tail.push({ insert, attributes: { ...formats } })
  })
  if (text.length > at) text.delete(at, text.length - at)
  return tail
}

export const textOf = delta => {
  const text = new Y.XmlText()
  text.applyDelta(delta)
  return text
}

/** The characters of a text block, as ids with lengths, in order. */
export const idsOf = type => {
  const ids = []
  eachChild(type, child => {
    if (!isText(child)) return
    for (let item = child._start; item; item = item.right) {
      if (!item.deleted && item.content.str !== undefined) ids.push({ client: item.id.client, clock: item.id.clock, length: item.length })
    }
  })
  return ids
}

/** These characters. */
export const wordsOf = node => node.content.content.map(child => child.isText ? child.text : '').join('')

/** Calls `visit` with each range of the new content whose marks differ from those of the same text in the old one. */
export const eachMarkChange = (before, oldStart, after, newStart, length, visit) => {
  if (length === 0) return
  const [olds, news] = [runsBetween(before, oldStart, length), runsBetween(after, newStart, length)]
  for (let i = 0, j = 0, at = 0; at < length;) {
    const end = Math.min(olds[i].end, news[j].end)
    const formats = formatChange(olds[i].node, news[j].node)
    if (formats) visit(newStart + at, newStart + end, formats)
    at = end
    if (olds[i].end === end) i++
    if (news[j].end === end) j++
  }
}

const runsBetween = (content, start, length) => {
  const runs = []
  content.nodesBetween(start, start + length, (node, offset) => {
    runs.push({ node, end: Math.min(length, offset + node.nodeSize - start) })
    return false
  })
  return runs
}

const formatChange = (one, other) => {
  if (!one.isText || Mark.sameSet(one.marks, other.marks)) return null
  const formats = {}
  for (const mark of one.marks) if (!mark.isInSet(other.marks)) formats[keyOf(mark)] = null
  for (const mark of other.marks) if (!mark.isInSet(one.marks)) formats[keyOf(mark)] = mark.attrs.value
  return Object.keys(formats).length > 0 ? formats : null
}

/** Whether two marks have the same key. A text has only one of them. */
export const hasTwice = ({ marks }) => marks.length > 1 && new Set(marks.map(keyOf)).size < marks.length

export const formatsOf = node => {
  const formats = {}
  for (const mark of node.marks) formats[keyOf(mark)] = mark.attrs.value
  return formats
}
