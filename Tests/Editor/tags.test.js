import assert from 'node:assert/strict'
import test from 'node:test'
import { EditorState, Selection } from 'prosemirror-state'
import { schema } from '../../Web/editor/schema.js'
import { showTags, tagsIn } from '../../Web/editor/tags.js'

const { nodes } = schema
const paragraph = text => nodes.paragraph.create(null, text ? schema.text(text) : null)

test('tags are found as the notes subsystem finds them', () => {
  const found = text => tagsIn(text).map(({ tag }) => tag)
  assert.deepEqual(found('#one a#two #e-mail #t\u014dky\u014d #a_1'), ['#one', '#two', '#e', '#t\u014dky\u014d', '#a_1'])
  assert.deepEqual(found('# #1 #_a #h_abcdefgh https://example.org/#part <http://a.b>#real'), ['#real'])
})

test('what is drawn follows what is written', () => {
  const plugin = showTags(() => {})
  const drawn = state => plugin.getState(state).find().map(({ from, to }) => state.doc.textBetween(from, to))
  let state = EditorState.create({ doc: nodes.doc.create(null, [paragraph('a #b'), paragraph('#c'), nodes.codeBlock.create(null, schema.text('#d'))]), plugins: [plugin] })
  assert.deepEqual(drawn(state), ['#b', '#c'])
  state = state.apply(state.tr.insertText('ee', 5))
  assert.deepEqual(drawn(state), ['#bee', '#c'])
  state = state.apply(state.tr.setSelection(Selection.atStart(state.doc)).delete(3, 4))
  assert.deepEqual(drawn(state), ['#c'])
})
