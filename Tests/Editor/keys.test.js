import assert from 'node:assert/strict'
import test from 'node:test'
import { baseKeymap } from 'prosemirror-commands'
import { keys } from '../../Web/editor/commands.js'
import { shortcuts } from '../../Web/source/screens/shortcuts.js'

/** As the sheet of the page writes what the editor calls so. */
const written = name => name.split('-').map(part => ({ Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓' })[part] ?? part.replace(/^[a-z]$/, letter => letter.toUpperCase())).join(' ')

/** What writing does anyway, in every program. */
const plain = new Set(['Enter', 'Shift-Enter', 'Backspace'])
/** Keys that belong to the page around the editor, to undo and to links: see `editor.js`, `notelinks.js` and `note/sheet.js`. */
const others = ['/', 'Ctrl F', 'Ctrl Z', 'Ctrl Y', 'Ctrl Shift Z', 'Ctrl Shift K', 'Ctrl Alt M', 'Alt Enter', 'Esc']

test('the sheet of keys has those of the editor, and no others', () => {
  const own = Object.keys(keys).filter(name => keys[name] !== baseKeymap[name] && !plain.has(name)).map(written)
  const told = shortcuts.note.rows.flatMap(([, ...ways]) => ways.map(way => way.join(' ')))
  assert.deepEqual(told.toSorted(), [...own, ...others].toSorted())
})
