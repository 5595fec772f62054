import assert from 'node:assert/strict'
import test from 'node:test'
import { EditorState, Selection, TextSelection } from 'prosemirror-state'
import { find, findKey, look, nextMatch, previousMatch, replaceMatch, replaceMatches } from '../../Web/editor/find.js'
import { noteLinksKey, showNoteLinks } from '../../Web/editor/notelinks.js'
import { schema } from '../../Web/editor/schema.js'

const id = 'AAAAAAAAAAAAAAAAAAAAA1'

/** A state with these paragraphs, the caret at the beginning, in which links are called what `names` says. */
const stateOf = (texts, names = () => null) => EditorState.create({
  doc: schema.nodes.doc.create(null, texts.map(text => schema.nodes.paragraph.create(null, schema.text(text)))),
  plugins: [showNoteLinks(note => names(note), () => {}), find()]
})

const after = (state, command, argument) => {
  let next = state
  command(state, tr => { next = state.apply(tr) }, argument)
  return next
}

const texts = ({ doc }) => doc.content.content.map(({ textContent }) => textContent).join('|')
const current = state => findKey.getState(state).current
const selected = ({ doc, selection: { from, to } }) => doc.textBetween(from, to)

test('what was written in the place of a match is not replaced once more', () => {
  let state = after(stateOf(['cat']), look, { text: 'cat' })
  for (let times = 0; times < 3; times++) state = after(state, replaceMatch, { text: 'cats' })
  assert.equal(texts(state), 'cats')
  assert.equal(current(state), -1)
  // Somebody who goes there means it.
  state = after(after(state, nextMatch), replaceMatch, { text: 'cats' })
  assert.equal(texts(state), 'catss')
})

test('replacing goes from the caret to the end, then to what is before it, and stops', () => {
  let state = stateOf(['cat one', 'cat two', 'cat three cat'])
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 14)))
  state = after(state, look, { text: 'cat' })
  const seen = []
  for (let times = 0; times < 6; times++) {
    seen.push(current(state))
    state = after(state, replaceMatch, { text: 'a cat' })
  }
  assert.deepEqual(seen, [2, 3, 0, 1, -1, -1])
  assert.equal(texts(state), 'a cat one|a cat two|a cat three a cat')
})

test('what comes about where something was taken away is not taken away at once', () => {
  let state = after(stateOf(['aabb ab']), look, { text: 'ab' })
  for (let times = 0; times < 4; times++) state = after(state, replaceMatch, { text: '' })
  assert.equal(texts(state), 'ab ')
})

test('all are replaced once', () => {
  let state = after(stateOf(['cat cat', 'cat']), look, { text: 'cat' })
  state = after(after(state, replaceMatches, { text: 'cats' }), replaceMatch, { text: 'cats' })
  assert.equal(texts(state), 'cats cats|cats')
  // What others write is another thing.
  state = state.apply(state.tr.insertText('cat ', 1))
  assert.equal(current(state), 0)
})

test('no match is skipped', () => {
  const typed = ['o', 'on', 'one'].reduce((state, text) => after(state, look, { text }), stateOf(['one one', 'one']))
  assert.deepEqual([current(typed), typed.selection.from], [0, 1])
  assert.equal(current(after(typed, nextMatch)), 1)
  assert.equal(current(after(typed, previousMatch)), 2)
  // What nobody has seen is the next one.
  const opened = after(stateOf(['one one', 'one']), look, { text: 'one', stays: true })
  assert.equal(opened.selection.empty, true)
  assert.equal(current(after(opened, nextMatch)), 0)
  assert.equal(current(after(opened, previousMatch)), 0)
  // Selected words were seen.
  const chosen = stateOf(['one one', 'one'])
  const looked = after(chosen.apply(chosen.tr.setSelection(TextSelection.create(chosen.doc, 5, 8))), look, { text: 'one', stays: true })
  assert.equal(current(after(looked, nextMatch)), 2)
  // The one in sight goes with what somebody else deletes.
  const gone = typed.apply(typed.tr.delete(1, 5))
  assert.equal(current(after(gone, nextMatch)), 0)
})

test('what is not seen of a link is neither found nor replaced', () => {
  let title = 'Groceries'
  const names = () => title && { title, isHere: true, isDeleted: false }
  let state = stateOf([`A [[${id}]] A`, `[[${id}]]`], names)
  state = after(state, look, { text: 'A', isExact: true })
  assert.equal(findKey.getState(state).matches.length, 2)
  assert.equal(texts(after(state, replaceMatches, { text: 'x' })), `x [[${id}]] x|[[${id}]]`)
  assert.equal(findKey.getState(after(state, look, { text: '[[' })).matches.length, 0)
  // A link that nobody names is text, and what is called something from now on is none any more.
  title = ''
  state = state.apply(state.tr.setMeta(noteLinksKey, true))
  assert.equal(findKey.getState(state).matches.length, 2 + 2 * 21)
  title = 'Groceries'
  state = state.apply(state.tr.setMeta(noteLinksKey, true))
  assert.equal(findKey.getState(state).matches.length, 2)
  // A link that is written while somebody looks.
  state = state.apply(state.tr.setSelection(Selection.atEnd(state.doc)).insertText(` A [[${id}]]`))
  assert.deepEqual([findKey.getState(state).matches.length, selected(after(state, nextMatch))], [3, 'A'])
})
