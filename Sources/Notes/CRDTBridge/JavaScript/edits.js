// Edits in place: as few operations as say it, and nothing else is touched.
//
// ['i', path, nodes] inserts, ['r', path, count] removes, ['a', path, name, value or null] sets an attribute,
// ['t', path, changes] changes a text: n goes on, -n deletes, [n, marks] sets marks, [text or [embed], marks] inserts.
import * as Y from 'yjs'
import { Failure } from './failure.js'
import { depthLimit, eachShown, isElement, isText, levelBelow, root } from './tree.js'

const noSuchPlace = path => new Failure('noSuchPlace', 'the document has nothing at /' + path.join('/'))

const childAt = (type, level, index) => {
  let found
  eachShown(type, level, child => index-- > 0 || (found = child, false))
  return found
}

/// What is at a path, and its level.
const placeAt = (doc, path, depth = path.length) => {
  let type = root(doc)
  let level = 0
  for (const index of path.slice(0, depth)) {
    const child = isText(type) ? undefined : childAt(type, level, index)
    if (!child) throw noSuchPlace(path)
    level = levelBelow(type, level)
    type = child
  }
  return [type, level]
}

const nodeAt = (doc, path) => placeAt(doc, path)[0]

const parentOf = (doc, path) => {
  const [parent, level] = placeAt(doc, path, path.length - 1)
  if (path.length === 0 || isText(parent)) throw noSuchPlace(path)
  return [parent, level]
}

const isNewElement = node => typeof node[0] === 'string'

/// What is written must be there again when it is read, so it is not nested deeper than what is shown.
const checkDepth = (nodes, level) => {
  if (level > depthLimit && nodes.length > 0) throw new Failure('tooDeep', 'lists and quotes can be nested 64 deep: put what is deeper beside them')
  for (const node of nodes) checkDepth(node[2].filter(isNewElement), level + 1)
}

const build = node => {
  if (typeof node[0] !== 'string') {
    const text = new Y.XmlText()
    text.applyDelta(node.map(([content, marks]) => ({ insert: inserted(content), attributes: marks })))
    return text
  }
  const [name, attributes, children] = node
  const element = new Y.XmlElement(name)
  for (const key in attributes) if (attributes[key] !== null) element.setAttribute(key, attributes[key])
  element.insert(0, children.map(build))
  return element
}

const inserted = content => {
  if (typeof content === 'string') return content
  // Yjs would take a string for text, and cannot embed null.
  if (content[0] === null || typeof content[0] !== 'object') throw new Failure('badEmbed', 'only objects can be embedded in text')
  return content[0]
}

const insert = (doc, path, nodes) => {
  const [parent, level] = parentOf(doc, path)
  const index = path[path.length - 1]
  // What is shown flat stands where somebody else put it.
  if (level !== Infinity && levelBelow(parent, level) !== Infinity) checkDepth(nodes.filter(isNewElement), level + 1)
  const types = nodes.map(build)
  if (index === 0) return parent.insert(0, types)
  const before = childAt(parent, level, index - 1)
  if (!before) throw noSuchPlace(path)
  before.parent.insertAfter(before, types)
}

const remove = (doc, path, count, transaction) => {
  const [parent, level] = parentOf(doc, path)
  const index = path[path.length - 1]
  for (; count > 0; count--) {
    const child = childAt(parent, level, index)
    if (!child) throw noSuchPlace(path)
    child._item.delete(transaction)
  }
}

const setAttribute = (doc, path, name, value) => {
  const element = nodeAt(doc, path)
  if (!isElement(element)) throw noSuchPlace(path)
  if (value === null) element.removeAttribute(name)
  else element.setAttribute(name, value)
}

/// Throws when the place `index` is outside of the text or between the halves of a surrogate pair, where Yjs would put
/// U+FFFD for both. Looks from the nearest place that Yjs remembers, so that long texts cost little.
const check = (text, index, path) => {
  if (index < 0 || index > text._length) throw noSuchPlace(path)
  let item = text._start
  let start = 0
  for (const marker of text._searchMarker || []) {
    if (marker.index <= index && marker.index >= start) [item, start] = [marker.p, marker.index]
  }
  for (; item && start < index; item = item.right) {
    if (item.deleted || !item.countable) continue
    const offset = index - start
    start += item.length
    const string = item.content.str
    if (start > index && string !== undefined && isLead(string.charCodeAt(offset - 1)) && isTrail(string.charCodeAt(offset))) {
      throw new Failure('splitsPair', 'an edit splits a surrogate pair at /' + path.join('/'))
    }
  }
}

const isLead = unit => unit >= 0xd800 && unit < 0xdc00
const isTrail = unit => unit >= 0xdc00 && unit < 0xe000

const changeText = (doc, path, changes) => {
  const text = nodeAt(doc, path)
  if (!isText(text)) throw noSuchPlace(path)
  let index = 0
  for (const change of changes) {
    check(text, index, path)
    if (typeof change === 'number') {
      if (change > 0) index += change
      else if (change < 0) {
        check(text, index - change, path)
        text.delete(index, -change)
      }
    } else if (typeof change[0] === 'number') {
      check(text, index + change[0], path)
      if (change[0] > 0) text.format(index, change[0], change[1])
      index += change[0]
    } else {
      const [content, marks] = change
      if (typeof content === 'string') text.insert(index, content, marks)
      else text.insertEmbed(index, inserted(content), marks)
      index += typeof content === 'string' ? content.length : 1
    }
  }
}

export const perform = (doc, edits, transaction) => {
  for (const [kind, path, first, second] of edits) {
    if (kind === 't') changeText(doc, path, first)
    else if (kind === 'i') insert(doc, path, first)
    else if (kind === 'r') remove(doc, path, first, transaction)
    else setAttribute(doc, path, first, second)
  }
}
