// From the shared document to nodes of ProseMirror. Nothing is changed by reading.
//
// A part connects one node with the element that it shows. What the schema demands and the document lacks (the first paragraph of a
// note without any, say) is shown by a part without an element; it becomes one when somebody writes there.
import { Fragment, Mark } from 'prosemirror-model'
import { eachChild, eachPiece, isElement, isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { lockedAttributes } from './locked.js'
import { markOf, rules, schema } from './schema.js'
import * as Y from 'yjs'

/** How many elements may stand in each other in the editor. What is deeper is locked. */
export const depthLimit = 100

/** Cells that a table may have, counted with their spans. A larger one is locked. */
const cellLimit = 100_000

export class Part {
  /**
   * @param {any} type the Y type, or null for what only the schema demands
   * @param {import('prosemirror-model').Node} node
   * @param {Part[] | null} parts those of the children; null for what has no children of its own (a text block, an atom)
   */
  constructor (type, node, parts = null) {
    this.type = type
    this.node = node
    this.parts = parts
    this.parent = null
    if (parts) for (const part of parts) part.parent = this
  }
}

/** What a type is shown as: the name of a node type. */
export const shapeOf = (type, parentName, level) => {
  if (isText(type)) return 'lockedBlock'
  const name = type.nodeName
  const rule = Object.hasOwn(rules.elements, name) && rules.elements[name]
  if (!rule || level > depthLimit || !admits(parentName, name)) return 'lockedBlock'
  const fits = {
    nothing: () => isEmpty(type),
    plainText: () => holdsPlainText(type),
    inline: () => true
  }[rule.content] ?? (() => name !== 'table' || isRegular(type, level))
  return fits() ? name : 'lockedBlock'
}

const admits = (parentName, name) => {
  const content = rules.elements[parentName]?.content ?? 'blocks'
  return Array.isArray(content) ? content.includes(name) : rules.blocks.includes(name)
}

const isEmpty = type => {
  let isEmpty = true
  eachChild(type, () => isEmpty = false)
  return isEmpty
}

const holdsPlainText = type => {
  let isPlain = true
  eachChild(type, child => isPlain = isText(child) && !hasEmbed(child))
  return isPlain
}

const hasEmbed = text => {
  let found = false
  eachPiece(text, item => { found ||= item.content.str === undefined })
  return found
}

/** Whether a table is one of rows and cells, with spans that make sense. */
export const isRegular = (table, level = 0) => {
  if (level + 2 > depthLimit) return false
  let isRegular = true
  let cells = 0
  let rows = 0
  eachChild(table, row => {
    rows++
    isRegular = isElement(row) && row.nodeName === 'tableRow'
    if (isRegular) {
      eachChild(row, cell => {
        const spans = isElement(cell) && rules.elements.tableRow.content.includes(cell.nodeName) ? spansOf(cell) : 0
        cells += spans
        return isRegular = spans > 0 && cells <= cellLimit
      })
    }
    return isRegular
  })
  return isRegular && rows > 0 && cells > 0
}

const spansOf = cell => {
  const [columns, rows] = ['colspan', 'rowspan'].map(name => cell.getAttribute(name) ?? 1)
  const isSpan = span => Number.isInteger(span) && span >= 1 && span <= 1000
  const widths = cell.getAttribute('colwidth') ?? null
  const areWidths = widths === null || (Array.isArray(widths) && widths.length === columns && widths.every(Number.isFinite))
  return isSpan(columns) && isSpan(rows) && areWidths ? columns * rows : 0
}

/** Attributes of a node as the document has them. */
export const attributesOf = (type, nodeType) => {
  const attributes = {}
  for (const name in nodeType.attrs) {
    const value = type.getAttribute(name)
    attributes[name] = isPlain(value) ? value : nodeType.attrs[name].default
  }
  return attributes
}

const isPlain = value =>
  value !== undefined && value !== null && !['function', 'bigint'].includes(typeof value) &&
  !(value instanceof Uint8Array) && !(value instanceof Y.AbstractType)

/** Reads from documents, and tells each part that it makes to `made`. */
export class Reader {
  constructor (made = () => {}) { this.made = made }

  root (type) {
    return this.container(type, schema.nodes.doc, null, 0)
  }

  read (type, parentName, level) {
    const shape = shapeOf(type, parentName, level)
    const nodeType = schema.nodes[shape]
    let part
    if (shape === 'lockedBlock') part = new Part(type, nodeType.create(lockedAttributes(type)))
    else if (nodeType.isTextblock) part = new Part(type, nodeType.create(attributesOf(type, nodeType), this.inline(type, nodeType)))
    else if (nodeType.isLeaf) part = new Part(type, nodeType.create(attributesOf(type, nodeType)))
    else return this.container(type, nodeType, attributesOf(type, nodeType), level)
    this.made(part)
    return part
  }

  container (type, nodeType, attributes, level) {
    const parts = []
    eachChild(type, child => { parts.push(this.read(child, nodeType.name, level + 1)) })
    const filler = fillerFor(nodeType, parts)
    if (filler) parts.unshift(filler)
    const part = new Part(type, nodeType.create(attributes, parts.map(part => part.node)), parts)
    this.made(part)
    return part
  }

  /** The inline content of a text block. Each unit is one position long, in the text and in ProseMirror alike. */
  inline (type, nodeType) {
    const nodes = []
    const known = new Map()
    eachChild(type, child => {
      if (isElement(child)) {
        nodes.push(inlineNode(child))
        return
      }
      eachPiece(child, (item, formats) => {
        const string = item.content.str
        if (string === undefined) for (const value of item.content.getContent()) nodes.push(schema.nodes.embed.create({ value }))
        else nodes.push(schema.text(string, nodeType.spec.marks === '' ? Mark.none : marksOf(formats, known)))
      })
    })
    return Fragment.fromArray(nodes)
  }
}

const inlineNode = element => {
  const isKnown = rules.inlines.includes(element.nodeName) && isEmpty(element)
  const nodeType = schema.nodes[isKnown ? element.nodeName : 'lockedInline']
  return nodeType.create(isKnown ? attributesOf(element, nodeType) : lockedAttributes(element))
}

const marksOf = (formats, known) => {
  let marks = known.get(formats)
  if (!marks) known.set(formats, marks = Mark.setFrom(Object.keys(formats).map(key => markOf(key, formats[key]))))
  return marks
}

/** The part that the schema demands before these, if any. */
export const fillerFor = (nodeType, parts) => {
  if (nodeType.name === 'table' || nodeType.name === 'tableRow') return null
  const needsParagraph = rules.elements[nodeType.name]?.content === 'item' && parts[0]?.node.type !== schema.nodes.paragraph
  if (parts.length > 0 && !needsParagraph) return null
  return new Part(null, nodeType.contentMatch.defaultType.createAndFill())
}
