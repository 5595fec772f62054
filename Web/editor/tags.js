// The tags in a text, as `Tags.swift` reads them: `#`, a letter, then letters, digits and `_`. They are drawn in a colour; pressed, a tag leads to the
// notes that have it.
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { touched, wholeBlocks } from './changes.js'

/** A letter beyond ASCII may be of any script; what only chooses a picture belongs to no word. */
const pattern = /#([a-zA-Z]|(?![\0-\x7f])[\p{L}])(?:\w|(?![\0-\x7f\ufe00-\ufe0f])[\p{L}\p{Mn}\p{Mc}\p{Nd}\p{Nl}])*/gu
const headingId = /^#h_\w{8}$/
/** A web address: its fragment is no tag. */
const address = /https?:\/\/[^\s<>]+/gu

/** The tags in a text, with where they begin. */
export const tagsIn = text => {
  if (!text.includes('#')) return []
  const addresses = [...text.matchAll(address)].map(({ index, 0: { length } }) => [index, index + length])
  return [...text.matchAll(pattern)]
    .filter(({ index, 0: tag }) => !headingId.test(tag) && !addresses.some(([start, end]) => start <= index && index < end))
    .map(({ index, 0: tag }) => ({ tag, index }))
}

const decorations = (doc, from = 0, to = doc.content.size) => {
  const found = []
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    const text = node.type.spec.code ? '' : node.textBetween(0, node.content.size, null, '\ufffc')
    for (const { tag, index } of tagsIn(text)) {
      const start = position + 1 + index
      found.push(Decoration.inline(start, start + tag.length, { class: 'tag' }, { tag }))
    }
    return false
  })
  return found
}

/** @param {(tag: string) => void} onTag a tag was pressed, or Alt-Enter in it */
export const showTags = onTag => {
  const plugin = new Plugin({
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, decorations(doc)),
      apply: (tr, shown) => tr.docChanged
        ? touched(tr).reduce((set, range) => {
          const [from, to] = wholeBlocks(tr.doc, ...range)
          return set.remove(set.find(from, to)).add(tr.doc, decorations(tr.doc, from, to))
        }, shown.map(tr.mapping, tr.doc))
        : shown
    },
    props: {
      decorations: state => plugin.getState(state),
      handleClick: (view, position, event) => event.target instanceof Element && event.target.closest('.tag') !== null && pressed(view, position),
      handleKeyDown: (view, event) => event.key === 'Enter' && event.altKey && !event.repeat && pressed(view, view.state.selection.head)
    }
  })
  const pressed = ({ state }, position) => {
    const [found] = plugin.getState(state).find(position, position)
    if (found) onTag(found.spec.tag)
    return false
  }
  return plugin
}
