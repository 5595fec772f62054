// Places in the shared document that stay where they are while others write, and what they are in ProseMirror.
import { isText } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { piecesOf } from './inline.js'
import * as Y from 'yjs'

/** The place of a position, or null when nothing of the document is there yet. */
export const relativePosition = (root, doc, position, association = 0) => {
  const resolved = doc.resolve(position)
  let part = root
  let depth = 0
  while (part.parts && depth < resolved.depth && part.parts[resolved.index(depth)]?.type) part = part.parts[resolved.index(depth++)]
  if (!part.node.isTextblock || part.node !== resolved.parent) {
    const index = part.parts ? part.parts.slice(0, resolved.index(depth)).filter(child => child.type).length : 0
    return Y.createRelativePositionFromTypeIndex(part.type, Math.min(index, part.type.length), association)
  }
  const offset = resolved.parentOffset
  const pieces = piecesOf(part.type)
  const text = pieces.find(({ child, start, length }) => isText(child) && start <= offset && offset <= start + length)
  if (text) return Y.createRelativePositionFromTypeIndex(text.child, offset - text.start, association)
  const index = pieces.filter(({ start, length }) => start + length <= offset).length
  return Y.createRelativePositionFromTypeIndex(part.type, Math.min(index, part.type.length))
}

/** The position of a place, or null when it is gone. */
export const absolutePosition = (root, partOf, doc, place) => {
  const found = Y.createAbsolutePositionFromRelativePosition(place, doc)
  if (!found) return null
  let type = found.type
  let offset = found.index
  let part = partOf(type)
  if (!part && isText(type) && (part = partOf(type.parent))) {
    const piece = piecesOf(type.parent).find(({ child }) => child === type)
    if (!piece) return null
    offset += piece.start
  } else {
    while (!part && type._item) part = partOf(type = type.parent)
    if (!part) return null
    if (part.type !== found.type) offset = 0
    else if (part.node.isTextblock) offset = piecesOf(type)[offset]?.start ?? part.node.content.size
    else if (part.parts) offset = part.parts.filter(child => child.type).slice(0, offset).reduce((sum, { node }) => sum + node.nodeSize, 0)
  }
  const start = startOf(root, part)
  return start === null ? null : start + Math.min(offset, part.node.content.size)
}

/** Where the content of a part begins; null when it is not in the document any more. */
const startOf = (root, part) => {
  let start = 0
  for (; part !== root; part = part.parent) {
    if (!part.parent) return null
    start++
    let isFound = false
    for (const sibling of part.parent.parts) {
      if (sibling === part) {
        isFound = true
        break
      }
      start += sibling.node.nodeSize
    }
    if (!isFound) return null
  }
  return start
}
