// Where the selection is after others have written.
import { Selection, TextSelection } from 'prosemirror-state'

/**
 * The selection after the steps of a transaction; null when ProseMirror's own is right. It takes nothing in that somebody else writes at
 * its ends, and a caret stays behind what was typed.
 * @param {import('prosemirror-state').Selection} selection of before
 * @param {import('prosemirror-state').Transaction} tr
 */
export const keptSelection = (selection, tr) => {
  if (!(selection instanceof TextSelection) || !tr.docChanged) return null
  const from = follow(tr, selection.$from, selection.empty ? -1 : 1)
  const to = Math.max(from, selection.empty ? from : follow(tr, selection.$to, -1))
  const [start, end] = [tr.doc.resolve(from), tr.doc.resolve(to)]
  if (!start.parent.inlineContent || !end.parent.inlineContent) return Selection.near(end)
  return selection.anchor <= selection.head ? new TextSelection(start, end) : new TextSelection(end, start)
}

/**
 * Where a place is now. Elements cannot move: who makes a heading of a paragraph, parts it or joins it with another one takes its text
 * away and writes it anew. Then the place goes with the words around it.
 */
const follow = (tr, { parent, parentOffset, pos }, association) => {
  const { pos: mapped, deletedAcross } = tr.mapping.mapResult(pos, association)
  if (!deletedAcross || !parent.isTextblock || parent.content.size === 0) return mapped
  const start = pos - parentOffset - 1
  const [before, after] = [textOf(parent, 0, parentOffset), textOf(parent, parentOffset, parent.content.size)]
  // The block before may have taken in the text, so the search begins at its end.
  const [from, to] = [tr.mapping.map(start, -1) - 1, tr.mapping.map(start + parent.nodeSize, 1)]
  let found = null
  tr.doc.nodesBetween(Math.max(0, from), to, (node, position) => {
    if (found !== null || !node.isTextblock) return found === null
    const text = textOf(node, 0, node.content.size)
    const head = text.endsWith(after) ? text.slice(0, text.length - after.length) : null
    if (text && head !== null && (head.endsWith(before) || before.endsWith(head))) found = position + 1 + head.length
    return false
  })
  return found ?? mapped
}

const textOf = (node, from, to) => node.textBetween(from, to, null, '\ufffc')
