// An answer that grows is read as it would be read at once, and what cannot change any more stays the same object.

import assert from 'node:assert'
import { test } from 'node:test'

// What the page's words ask of a browser.
const browser = { location: new URL('http://localhost/'), navigator: { languages: [] }, document: { documentElement: {} } }
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value })
const { growing, markdown } = await import('../../Web/source/parts/markdown.js')

const pieces = [
  '\n', '\n\n', '\n\n- a', '- ', '1. x', '> q', '```\n', '```', '~~~', '# H', '---', '|a|b|', '|-|-|', '| c | d |', ' ', '  in', '*b*', '**s**',
  '`c`', '[l](https://a.example)', 'word', '[ ] t', '-', '|', '1', '\\'
]

/** Numbers from 0 to 1, the same each time (Numerical Recipes). */
function numbers(seed) {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296
}

test('an answer that grows is read as at once', () => {
  const random = numbers(7)
  for (let round = 0; round < 1500; round++) {
    let text = ''
    for (let count = 1 + Math.floor(random() * 30); count > 0; count--) {
      text += pieces[Math.floor(random() * pieces.length)]
      assert.deepEqual(growing(text), markdown(text), JSON.stringify(text))
    }
  }
})

test('what stands above the last two blocks stays the same', () => {
  const before = growing('One\n\nTwo\n\nThree')
  const after = growing('One\n\nTwo\n\nThree grows\n\nFour')
  assert.ok(after[0] === before[0] && after[1] !== before[1])
  assert.ok(growing('Another')[0] !== before[0])
})
