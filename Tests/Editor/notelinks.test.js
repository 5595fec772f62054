import assert from 'node:assert/strict'
import test from 'node:test'
import { EditorState, Selection } from 'prosemirror-state'
import { commands } from '../../Web/editor/commands.js'
import { noteLinks, noteLinksKey, showNoteLinks } from '../../Web/editor/notelinks.js'
import { schema } from '../../Web/editor/schema.js'

const { nodes, marks } = schema
const id = 'AAAAAAAAAAAAAAAAAAAAA1'
const long = '01234567-89ab-cdef-0123-456789abcdef'
const text = (content, ...names) => schema.text(content, names.map(name => marks[name].create()))
const paragraph = (...children) => nodes.paragraph.create(null, children)
const doc = (...children) => nodes.doc.create(null, children)

const stateOf = (content, noteOf = note => ({ title: note, isHere: true, isDeleted: false })) => {
  const state = EditorState.create({ doc: content, plugins: [showNoteLinks(noteOf, () => {})] })
  return state.apply(state.tr.setSelection(Selection.atEnd(state.doc)))
}

/** Where the text of links is not shown. */
const hidden = state => noteLinksKey.getState(state).find().filter(({ from, to }) => from < to)
  .map(({ from, to }) => [from, to]).sort(([one], [other]) => one - other)

test('links are found as the notes subsystem finds them', () => {
  const found = content => noteLinks(doc(content)).map(({ note, from, to }) => [note, from, to])
  assert.deepEqual(noteLinks(doc(paragraph(text(`[[${id}#h_abcdefgh]][[${long}]]`)))).map(({ heading }) => heading), ['h_abcdefgh', undefined])
  assert.deepEqual(found(paragraph(text(`a [[${id}]] b`))), [[id, 3, 29]])
  assert.deepEqual(found(paragraph(text(`[[${long}]][[${id}#h_abcdefgh]]`))), [[long, 1, 41], [id, 41, 78]])
  assert.deepEqual(found(paragraph(text(`[[[${id}]]]`))), [[id, 2, 28]])
  // Whatever its letters look like.
  assert.deepEqual(found(paragraph(text('[['), text(id, 'bold'), text(']]'))), [[id, 1, 27]])
  for (const other of ['[[Title]]', `[[${id}a]]`, `[[${id}#h_abc]]`, '[[#h_abcdefgh]]', `[ [${id}]]`]) assert.deepEqual(found(paragraph(text(other))), [])
  assert.deepEqual(found(nodes.codeBlock.create(null, text(`[[${id}]]`))), [])
})

test('a link takes the place of the brackets with which it was begun', () => {
  for (const [before, argument, after] of [['see [[', { note: id }, `see [[${id}]]`], ['see ', { note: id, heading: 'h_abcdefgh' }, `see [[${id}#h_abcdefgh]]`]]) {
    let state = stateOf(doc(paragraph(text(before))))
    assert.ok(commands.noteLink(state, tr => { state = state.apply(tr) }, argument))
    assert.equal(state.doc.textContent, after)
  }
})

test('a link that nobody names stays as it is written', () => {
  let name = null
  const state = stateOf(doc(paragraph(text(`[[${id}]]`))), () => name)
  assert.deepEqual(hidden(state), [])
  name = { title: 'Groceries', isHere: true, isDeleted: false }
  assert.deepEqual(hidden(state.apply(state.tr.setMeta(noteLinksKey, true))), [[1, 27]])
})

test('what is shown follows what is written', () => {
  let state = stateOf(doc(paragraph(text('x')), nodes.bulletList.create(null, [nodes.listItem.create(null, [paragraph(text(`[[${id}]]`))])]), paragraph()))
  // Numbers in a row, so that a failure can be seen again.
  let seed = 1
  const random = limit => (seed = (seed * 48271) % 2147483647) % limit
  for (let round = 0; round < 400; round++) {
    const { tr } = state
    const at = 1 + random(state.doc.content.size - 1)
    const place = Selection.near(state.doc.resolve(at))
    tr.setSelection(place)
    switch (random(5)) {
      case 0: tr.insertText(`[[${id}]]`); break
      case 1: tr.delete(Math.max(1, place.from - random(20)), place.from); break
      case 2: tr.split(place.from); break
      case 3: tr.setBlockType(place.from, place.from, random(2) ? nodes.codeBlock : nodes.paragraph); break
      default: tr.insertText('ab', place.from).insertText(']', 1 + random(3))
    }
    state = state.apply(tr)
    assert.deepEqual(hidden(state), noteLinks(state.doc).map(({ from, to }) => [from, to]), `round ${round}`)
  }
})

test('a chosen note is put at the caret', () => {
  const state = stateOf(doc(paragraph(text('see '))))
  let next
  assert.ok(commands.noteLink(state, tr => { next = state.apply(tr) }, { note: id }))
  assert.equal(next.doc.textContent, `see [[${id}]]`)
  for (const note of ['', 'Title', undefined]) assert.equal(commands.noteLink(state, undefined, { note }), false)
})
