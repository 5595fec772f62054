import assert from 'node:assert/strict'
import test from 'node:test'
import { joinBackward, setBlockType } from 'prosemirror-commands'
import { TextSelection } from 'prosemirror-state'
import * as Y from 'yjs'
import { commands } from '../../Web/editor/commands.js'
import { schema } from '../../Web/editor/schema.js'
import { Editor, newNote } from './fuzz.js'

const { nodes } = schema

/** Two editors of a note with these paragraphs; each has the caret in the second one, behind its third character. */
const editors = (...texts) => {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, newNote())
  const content = doc.getXmlFragment('content')
  content.delete(0, content.length)
  content.insert(0, texts.map(text => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(text)])
    return paragraph
  }))
  const pair = [new Editor('ann', Y.encodeStateAsUpdate(doc), 1), new Editor('ben', Y.encodeStateAsUpdate(doc), 2)]
  if (texts.length > 1) for (const editor of pair) putCaret(editor, texts[0].length + 2 + 1 + Math.min(3, texts[1].length))
  return pair
}

const putCaret = (editor, position) => editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, position)))
const run = (editor, command) => command(editor.state, tr => editor.dispatch(tr))

const exchange = (...all) => {
  for (const one of all) for (const other of all) if (one !== other) one.receive(other.difference(one.vector))
  for (const one of all) one.check()
}

const around = ({ state: { selection: { $head } } }) =>
  $head.parent.textBetween(0, $head.parentOffset) + '|' + $head.parent.textBetween($head.parentOffset, $head.parent.content.size)

for (const [what, command, expected] of [
  ['makes a heading of it', setBlockType(nodes.heading, { level: 1 }), 'abc|def'],
  ['puts it into a list', commands.tasks, 'abc|def'],
  ['joins it with the one before', (state, dispatch) => {
    const start = TextSelection.create(state.doc, state.selection.$head.start())
    return joinBackward(state.apply(state.tr.setSelection(start)), tr => {
      const made = state.tr
      for (const step of tr.steps) made.step(step)
      dispatch(made)
    })
  }, 'oneabc|def'],
  ['parts it before the caret', (state, dispatch) => dispatch(state.tr.split(state.selection.head - 1)), 'c|def'],
  ['parts it behind the caret', (state, dispatch) => dispatch(state.tr.split(state.selection.head + 1)), 'abc|d'],
  ['writes at the caret', (state, dispatch) => dispatch(state.tr.insertText('x')), 'abc|xdef']
]) {
  test(`the caret goes with its words when somebody ${what}`, () => {
    const [ann, ben] = editors('one', 'abcdef', 'three')
    run(ben, command)
    exchange(ann, ben)
    assert.equal(around(ann), expected)
  })
}

test('undo puts the caret where it was', () => {
  const [ann, ben] = editors('one', 'abcdef')
  ann.dispatch(ann.state.tr.insertText('x'))
  putCaret(ann, 1)
  ben.dispatch(ben.state.tr.insertText('y', 1))
  exchange(ann, ben)
  ann.binding.undo.undo()
  assert.equal(around(ann), 'abc|def')
  ann.binding.undo.redo()
  assert.equal(ann.state.doc.textContent, 'yoneabcxdef')
})

test('typing deletes nothing, and one key is one small operation', () => {
  const [ann] = editors('one', 'abcdef')
  for (const letter of 'xyz') ann.dispatch(ann.state.tr.insertText(letter))
  for (const update of ann.outbox) {
    assert.equal(Y.decodeUpdate(update).ds.clients.size, 0)
    assert.ok(update.length < 40)
  }
})

test('an empty note shows a paragraph, which becomes one with the first word', () => {
  const doc = new Y.Doc()
  const ann = new Editor('ann', Y.encodeStateAsUpdate(doc), 1)
  assert.equal(ann.state.doc.toString(), 'doc(paragraph)')
  assert.equal(ann.written, 0)
  ann.dispatch(ann.state.tr.insertText('a', 1))
  ann.check()
  assert.equal(ann.tree, '[["paragraph",{},[[["a",{}]]]]]')
})

test('what the editor does not know is moved as it is', () => {
  const [ann] = editors('one')
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(ann.doc))
  const widget = new Y.XmlElement('widget')
  widget.setAttribute('size', 3)
  widget.insert(0, [new Y.XmlText('inside')])
  other.getXmlFragment('content').insert(0, [widget])
  ann.receive(Y.encodeStateAsUpdate(other))
  assert.equal(ann.state.doc.toString(), 'doc(lockedBlock, paragraph("one"))')
  const locked = ann.state.doc.firstChild
  ann.dispatch(ann.state.tr.delete(0, 1).insert(5, locked))
  ann.check()
  assert.equal(ann.tree, '[["paragraph",{},[[["one",{}]]]],["widget",{"size":3},[[["inside",{}]]]]]')
})

for (const [what, command] of [
  ['a heading', setBlockType(nodes.heading, { level: 1 })], ['a task', commands.tasks], ['code', commands.codeBlock], ['a quote', commands.quote]
]) {
  test(`what is written while another one makes ${what} of the paragraph is not lost`, () => {
    const [ann, ben] = editors('one', 'abcdef')
    run(ben, command)
    for (const letter of 'xyz') ann.dispatch(ann.state.tr.insertText(letter))
    for (const update of ann.outbox) ben.receive(update)
    exchange(ann, ben)
    assert.equal(ann.state.doc.lastChild.textContent, 'abcxyzdef')
    assert.equal(around(ben), 'abcxyz|def'.replace('xyz|', '|xyz'))
    ben.binding.undo.undo()
    exchange(ann, ben)
    assert.match(ann.state.doc.textContent, /xyz/)
  })
}

test('what is written follows text that was moved twice, and from an empty paragraph', () => {
  const [ann, ben] = editors('one', 'abcdef')
  run(ben, commands.tasks)
  run(ben, commands.tasks)
  run(ben, commands.quote)
  ann.dispatch(ann.state.tr.insertText('x'))
  exchange(ben, ann)
  assert.match(ann.state.doc.textContent, /abcxdef/)
  const [carl, dora] = editors('one', '')
  for (const one of [carl, dora]) putCaret(one, 6)
  run(dora, commands.bullets)
  for (const letter of 'new') carl.dispatch(carl.state.tr.insertText(letter))
  exchange(dora, carl)
  assert.equal(carl.state.doc.toString(), 'doc(paragraph("one"), bulletList(listItem(paragraph("new"))))')
})

test('an old note, whose content has another name, is shown when it comes', () => {
  const ann = new Editor('ann', Y.encodeStateAsUpdate(new Y.Doc()), 1)
  const old = new Y.Doc()
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText('old')])
  old.getXmlFragment('default').insert(0, [paragraph])
  ann.receive(Y.encodeStateAsUpdate(old))
  ann.check()
  assert.equal(ann.state.doc.toString(), 'doc(paragraph("old"))')
  ann.dispatch(ann.state.tr.insertText('very ', 1))
  ann.check()
  ann.binding.undo.undo()
  assert.equal(ann.tree, '[["paragraph",{},[[["old",{}]]]]]')
})

test('an editor that went wrong shows the note again', () => {
  const [ann, ben] = editors('one', 'two')
  ann.binding.root.parts.length = 0
  ben.dispatch(ben.state.tr.insertText('x', 1))
  ann.receive(ben.difference(ann.vector))
  assert.equal(ann.binding.repairs, 1)
  assert.equal(ann.state.doc.toString(), 'doc(paragraph("xone"), paragraph("two"))')
  ann.dispatch(ann.state.tr.insertText('y', 1))
  ann.binding.repairs = 0
  ann.check()
})
