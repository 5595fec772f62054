// Where something is to be put that comes later: a picture is here only when the host has it. Until then people write, and go elsewhere.
import { schema } from './schema.js'

const { nodes } = schema

/** Whether a picture can stand at a position. */
const admits = ($place, depth) => $place.node(depth).canReplaceWith($place.indexAfter(depth), $place.indexAfter(depth), nodes.notecoveImage)

/**
 * The place behind the block at a position, or in front of an empty one, in which somebody writes next. It stays there whatever others do.
 * @param {import('./binding.js').Binding} binding
 * @param {import('prosemirror-model').Node} doc
 */
export const placeAt = (binding, doc, position) => {
  const $at = doc.resolve(position)
  if (!$at.parent.isTextblock) return binding.placeOf(doc, position, -1)
  const $before = doc.resolve($at.before())
  return $at.parent.content.size === 0 && admits($before, $before.depth) ? binding.placeOf(doc, $before.pos) : binding.placeOf(doc, $at.after(), -1)
}

/**
 * Where a block goes whose place is known: there, or behind what has no room for it. If others have deleted all around it, to the end.
 * @param {import('prosemirror-model').Node} doc
 */
export const roomAt = (doc, position) => {
  if (position === null) return doc.content.size
  const $at = doc.resolve(position)
  let depth = $at.depth
  while (depth > 0 && !admits($at, depth)) depth--
  return depth === $at.depth ? position : $at.after(depth + 1)
}
