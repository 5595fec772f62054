// The XML fragment of a note as plain JSON. An element is [name, attributes, children], a text node an array of runs,
// and a run [text, marks] or [[embedded value], marks].
//
// What no ProseMirror document has (a map among the children, say) is passed over here and in edits alike.
import * as Y from 'yjs'

/// How many elements stand in each other: `RichText.depthLimit`. What is written keeps to it; what another program nested deeper is
/// shown flat.
export const depthLimit = 136

/// Elements that stand in one another without being a level for whoever reads them: they are not taken apart.
const structural = new Set(['bulletList', 'orderedList', 'table', 'tableRow'])
const containers = new Set([...structural, 'listItem', 'taskItem', 'tableCell', 'tableHeader', 'blockquote'])

/// The fragment with the document: `content`, or `default` in notes of the earliest days.
export const root = doc => {
  const content = doc.getXmlFragment('content')
  if (content._length > 0 || !doc.share.has('default')) return content
  const old = doc.getXmlFragment('default')
  return old._length > 0 ? old : content
}

export const isText = type => type instanceof Y.XmlText
export const isElement = type => type instanceof Y.XmlElement

export const eachChild = (type, visit) => {
  for (let item = type._start; item; item = item.right) {
    if (item.deleted) continue
    const child = item.content.type
    if ((isText(child) || isElement(child)) && visit(child) === false) return
  }
}

const isBare = element => {
  let isBare = true
  eachChild(element, () => isBare = false)
  return isBare
}

const hasText = type => {
  let hasText = false
  eachChild(type, child => !(hasText = isText(child)))
  return hasText
}

/// The level of what `eachShown` visits below `type`, which is on `level`; infinite for what is shown flat.
export const levelBelow = (type, level) =>
  level < depthLimit || (level < depthLimit + 4 && structural.has(type.nodeName)) ? level + 1 : Infinity

/// Visits the children of a node as they are shown; the root is on level 0. They are the real ones, wherever they are, so that an edit
/// finds what it is for by the path that is shown.
export const eachShown = (type, level, visit) => {
  if (level === Infinity) eachChild(type, child => isText(child) || isBare(child) ? visit(child) : true)
  else if (levelBelow(type, level) !== Infinity) eachChild(type, visit)
  else eachFlat(type, visit)
}

/// Visits the blocks on all levels below `type` that have text, or need none (a rule, an image). It does not call itself, because others
/// decide how deep they are.
const eachFlat = (type, visit) => {
  const stack = [{ parent: type, item: type._start, hasText: false }]
  while (stack.length > 0) {
    const top = stack[stack.length - 1]
    const { item } = top
    if (!item) {
      stack.pop()
      continue
    }
    top.item = item.right
    const child = item.deleted ? undefined : item.content.type
    if (isText(child)) {
      if (top.parent === type && visit(child) === false) return
    } else if (isElement(child)) {
      // What has nothing inside is shown in the block whose text is beside it, else by itself.
      const bare = isBare(child)
      const inside = { parent: child, item: child._start, hasText: !bare && hasText(child) }
      if ((bare ? !top.hasText && !containers.has(child.nodeName) : inside.hasText) && visit(child) === false) return
      if (!bare) stack.push(inside)
    }
  }
}

const node = (type, level) =>
  isText(type) ? runs(type) : [type.nodeName, attributes(type), children(type, level)]

const children = (type, level) => {
  const nodes = []
  const below = levelBelow(type, level)
  eachShown(type, level, child => { nodes.push(node(child, below)) })
  return nodes
}

const attributes = element => {
  const values = Object.create(null)
  for (const [name, item] of element._map) {
    if (item.deleted) continue
    const contents = item.content.getContent()
    const value = plain(contents[item.length - 1])
    if (value !== undefined) values[name] = value
  }
  return values
}

/// JSON has no place for some values that lib0 encodes.
const plain = value => {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Array.from(value)
  if (value instanceof Y.AbstractType || typeof value === 'function') return undefined
  if (Array.isArray(value)) return value.map(each => plain(each) ?? null)
  if (value === null || typeof value !== 'object') return value
  const copy = Object.create(null)
  for (const key in value) copy[key] = plain(value[key])
  return copy
}

/// What stands in a text, in order: visit(length, content, marks, item). The marks of equal runs are one object.
export const eachPiece = (text, visit) => {
  const current = new Map()
  const known = new Map([['[]', {}]])
  let marks = known.get('[]')
  let isStale = false
  for (let item = text._start; item; item = item.right) {
    if (item.deleted) continue
    const content = item.content
    if (content instanceof Y.ContentFormat) {
      if (content.value === null) current.delete(content.key)
      else current.set(content.key, content.value)
      isStale = true
    } else if (item.countable) {
      if (isStale) marks = shared(known, current)
      isStale = false
      visit(item, marks)
    }
  }
}

const shared = (known, current) => {
  const entries = Array.from(current).sort((a, b) => a[0] < b[0] ? -1 : 1)
  const key = JSON.stringify(entries)
  let marks = known.get(key)
  if (!marks) {
    marks = Object.create(null)
    for (const [name, value] of entries) marks[name] = value
    known.set(key, marks)
  }
  return marks
}

const runs = text => {
  const runs = []
  let last
  eachPiece(text, (item, marks) => {
    const string = item.content.str
    if (string !== undefined) {
      if (last && last[1] === marks && typeof last[0] === 'string') last[0] += string
      else runs.push(last = [string, marks])
    } else {
      for (const value of item.content.getContent()) runs.push(last = [[plain(value) ?? null], marks])
    }
  })
  return runs
}

export const tree = doc => JSON.stringify(children(root(doc), 0))
