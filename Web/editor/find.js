// Find and replace: matches are inside of one text block each.
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { noteLinksKey } from './notelinks.js'

export const findKey = new PluginKey('find')

/** Matches that are shown and counted. */
const matchLimit = 10_000

/** The text of a block as it is seen. A line feed stands for what is no text, and for the text of a link that is shown as a name, so that nothing
 * matches there or across it. */
const seen = (node, start, links) => {
  const text = node.textBetween(0, node.content.size, null, '\n')
  const hidden = text.includes('[[') && links ? links.find(start, start + node.content.size, ({ link }) => link) : []
  return hidden.reduce((rest, { from, to }) => rest.slice(0, from - start) + '\n'.repeat(to - from) + rest.slice(to - start), text)
}

const matchesIn = (state, { text, isExact }) => {
  const matches = []
  if (!text) return matches
  const links = noteLinksKey.getState(state)
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), isExact ? 'gu' : 'giu')
  state.doc.descendants((node, position) => {
    if (!node.isTextblock || matches.length >= matchLimit) return matches.length < matchLimit
    for (const match of seen(node, position + 1, links).matchAll(pattern)) {
      if (matches.length >= matchLimit) break
      matches.push({ from: position + 1 + match.index, to: position + 1 + match.index + match[0].length })
    }
    return false
  })
  return matches
}

/**
 * `written` is what replaced a match: it may match itself, and is not replaced once more. `shown` is another object each time the current match
 * is to be shown, and null as long as nobody has looked at it.
 */
const nothing = { query: { text: '', isExact: false }, matches: [], current: -1, written: [], shown: null }

/** The first match that begins at a place or behind it, else the first of all. */
const firstFrom = (matches, place) => {
  const next = matches.findIndex(({ from }) => from >= place)
  return matches.length > 0 ? Math.max(0, next) : -1
}

/** The same without what was written by replacing; -1 when there is nothing else. All are in the order of the note. */
const firstOther = (matches, place, written) => {
  let index = 0
  const isOther = matches.map(match => {
    while (index < written.length && written[index].to <= match.from) index++
    return index === written.length || written[index].from >= match.to
  })
  const next = matches.findIndex(({ from }, index) => from >= place && isOther[index])
  return next < 0 ? isOther.indexOf(true) : next
}

/** After a change of the note, or of what is seen of it. `replaced` is what was just written in the place of matches. */
const followed = (value, { mapping }, state, replaced = []) => {
  const matches = matchesIn(state, value.query)
  const written = value.written.map(({ from, to }) => ({ from: mapping.map(from, 1), to: mapping.map(to, -1) })).filter(({ from, to }) => from <= to)
    .concat(replaced).sort((one, other) => one.from - other.from)
  if (value.current < 0 || replaced.length > 0) {
    return { ...value, matches, current: firstOther(matches, replaced.at(-1)?.to ?? 0, written), written, shown: replaced.length > 0 ? {} : null }
  }
  const { pos, deletedAfter } = mapping.mapResult(value.matches[value.current].from)
  const current = firstFrom(matches, pos)
  // Another one may be out of sight.
  return { ...value, matches, current, written, shown: matches[current]?.from === pos && !deletedAfter ? value.shown : null }
}

export const find = () => new Plugin({
  key: findKey,
  state: {
    init: () => nothing,
    apply: (tr, value, _, state) => {
      const change = tr.getMeta(findKey)
      if (change?.query) return change
      if (!value.query.text) return nothing
      if (tr.docChanged || tr.getMeta(noteLinksKey)) return followed(value, tr, state, change?.replaced)
      return change ? { ...value, ...change } : value
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
  },
  view: () => ({
    update: (view, before) => {
      const { shown } = findKey.getState(view.state)
      if (shown && shown !== findKey.getState(before).shown) showMatch(view)
    }
  })
})

/** Whether somebody sees an element: it may be out of sight, or below what is in front of the text. */
const isSeen = element => {
  const { left, top, width, height } = element.getClientRects()[0] ?? element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** Brings the current match into sight. Whether it had to: then nobody has seen it before. */
export const showMatch = view => {
  const match = view.dom.querySelector('.match.current')
  if (!match || isSeen(match)) return false
  // The view itself scrolls only to a selection that has the focus.
  match.scrollIntoView({ block: 'center', inline: 'nearest' })
  return isSeen(match)
}

/** Looks for a text; an empty one ends it. `isExact` tells capitals apart. The first match from the selection on is selected and shown, unless
 * everything `stays` as it is; with `isRead` the caret only goes in front of it, and a key takes nothing away. */
export const look = (state, dispatch, { text = '', isExact = false, stays = false, isRead = false } = {}) => {
  if (!dispatch) return true
  const query = { text, isExact }
  const { from, to } = state.selection
  const matches = matchesIn(state, query)
  const current = firstFrom(matches, from)
  const match = matches[current]
  const tr = state.tr
  if (match && !stays) tr.setSelection(TextSelection.create(state.doc, match.from, isRead ? match.from : match.to))
  const isShown = match && (!stays || (match.from === from && match.to === to))
  dispatch(tr.setMeta(findKey, { ...nothing, query, matches, current, shown: isShown ? {} : null }))
  return true
}

/** To the next match from the current one; to that itself, if nobody has seen it yet. */
const go = step => (state, dispatch) => {
  const { matches, current, shown } = findKey.getState(state)
  if (matches.length === 0) return false
  // Without a current one from the beginning, or from the end.
  const next = current < 0 ? (step > 0 ? 0 : matches.length - 1) : shown ? (current + step + matches.length) % matches.length : current
  const { from, to } = matches[next]
  dispatch?.(state.tr.setMeta(findKey, { current: next, shown: {} }).setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView())
  return true
}

export const nextMatch = go(1)
export const previousMatch = go(-1)

/** Puts a text in the place of matches. */
const replace = (state, matches, text) => {
  const tr = state.tr
  for (const { from, to } of matches.slice().reverse()) text ? tr.insertText(text, from, to) : tr.delete(from, to)
  const replaced = matches.map(({ from }) => tr.mapping.map(from, -1)).map(from => ({ from, to: from + text.length }))
  return tr.setMeta(findKey, { replaced })
}

/** Puts a text in the place of the current match, and goes on to the next one. */
export const replaceMatch = (state, dispatch, { text = '' } = {}) => {
  const { matches, current } = findKey.getState(state)
  if (current < 0) return false
  dispatch?.(replace(state, [matches[current]], text))
  return true
}

/** Puts a text in the place of all matches, in one step. */
export const replaceMatches = (state, dispatch, { text = '' } = {}) => {
  const { matches } = findKey.getState(state)
  if (matches.length === 0) return false
  dispatch?.(replace(state, matches, text))
  return true
}
