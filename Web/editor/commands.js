// What the toolbar, the slash menu and the keys can do, by name.
import {
  baseKeymap, chainCommands, createParagraphNear, exitCode, lift, liftEmptyBlock, newlineInCode, setBlockType, splitBlock, toggleMark,
  wrapIn
} from 'prosemirror-commands'
import { Selection } from 'prosemirror-state'
import { guarded } from './guarded.js'
import { bullets, indent, numbers, outdent, setTask, splitItem, tasks } from './lists.js'
import { isSafeAddress } from './looks.js'
import { linkNote } from './notelinks.js'
import { schema } from './schema.js'
import { newTable, nextCell, previousCell, tableCommands } from './tables.js'

const { nodes, marks } = schema

/** Puts a block in the place of an empty paragraph, or behind the block with the selection. */
export const insertBlock = node => (state, dispatch) => {
  if (!dispatch) return true
  const tr = state.tr.replaceSelectionWith(node)
  const start = tr.mapping.map(state.selection.from, -1)
  if (node.type === nodes.table) {
    let inside = null
    tr.doc.nodesBetween(Math.max(0, start - 1), tr.doc.content.size, (found, position) => {
      if (inside === null && found.type === nodes.table && position >= start - 1) inside = position
      return inside === null
    })
    if (inside !== null) tr.setSelection(Selection.near(tr.doc.resolve(inside + 1)))
  }
  dispatch(tr.scrollIntoView())
  return true
}

const toggleBlock = (type, attributes) => (state, dispatch) =>
  state.selection.$from.parent.hasMarkup(type, { ...state.selection.$from.parent.attrs, ...attributes })
    ? setBlockType(nodes.paragraph)(state, dispatch)
    : setBlockType(type, attributes)(state, dispatch)

const quote = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === nodes.blockquote) return lift(state, dispatch)
  return wrapIn(nodes.blockquote)(state, dispatch)
}

const breakLine = (state, dispatch) => {
  if (state.selection.$from.parent.type === nodes.codeBlock) return newlineInCode(state, dispatch)
  dispatch?.(state.tr.replaceSelectionWith(nodes.hardBreak.create()).scrollIntoView())
  return true
}

/** Sets or removes a link; without an address it is removed. */
const link = (state, dispatch, { href = '' } = {}) => {
  const { from, to, empty } = state.selection
  if (empty || (href && !isSafeAddress(href))) return false
  const tr = state.tr.removeMark(from, to, marks.link)
  if (href) tr.addMark(from, to, marks.link.create({ value: { href } }))
  dispatch?.(tr)
  return true
}

/** Changes a picture that is selected. */
const changePicture = (state, dispatch, attributes = {}) => {
  const { node, from } = state.selection
  if (node?.type !== nodes.notecoveImage) return false
  dispatch?.(Object.entries(attributes).reduce((tr, [name, value]) => tr.setNodeAttribute(from, name, value), state.tr))
  return true
}

/** Exchanges the outermost block of the selection with the one before or behind it. */
const moveBlock = direction => (state, dispatch) => {
  const { $from, anchor } = state.selection
  const [index, target] = [$from.index(0), $from.index(0) + direction]
  if (target < 0 || target >= state.doc.childCount) return false
  if (!dispatch) return true
  const first = Math.min(index, target)
  const [one, other] = [state.doc.child(first), state.doc.child(first + 1)]
  const start = $from.posAtIndex(first, 0)
  const tr = state.tr
  // The block beside it is moved, so that the one with the caret stays the same element.
  if (direction > 0) tr.delete(start + one.nodeSize, start + one.nodeSize + other.nodeSize).insert(start, other)
  else tr.delete(start, start + one.nodeSize).insert(start + other.nodeSize, one)
  const moved = anchor + (direction > 0 ? other.nodeSize : -one.nodeSize)
  dispatch(tr.setSelection(Selection.near(tr.doc.resolve(moved))).scrollIntoView())
  return true
}

/** Puts the outermost block at one place of the order in front of that at another; for dragging. */
const moveTo = (state, dispatch, { from, to } = {}) => {
  const { doc } = state
  if (![from, to].every(Number.isInteger) || from < 0 || from >= doc.childCount || to < 0 || to > doc.childCount) return false
  if (to === from || to === from + 1) return false
  const start = index => doc.resolve(0).posAtIndex(index, 0)
  const tr = state.tr.delete(start(from), start(from + 1))
  const place = tr.mapping.map(start(to))
  tr.insert(place, doc.child(from))
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(place + 1))).scrollIntoView())
  return true
}

/** Takes the outermost block at one place of the order away. The last one that there is leaves an empty paragraph. */
const deleteBlock = (state, dispatch, { index } = {}) => {
  const { doc } = state
  if (!Number.isInteger(index) || index < 0 || index >= doc.childCount) return false
  const start = doc.resolve(0).posAtIndex(index, 0)
  const end = start + doc.child(index).nodeSize
  const tr = doc.childCount === 1 ? state.tr.replaceWith(start, end, nodes.paragraph.create()) : state.tr.delete(start, end)
  dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(Math.min(start + 1, tr.doc.content.size)))).scrollIntoView())
  return true
}

/** At the beginning of a heading or code: a paragraph first. */
const plainAtStart = (state, dispatch) => {
  const { $cursor } = state.selection
  if (!$cursor || $cursor.parentOffset > 0 || $cursor.parent.type === nodes.paragraph) return false
  return setBlockType(nodes.paragraph)(state, dispatch)
}

const outdentAtStart = (state, dispatch) => {
  const { $cursor } = state.selection
  return Boolean($cursor && $cursor.parentOffset === 0 && $cursor.depth > 1 && $cursor.index(-1) === 0) && outdent(state, dispatch)
}

const indentCode = (state, dispatch) => {
  if (state.selection.$from.parent.type !== nodes.codeBlock) return false
  dispatch?.(state.tr.insertText('  '))
  return true
}

/** @type {Record<string, (state: any, dispatch?: any, argument?: any) => boolean>} */
export const commands = {
  bold: toggleMark(marks.bold),
  italic: toggleMark(marks.italic),
  underline: toggleMark(marks.underline),
  strike: toggleMark(marks.strike),
  code: toggleMark(marks.code),
  link,
  noteLink: linkNote,
  write: (state, dispatch, { text = '' } = {}) => !dispatch || dispatch(state.tr.insertText(text).scrollIntoView()) || true,
  paragraph: setBlockType(nodes.paragraph),
  ...Object.fromEntries([1, 2, 3].map(level => ['heading' + level, toggleBlock(nodes.heading, { level })])),
  codeBlock: toggleBlock(nodes.codeBlock, {}),
  quote: guarded(quote),
  bullets,
  numbers,
  tasks,
  task: setTask,
  indent,
  outdent,
  rule: insertBlock(nodes.horizontalRule.create()),
  table: (state, dispatch, { rows, columns } = {}) => insertBlock(newTable(rows, columns))(state, dispatch),
  image: (state, dispatch, attributes) => insertBlock(nodes.notecoveImage.create(attributes))(state, dispatch),
  changePicture,
  break: breakLine,
  moveUp: moveBlock(-1),
  moveDown: moveBlock(1),
  moveTo,
  deleteBlock,
  selectAll: baseKeymap['Mod-a'],
  ...tableCommands
}

/** The key belongs to this alone, also where there is nothing to do: elsewhere in the page it means something else. */
const kept = command => (state, dispatch) => command(state, dispatch) || true

/** Keys, and what they do; undo, find and the like are the editor's own. */
export const keys = {
  ...baseKeymap,
  Enter: chainCommands(newlineInCode, splitItem, guarded(createParagraphNear), guarded(liftEmptyBlock), splitBlock),
  Backspace: chainCommands(plainAtStart, outdentAtStart, guarded(baseKeymap.Backspace)),
  Tab: chainCommands(nextCell, indent, indentCode),
  'Shift-Tab': chainCommands(previousCell, outdent),
  'Shift-Enter': chainCommands(exitCode, breakLine),
  'Mod-Enter': chainCommands((state, dispatch) => setTask(state, dispatch), exitCode),
  'Mod-b': commands.bold,
  'Mod-i': commands.italic,
  'Mod-u': commands.underline,
  'Mod-e': commands.code,
  'Mod-Shift-x': commands.strike,
  'Mod-Alt-0': commands.paragraph,
  'Mod-Alt-1': commands.heading1,
  'Mod-Alt-2': commands.heading2,
  'Mod-Alt-3': commands.heading3,
  'Mod-Alt-c': commands.codeBlock,
  'Mod-Shift-7': numbers,
  'Mod-Shift-8': bullets,
  'Mod-Shift-9': tasks,
  'Mod-Shift-.': commands.quote,
  'Alt-ArrowUp': kept(commands.moveUp),
  'Alt-ArrowDown': kept(commands.moveDown)
}

/** What is on at the selection, for the toolbar: names of `commands`. */
export const activeCommands = ({ doc, selection, storedMarks }) => {
  const { from, to, $from, empty } = selection
  const active = Object.keys(marks).filter(name => empty
    ? marks[name].isInSet(storedMarks ?? $from.marks())
    : doc.rangeHasMark(from, to, marks[name])).filter(name => name in commands)
  const parent = $from.parent
  if (parent.type === nodes.heading) active.push('heading' + parent.attrs.level)
  if (parent.type === nodes.codeBlock) active.push('codeBlock')
  let hasList = false
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth)
    if (type === nodes.blockquote) active.push('quote')
    if (type === nodes.table) active.push('table')
    if (hasList || (type !== nodes.listItem && type !== nodes.taskItem)) continue
    hasList = true
    active.push(type === nodes.taskItem ? 'tasks' : $from.node(depth - 1).type === nodes.orderedList ? 'numbers' : 'bullets')
  }
  return active
}
