// What somebody may do in an editor, at random. Each takes an editor, a source of chance, and a maker of words that nobody wrote before.
import { baseKeymap, setBlockType, splitBlock, toggleMark, wrapIn, lift, joinBackward } from 'prosemirror-commands'
import { Fragment, Slice } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import { isInTable } from 'prosemirror-tables'
import { guarded } from '../../Web/editor/guarded.js'
import { wordsOf } from '../../Web/editor/inline.js'
import { schema } from '../../Web/editor/schema.js'
import { tableCommands } from '../../Web/editor/tables.js'

const { nodes, marks } = schema

const run = (editor, command) => command(editor.state, tr => editor.dispatch(tr))

const place = ({ state }, random) => Selection.near(state.doc.resolve(random.below(state.doc.content.size + 1)), random.chance(0.5) ? 1 : -1)

/** Puts the caret somewhere; with `isBetween` only between words. */
const moveCaret = (editor, random, isBetween) => {
  const selection = place(editor, random)
  let position = selection.head
  const { parent, parentOffset } = editor.state.doc.resolve(position)
  if (isBetween && parent.isTextblock) {
    const text = parent.textBetween(0, parent.content.size, undefined, ' ')
    let offset = parentOffset
    while (offset > 0 && text[offset - 1] !== ' ') offset--
    position += offset - parentOffset
  }
  editor.dispatch(editor.state.tr.setSelection(Selection.near(editor.state.doc.resolve(position))))
}

const select = (editor, random) => {
  const [one, other] = [place(editor, random), place(editor, random)]
  const near = random.chance(0.7) ? Math.min(editor.state.doc.content.size, one.from + random.below(12)) : other.from
  editor.dispatch(editor.state.tr.setSelection(TextSelection.between(editor.state.doc.resolve(one.from), editor.state.doc.resolve(near))))
}

const type = (editor, random, word) => {
  moveCaret(editor, random, true)
  if (editor.state.selection.$cursor) editor.dispatch(editor.state.tr.insertText(word()))
}

/** Letter by letter, at the place where the caret is. */
const typeOn = (editor, random, word) => {
  const { $cursor: $head } = editor.state.selection
  if (!$head) return moveCaret(editor, random, true)
  if ($head.parentOffset > 0 && $head.parent.textBetween(0, $head.parentOffset, undefined, ' ').slice(-1) !== ' ') return
  for (const letter of word()) editor.dispatch(editor.state.tr.insertText(letter))
}

/** Where there is text already. */
const typeInText = (editor, random, word) => {
  moveCaret(editor, random, true)
  if (editor.state.selection.$cursor && wordsOf(editor.state.selection.$cursor.parent)) editor.dispatch(editor.state.tr.insertText(word()))
}

const split = (editor, random) => {
  moveCaret(editor, random, true)
  // In an empty item Enter ends the list, and what another one writes there at the same time goes with the item.
  if (!editor.state.selection.$cursor?.parent.content.size) return
  run(editor, splitListItem(nodes.listItem)) || run(editor, splitListItem(nodes.taskItem, { checked: 'unchecked' })) || run(editor, splitBlock)
}

const format = (editor, random) => {
  select(editor, random)
  const { from, to } = editor.state.selection
  const mark = random.pick([
    marks.bold.create(), marks.italic.create(), marks.strike.create(), marks.underline.create(),
    marks.link.create({ value: { href: `https://example.org/${random.below(3)}` } }),
    marks.commentMark.create({ key: `commentMark--abcdefg${random.below(3)}`, value: { threadId: String(random.below(3)) } })
  ])
  if (from === to) return
  editor.dispatch(random.chance(0.6) ? editor.state.tr.addMark(from, to, mark) : editor.state.tr.removeMark(from, to, mark.type))
}

const breakLine = (editor, random) => {
  moveCaret(editor, random, true)
  const { $cursor } = editor.state.selection
  if (!$cursor || $cursor.parent.type === nodes.codeBlock) return
  editor.dispatch(editor.state.tr.replaceSelectionWith(random.chance(0.5) ? nodes.hardBreak.create() : nodes.mentionNode.create({ displayName: 'ben' })))
}

const insertBlock = (editor, random, word) => {
  const text = () => nodes.paragraph.create(null, schema.text(word()))
  const made = random.pick([
    () => nodes.horizontalRule.create(),
    () => nodes.notecoveImage.create({ imageId: 'i' + random.below(9), alt: 'x' }),
    () => nodes.codeBlock.create({ language: 'swift' }, schema.text(word())),
    () => nodes.blockquote.create(null, text()),
    () => nodes.bulletList.create(null, [nodes.listItem.create(null, text()), nodes.taskItem.create({ checked: 'nope' }, text())]),
    () => nodes.table.create(null, [0, 1].map(() => nodes.tableRow.create(null, [0, 1].map(() => nodes.tableCell.create(null, text())))))
  ])()
  const { doc } = editor.state
  const depth = doc.resolve(random.below(doc.content.size + 1))
  const position = depth.depth === 0 ? depth.pos : depth.before(1)
  editor.dispatch(editor.state.tr.insert(position, made))
}

/** Sets an attribute of some element. */
const adjust = (editor, random) => {
  const found = []
  editor.state.doc.descendants((node, position) => { if (['taskItem', 'heading', 'orderedList', 'codeBlock', 'notecoveImage'].includes(node.type.name)) found.push([node, position]) })
  if (found.length === 0) return
  const [node, position] = random.pick(found)
  const [name, value] = {
    taskItem: ['checked', random.pick(['unchecked', 'checked', 'nope'])],
    heading: ['level', 1 + random.below(6)],
    orderedList: ['start', random.below(5)],
    codeBlock: ['language', random.pick([null, 'swift'])],
    notecoveImage: ['caption', random.pick([null, 'a', 'b'])]
  }[node.type.name]
  editor.dispatch(editor.state.tr.setNodeAttribute(position, name, value))
}

const growTable = (editor, random) => {
  if (!isInTable(editor.state)) moveCaret(editor, random, true)
  if (isInTable(editor.state)) run(editor, random.pick([tableCommands.addRowAfter, tableCommands.addColumnAfter]))
}

const shrinkTable = (editor, random) => {
  if (isInTable(editor.state)) run(editor, random.pick([tableCommands.deleteRow, tableCommands.deleteColumn, tableCommands.mergeCells, tableCommands.splitCell]))
}

const remove = (editor, random) => {
  select(editor, random)
  if (!editor.state.selection.empty) editor.dispatch(editor.state.tr.deleteSelection())
}

const backspace = (editor, random) => {
  moveCaret(editor, random)
  if (run(editor, baseKeymap.Backspace)) return
  const { from, empty, $from } = editor.state.selection
  if (!empty || $from.parentOffset === 0) return
  const before = $from.nodeBefore?.text?.slice(-2) ?? ' '
  const length = /[\ud800-\udbff][\udc00-\udfff]$/.test(before) ? 2 : 1
  editor.dispatch(editor.state.tr.delete(from - length, from))
}

const retype = (editor, random, word) => {
  select(editor, random)
  editor.dispatch(editor.state.tr.insertText(word()))
}

const convert = (editor, random) => {
  moveCaret(editor, random)
  if (!editor.state.selection.$cursor) return
  run(editor, guarded(random.pick([
    setBlockType(nodes.heading, { level: 1 + random.below(3) }), setBlockType(nodes.paragraph), setBlockType(nodes.codeBlock),
    wrapIn(nodes.blockquote), wrapInList(nodes.bulletList), wrapInList(nodes.orderedList), lift, liftListItem(nodes.listItem),
    sinkListItem(nodes.listItem), sinkListItem(nodes.taskItem), liftListItem(nodes.taskItem), joinBackward, toggleMark(marks.code)
  ])))
}

/** Copies something to another place, or moves it. */
const move = (editor, random) => {
  select(editor, random)
  const slice = editor.state.selection.content()
  const tr = editor.state.tr
  if (random.chance(0.5)) tr.deleteSelection()
  const target = random.below(tr.doc.content.size + 1)
  editor.dispatch(tr.replaceRange(target, target, slice))
}

const moveBlock = (editor, random) => {
  const { doc } = editor.state
  const index = random.below(doc.childCount)
  let position = 0
  for (let i = 0; i < index; i++) position += doc.child(i).nodeSize
  const node = doc.child(index)
  const tr = editor.state.tr
  if (doc.childCount > 1) tr.delete(position, position + node.nodeSize)
  tr.insert(random.chance(0.5) ? 0 : tr.doc.content.size, random.chance(0.7) ? node : Fragment.from([node, node]))
  editor.dispatch(tr)
}

const selectNode = (editor, random) => {
  const found = []
  editor.state.doc.descendants((node, position) => { if (node.isAtom && !node.isText && NodeSelection.isSelectable(node)) found.push(position) })
  if (found.length === 0) return
  editor.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, random.pick(found))))
  if (random.chance(0.3)) editor.dispatch(editor.state.tr.deleteSelection())
}

const removeAll = (editor, random) => {
  if (random.chance(0.2)) editor.dispatch(editor.state.tr.delete(0, editor.state.doc.content.size))
}

const brokenText = (editor, random) => {
  moveCaret(editor, random)
  if (random.chance(0.1)) editor.dispatch(editor.state.tr.insertText('\ud83d'))
}

const undo = editor => { editor.binding.undo.undo() }
const redo = editor => { editor.binding.undo.redo() }
const pause = editor => editor.binding.undo.separate()

const pasteSlice = (editor, random, word) => {
  select(editor, random)
  const slice = new Slice(Fragment.from([
    nodes.paragraph.create(null, schema.text(word(), [marks.bold.create()])), nodes.heading.create({ level: 2 }, schema.text(word()))
  ]), 1, 1)
  editor.dispatch(editor.state.tr.replaceSelection(slice))
}

export const gentleActions = [type, type, typeOn, typeOn, split, format, breakLine, insertBlock, adjust, growTable]

export const writingActions = [typeInText, typeInText, format]

export const movingActions = [convert, convert, moveBlock]

export const undoActions = [pause, undo, undo, redo]

export const actions = [
  ...gentleActions, ...undoActions, type, pause, shrinkTable, remove, backspace, backspace, retype, convert, convert, convert, move, moveBlock,
  selectNode, removeAll, brokenText, undo, redo, pasteSlice
]
