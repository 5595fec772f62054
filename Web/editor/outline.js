import { levelOf } from './looks.js'
import { schema } from './schema.js'

/** The headings of a document in order. */
export const outline = doc => {
  const headings = []
  doc.descendants((node, position) => {
    if (node.type === schema.nodes.heading) headings.push({ level: levelOf(node), text: node.textContent, position, id: node.attrs.id })
    return !node.isTextblock
  })
  return headings
}
