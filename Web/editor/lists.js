// Lists of items and tasks.
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { guarded } from './guarded.js'
import { schema } from './schema.js'

const { bulletList, orderedList, listItem, taskItem } = schema.nodes
const isList = node => node.type === bulletList || node.type === orderedList

export const isItem = node => node.type === listItem || node.type === taskItem

/** The innermost item around the selection, with its depth. */
const itemAround = ({ selection: { $from } }) => {
  for (let depth = $from.depth; depth > 0; depth--) if (isItem($from.node(depth))) return { depth, node: $from.node(depth) }
  return null
}

/** A command for the kind of item that is around the selection. */
const onItem = make => guarded((state, dispatch) => {
  const item = itemAround(state)
  return item ? make(item.node.type)(state, dispatch) : false
})

export const indent = onItem(sinkListItem)
export const outdent = onItem(liftListItem)
export const splitItem = onItem(type => splitListItem(type, type === taskItem ? { checked: 'unchecked' } : {}))

/** Makes the blocks of the selection items of such a list, makes its items such ones, or takes them out if they are. */
const list = (listType, itemType) => guarded((state, dispatch) => {
  const around = itemAround(state)
  if (!around) return wrapInList(listType)(state, dispatch && (tr => dispatch(retype(tr, listType, itemType))))
  const { $from } = state.selection
  if ($from.node(around.depth - 1).type === listType && around.node.type === itemType) return liftListItem(itemType)(state, dispatch)
  if (dispatch) dispatch(retype(state.tr, listType, itemType).scrollIntoView())
  return true
})

/** Gives the innermost list and its selected items other types. */
const retype = (tr, listType, itemType) => {
  const { $from, from, to } = tr.selection
  let depth = $from.depth
  while (depth > 0 && !isList($from.node(depth))) depth--
  if (depth === 0) return tr
  const [list, start] = [$from.node(depth), $from.start(depth)]
  const attributes = itemType === taskItem ? { checked: 'unchecked' } : {}
  list.forEach((item, offset) => {
    const position = start + offset
    if (isItem(item) && item.type !== itemType && position < to && position + item.nodeSize > from) tr.setNodeMarkup(position, itemType, attributes)
  })
  if (list.type !== listType) tr.setNodeMarkup(start - 1, listType, {})
  return tr
}

export const bullets = list(bulletList, listItem)
export const numbers = list(orderedList, listItem)
export const tasks = list(bulletList, taskItem)

const nextState = { unchecked: 'checked', checked: 'nope', nope: 'unchecked' }

/** Brings the task at a position, or around the selection, to a state; without one to the next of the three. */
export const setTask = (state, dispatch, { position, checked } = {}) => {
  if (position === undefined) {
    const { $from } = state.selection
    for (let depth = $from.depth; depth > 0 && position === undefined; depth--) if ($from.node(depth).type === taskItem) position = $from.before(depth)
  }
  const node = position === undefined ? null : state.doc.nodeAt(position)
  if (node?.type !== taskItem) return false
  if (dispatch) dispatch(state.tr.setNodeMarkup(position, null, { ...node.attrs, checked: checked ?? nextState[node.attrs.checked] ?? 'checked' }))
  return true
}
