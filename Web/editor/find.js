// Find and replace: matches are inside of one text block each.
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export const findKey = new PluginKey('find')

/** Matches that are shown and counted. */
const matchLimit = 10_000

/** A line feed stands for what is no text, so that nothing matches across it. */
const matchesIn = (doc, { text, isExact }) => {
  const matches = []
  if (!text) return matches
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), isExact ? 'gu' : 'giu')
  doc.descendants((node, position) => {
    if (!node.isTextblock || matches.length >= matchLimit) return matches.length < matchLimit
    for (const match of node.textBetween(0, node.content.size, null, '\n').matchAll(pattern)) {
      if (matches.length >= matchLimit) break
      matches.push({ from: position + 1 + match.index, to: position + 1 + match.index + match[0].length })
    }
    return false
  })
  return matches
}

const nothing = { query: { text: '', isExact: false }, matches: [], current: -1 }

const found = (doc, query, near) => {
  const matches = matchesIn(doc, query)
  const next = matches.findIndex(({ from }) => from >= near)
  return { query, matches, current: matches.length === 0 ? -1 : Math.max(0, next) }
}

export const find = () => new Plugin({
  key: findKey,
  state: {
    init: () => nothing,
    apply: (tr, value, before, { doc }) => {
      const change = tr.getMeta(findKey)
      if (change?.query) return found(doc, change.query, tr.selection.from)
      if (!value.query.text) return nothing
      if (!tr.docChanged) return change ? { ...value, ...change } : value
      return found(doc, value.query, value.current < 0 ? 0 : tr.mapping.map(value.matches[value.current].from))
    }
  },
  props: {
    decorations: state => {
      const { matches, current } = findKey.getState(state)
      return matches.length === 0
        ? null
        : DecorationSet.create(state.doc, matches.map(({ from, to }, index) =>
          Decoration.inline(from, to, { class: index === current ? 'match current' : 'match' })))
    }
  }
})

/** Looks for a text; an empty one ends it. `isExact` tells capitals apart. */
export const look = (state, dispatch, { text = '', isExact = false } = {}) => {
  dispatch?.(state.tr.setMeta(findKey, { query: { text, isExact } }))
  return true
}

const go = step => (state, dispatch) => {
  const { matches, current } = findKey.getState(state)
  if (matches.length === 0) return false
  const next = (current + step + matches.length) % matches.length
  const { from, to } = matches[next]
  dispatch?.(state.tr.setMeta(findKey, { current: next }).setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView())
  return true
}

export const nextMatch = go(1)
export const previousMatch = go(-1)

const replacement = (tr, { from, to }, text) => text ? tr.insertText(text, from, to) : tr.delete(from, to)

/** Puts a text in the place of the current match. */
export const replaceMatch = (state, dispatch, { text = '' } = {}) => {
  const { matches, current } = findKey.getState(state)
  if (current < 0) return false
  dispatch?.(replacement(state.tr, matches[current], text).scrollIntoView())
  return true
}

/** Puts a text in the place of all matches, in one step. */
export const replaceMatches = (state, dispatch, { text = '' } = {}) => {
  const { matches } = findKey.getState(state)
  if (matches.length === 0) return false
  const tr = state.tr
  for (const match of matches.slice().reverse()) replacement(tr, match, text)
  dispatch?.(tr)
  return true
}
