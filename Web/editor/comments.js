// The mark that shows which text a comment is about.
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { schema } from './schema.js'

export const quotedKey = new PluginKey('quoted')

/**
 * The key of the mark of a thread, as the notes subsystem makes it: SHA-256 of the mark in lib0's encoding, folded to six bytes.
 * Needs a secure context, as a page on this machine is one.
 * @param {string} thread
 */
export const commentKey = async thread => {
  const text = string => {
    const bytes = new TextEncoder().encode(string)
    const length = []
    let rest = bytes.length
    for (; rest >= 0x80; rest >>>= 7) length.push((rest & 0x7f) | 0x80)
    return [...length, rest, ...bytes]
  }
  const mark = [118, 2, ...text('type'), 119, ...text('commentMark'), ...text('attrs'), 118, 1, ...text('threadId'), 119, ...text(thread)]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(mark)))
  const folded = new Uint8Array(6)
  digest.forEach((byte, index) => { folded[index % 6] ^= byte })
  return 'commentMark--' + btoa(String.fromCharCode(...folded))
}

/** Marks the selection as what a thread is about. */
export const comment = (state, dispatch, { thread, key }) => {
  const { from, to, empty } = state.selection
  if (empty) return false
  dispatch?.(state.tr.addMark(from, to, schema.marks.commentMark.create({ key, value: { threadId: thread } })))
  return true
}

const unseen = /\p{Cf}/gu

/** A text as it reads: white space of any kind and length is one space, and what nobody sees is not there. */
const reading = text => text.replace(unseen, '').replace(/[\s\p{Cc}]+/gu, ' ').replace(/^ /, '')

/**
 * The words of the selection, as `QuotedPlace.swift` looks for them, and how many places that say the same come before; null when
 * nothing is selected.
 */
export const quoteOf = ({ doc, selection: { from, to, empty } }) => {
  if (empty) return null
  const text = (start, end) => doc.textBetween(start, end, '\n', ' ')
  const selected = text(from, to)
  const quote = reading(selected).trim()
  if (!quote) return null
  const start = reading(text(0, from) + (/^\s+/.exec(selected)?.[0] ?? '')).length
  const whole = reading(text(0, doc.content.size))
  let nth = 0
  for (let at = whole.indexOf(quote); at >= 0 && at < start; at = whole.indexOf(quote, at + 1)) nth++
  return { quote, nth }
}

/** Marks words as long as a comment on them is being written: the browser shows no selection without the focus. A transaction with a list of ranges says
 * which. */
export const quoted = () => new Plugin({
  key: quotedKey,
  state: {
    init: () => DecorationSet.empty,
    apply: (tr, shown) => {
      const ranges = tr.getMeta(quotedKey)
      return ranges ? DecorationSet.create(tr.doc, ranges.map(({ from, to }) => Decoration.inline(from, to, { class: 'quoted' }))) : shown.map(tr.mapping, tr.doc)
    }
  },
  props: { decorations: state => quotedKey.getState(state) }
})

/** The threads whose text is in the document, with where it begins. */
export const commentPlaces = doc => {
  const places = new Map()
  doc.descendants((node, position) => {
    for (const mark of node.marks) {
      const thread = mark.type === schema.marks.commentMark && mark.attrs.value?.threadId
      if (typeof thread === 'string' && !places.has(thread)) places.set(thread, position)
    }
  })
  return places
}
