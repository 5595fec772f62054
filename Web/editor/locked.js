// What the editor cannot represent stays in the document as it is. An atom stands for it, named by the id of its operation, and a copy
// is kept, so that an atom that is moved or pasted becomes the same element elsewhere.
import { eachChild, eachPiece, isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import * as Y from 'yjs'

/** Elements that stand deeper in one another are not copied. */
const depthLimit = 200

/** UTF-16 units of its text that are shown for a locked element. */
const labelLimit = 200

export const idOf = type => `${type._item.id.client}:${type._item.id.clock}`

/** Attributes of the node that stands for a type. */
export const lockedAttributes = type => ({ id: idOf(type), name: isText(type) ? '' : type.nodeName, text: label(type) })

/** The first characters of the text inside, without calling itself: others decide how deep elements are. */
const label = type => {
  let label = ''
  const stack = [type]
  while (stack.length > 0 && label.length < labelLimit) {
    const next = stack.pop()
    if (isText(next)) eachPiece(next, item => { label += label.length < labelLimit ? item.content.str ?? '' : '' })
    else {
      const children = []
      eachChild(next, child => { children.push(child) })
      stack.push(...children.reverse())
    }
  }
  return Array.from(label).slice(0, labelLimit).join('')
}

/** A copy of a type as plain values, or null when it is too deep. */
export const snapshot = (type, depth = 0) => {
  if (depth > depthLimit) return null
  if (isText(type)) return { pieces: type.toDelta() }
  const children = []
  let isWhole = true
  eachChild(type, child => {
    const copy = snapshot(child, depth + 1)
    if (copy) children.push(copy)
    else isWhole = false
  })
  return isWhole ? { name: type.nodeName, attributes: type.getAttributes(), children } : null
}

/** A new type that is like the copied one. */
export const restore = copy => {
  if (copy.pieces) {
    const text = new Y.XmlText()
    text.applyDelta(copy.pieces)
    return text
  }
  const element = new Y.XmlElement(copy.name)
  for (const name in copy.attributes) {
    const value = copy.attributes[name]
    if (value !== undefined && !(value instanceof Y.AbstractType)) element.setAttribute(name, value)
  }
  element.insert(0, copy.children.map(restore))
  return element
}
