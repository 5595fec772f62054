import assert from 'node:assert/strict'
import test from 'node:test'
import { EditorState, Selection, TextSelection } from 'prosemirror-state'
import { commands, keys } from '../../Web/editor/commands.js'
import { find, findKey, look, nextMatch, replaceMatch, replaceMatches } from '../../Web/editor/find.js'
import { copiedText, markdownOf } from '../../Web/editor/markdown.js'
import { schema } from '../../Web/editor/schema.js'
import { shortcut } from '../../Web/editor/shortcuts.js'
import { slashAt, slashItems, slashMatches } from '../../Web/editor/slash.js'
import { changesBetween } from '../../Web/editor/difference.js'

const { nodes } = schema
const text = (content, ...marks) => schema.text(content, marks.map(name => schema.marks[name].create()))
const paragraph = (...children) => nodes.paragraph.create(null, children)
const list = (...items) => nodes.bulletList.create(null, items)
const item = (...children) => nodes.listItem.create(null, children)
const task = (checked, ...children) => nodes.taskItem.create({ checked }, children)
const doc = (...children) => nodes.doc.create(null, children)

/** A state with the caret at the end. */
const stateOf = (...children) => {
  const state = EditorState.create({ doc: doc(...children), plugins: [find()] })
  return state.apply(state.tr.setSelection(Selection.atEnd(state.doc)))
}

const after = (state, command, argument) => {
  let next = null
  command(state, tr => { next = state.apply(tr) }, argument)
  return next
}

const shown = state => state?.doc.toString()

for (const [typed, expected] of [
  ['# ', 'doc(heading)'],
  ['- ', 'doc(bulletList(listItem(paragraph)))'],
  ['7. ', 'doc(orderedList(listItem(paragraph)))'],
  ['[] ', 'doc(bulletList(taskItem(paragraph)))'],
  ['[-] ', 'doc(bulletList(taskItem(paragraph)))'],
  ['> ', 'doc(blockquote(paragraph))'],
  ['```js ', 'doc(codeBlock)'],
  ['a **b c**', 'doc(paragraph("a ", bold("b c")))'],
  ['*b*', 'doc(paragraph(italic("b")))'],
  ['~~b~~', 'doc(paragraph(strike("b")))'],
  ['a `b*c`', 'doc(paragraph("a ", code("b*c")))'],
  ['[a](https://b.c)', 'doc(paragraph(link("a")))']
]) {
  test(`${typed} becomes what it means`, () => {
    const state = stateOf(paragraph(text(typed)))
    assert.equal(shown(state.apply(shortcut(state))), expected)
  })
}

test('the start of a list and the state of a task are what was typed', () => {
  const numbered = stateOf(paragraph(text('7. ')))
  assert.equal(numbered.apply(shortcut(numbered)).doc.firstChild.attrs.start, 7)
  const tasks = stateOf(paragraph(text('[-] ')))
  assert.equal(tasks.apply(shortcut(tasks)).doc.firstChild.firstChild.attrs.checked, 'nope')
})

for (const typed of ['a # ', '2 * 3 * ', 'snake_case_', '[a](javascript:b)', '**', '#x']) {
  test(`${typed} is only text`, () => assert.equal(shortcut(stateOf(paragraph(text(typed)))), null))
}

test('nothing is a shortcut in code', () => {
  assert.equal(shortcut(stateOf(nodes.codeBlock.create(null, text('# ')))), null)
})

test('lists: wrap, change, indent, leave', () => {
  const wrapped = after(stateOf(paragraph(text('a'))), commands.tasks)
  assert.equal(shown(wrapped), 'doc(bulletList(taskItem(paragraph("a"))))')
  assert.equal(shown(after(wrapped, commands.numbers)), 'doc(orderedList(listItem(paragraph("a"))))')
  assert.equal(shown(after(wrapped, commands.tasks)), 'doc(paragraph("a"))')
  const split = after(wrapped, keys.Enter)
  assert.equal(shown(split), 'doc(bulletList(taskItem(paragraph("a")), taskItem(paragraph)))')
  assert.equal(shown(after(split, keys.Tab)), 'doc(bulletList(taskItem(paragraph("a"), bulletList(taskItem(paragraph)))))')
  assert.equal(shown(after(split, keys.Enter)), 'doc(bulletList(taskItem(paragraph("a"))), paragraph)')
  assert.equal(after(wrapped, commands.task).doc.firstChild.firstChild.attrs.checked, 'checked')
})

test('tables: make, go to the next cell, grow at the end', () => {
  let state = after(stateOf(paragraph()), commands.table, { rows: 2, columns: 2 })
  assert.equal(shown(state), 'doc(table(tableRow(tableHeader(paragraph), tableHeader(paragraph)), tableRow(tableCell(paragraph), tableCell(paragraph))))')
  for (let i = 0; i < 4; i++) state = after(state, keys.Tab)
  assert.equal(state.doc.firstChild.childCount, 3)
  assert.equal(state.selection.$from.index(1), 2)
  assert.equal(after(state, commands.addColumnAfter).doc.firstChild.firstChild.childCount, 3)
})

test('a column is aligned as a whole, and names stand in the first row and column', () => {
  const aligns = state => state.doc.firstChild.content.content.map(row => row.content.content.map(cell => cell.attrs.textAlign))
  let state = after(stateOf(paragraph()), commands.table, { rows: 2, columns: 2 })
  state = after(after(state, keys.Tab), keys.Tab)
  state = after(state, commands.alignRight)
  assert.deepEqual(aligns(state), [['right', null], ['right', null]])
  const types = state => state.doc.firstChild.content.content.map(row => row.content.content.map(cell => cell.type.name.slice(5)))
  assert.deepEqual(types(after(after(state, keys.Tab), commands.toggleHeaderColumn)), [['Header', 'Header'], ['Header', 'Cell']])
  assert.deepEqual(types(after(state, commands.toggleHeaderRow)), [['Cell', 'Cell'], ['Cell', 'Cell']])
})

test('a command on a table first mends it', () => {
  const row = count => nodes.tableRow.create(null, Array.from({ length: count }, () => nodes.tableCell.createAndFill()))
  const state = stateOf(nodes.table.create(null, [row(1), row(2)]))
  const next = after(state, commands.addRowAfter)
  assert.deepEqual(next.doc.firstChild.content.content.map(row => row.childCount), [2, 2, 2])
})

test('blocks move over each other', () => {
  const state = stateOf(paragraph(text('a')), paragraph(text('b')))
  const moved = after(state, commands.moveUp)
  assert.equal(shown(moved), 'doc(paragraph("b"), paragraph("a"))')
  assert.equal(moved.selection.$from.parent.textContent, 'b')
  assert.equal(shown(after(moved, commands.moveDown)), 'doc(paragraph("a"), paragraph("b"))')
})

test('a block is dragged to another place', () => {
  const state = stateOf(...['a', 'b', 'c'].map(letter => paragraph(text(letter))))
  const texts = state => state?.doc.content.content.map(block => block.textContent).join('')
  assert.equal(texts(after(state, commands.moveTo, { from: 0, to: 3 })), 'bca')
  assert.equal(texts(after(state, commands.moveTo, { from: 2, to: 0 })), 'cab')
  for (const argument of [{ from: 0, to: 1 }, { from: 0, to: 4 }, { from: -1, to: 0 }, {}]) assert.equal(after(state, commands.moveTo, argument), null)
})

test('a block is deleted, and the last one leaves an empty paragraph', () => {
  const state = stateOf(paragraph(text('a')), list(item(paragraph(text('b')))))
  assert.equal(shown(after(state, commands.deleteBlock, { index: 1 })), 'doc(paragraph("a"))')
  assert.equal(shown(after(stateOf(paragraph(text('a'))), commands.deleteBlock, { index: 0 })), 'doc(paragraph)')
  for (const argument of [{ index: 2 }, { index: -1 }, {}]) assert.equal(after(state, commands.deleteBlock, argument), null)
})

test('find and replace', () => {
  let state = after(stateOf(paragraph(text('One one')), paragraph(text('on', 'bold'), text('e*'))), look, { text: 'one' })
  assert.equal(findKey.getState(state).matches.length, 3)
  assert.equal(findKey.getState(after(state, look, { text: 'One', isExact: true })).matches.length, 1)
  assert.equal(findKey.getState(after(state, look, { text: 'e*' })).matches.length, 1)
  state = after(state, nextMatch)
  assert.equal(state.selection.to - state.selection.from, 3)
  assert.equal(shown(after(state, replaceMatches, { text: '1' })), 'doc(paragraph("1 1"), paragraph(bold("1"), "*"))')
  assert.match(shown(after(state, replaceMatch, { text: '1' })), /1/)
})

test('the slash menu finds commands by their words', () => {
  assert.deepEqual(slashAt(stateOf(paragraph(text('a /he')))), { from: 3, to: 6, query: 'he' })
  assert.equal(slashAt(stateOf(paragraph(text('and/or')))), null)
  assert.deepEqual(slashMatches('todo').map(({ name }) => name), ['tasks'])
  for (const { name } of slashItems) assert.ok(name in commands, name)
  const german = name => ({ heading1: 'Große Überschrift', tasks: 'Aufgaben' })[name] ?? 'Text'
  assert.deepEqual(slashMatches('ÜBER', german).map(({ name }) => name), ['heading1'])
  assert.deepEqual(slashMatches('auf', german).map(({ name }) => name), ['tasks'])
  assert.deepEqual(slashMatches('todo', german).map(({ name }) => name), ['tasks'])
})

test('Markdown', () => {
  const written = markdownOf(doc(
    nodes.heading.create({ level: 2 }, text('T')),
    paragraph(text('a '), text('b ', 'bold'), text('c*'), nodes.hardBreak.create(), text('# d')),
    list(item(paragraph(text('x')), list(task('nope', paragraph(text('y'))))), task('checked', paragraph(text('z')))),
    nodes.codeBlock.create({ language: 'js' }, text('``` x')),
    nodes.blockquote.create(null, [paragraph(text('q')), paragraph(text('r'))])
  ).content)
  assert.equal(written,
    '## T\n\na **b** c\\*\\\n\\# d\n\n- x\n  - [-] y\n- [x] z\n\n````js\n``` x\n````\n\n> q\n>\n> r\n')
})

test('what is copied says what was selected', () => {
  const whole = doc(
    nodes.heading.create({ level: 2 }, text('A [heading]')),
    list(item(paragraph(text('1. an '), text('item_', 'bold'), nodes.hardBreak.create(), text('# next')))),
    nodes.codeBlock.create({ language: 'js' }, text('a *= b')),
    nodes.blockquote.create(null, [paragraph(text('- q')), paragraph(nodes.mentionNode.create({ handle: 'ada' }), text(' r|'))]),
    nodes.table.create(null, [nodes.tableRow.create(null, ['x', 'y|'].map(letter => nodes.tableCell.create(null, paragraph(text(letter)))))])
  )
  const placeOf = words => {
    let place = 0
    whole.descendants((node, position) => { if (node.isText && node.text.includes(words)) place = position + node.text.indexOf(words) })
    return place
  }
  const copied = (first, last = first) => copiedText(TextSelection.create(whole, placeOf(first), placeOf(last) + last.length).content())
  for (const words of ['[heading]', 'A [heading]', 'item_', 'a *= b', '- q', 'y|']) assert.equal(copied(words), words)
  assert.equal(copied('1.', '# next'), '1. an item_\n# next')
  assert.equal(copied(' r|'), ' r|')
  assert.equal(copied('[heading]', '# next'), '## [heading]\n\n- 1. an **item_**\n  # next')
  assert.equal(copied('q', ' r|'), '> q\n>\n> @ada r|')
  assert.equal(copiedText(whole.slice(whole.content.size - whole.lastChild.nodeSize, whole.content.size)), '| x | y| |\n| --- | --- |')
})

test('a change is where the caret says it is', () => {
  const content = string => paragraph(text(string)).content
  assert.deepEqual(changesBetween(content('aaa'), content('aaaa'), 2), [{ from: 1, to: 1, start: 1, end: 2 }])
  assert.deepEqual(changesBetween(content('aaa'), content('aa'), 1), [{ from: 1, to: 2, start: 1, end: 1 }])
  assert.deepEqual(changesBetween(content('one two three'), content('1 two 3')), [
    { from: 0, to: 3, start: 0, end: 1 }, { from: 8, to: 13, start: 6, end: 7 }
  ])
})

test('Backspace at the beginning makes a heading text, and takes an item out of its list', () => {
  const caretAtStart = state => state.apply(state.tr.setSelection(TextSelection.atStart(state.doc)))
  assert.equal(shown(after(caretAtStart(stateOf(nodes.heading.create(null, text('a')))), keys.Backspace)), 'doc(paragraph("a"))')
  assert.equal(shown(after(caretAtStart(stateOf(list(item(paragraph(text('a')))))), keys.Backspace)), 'doc(paragraph("a"))')
})
