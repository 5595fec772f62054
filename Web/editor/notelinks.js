// Links to notes. They are text, `[[id]]`, and stay so; what is shown in their place is what the note is called.
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { touched, wholeBlocks } from './changes.js'

export const noteLinksKey = new PluginKey('noteLinks')

/** As `NoteLinks.swift` reads them. A link within the same note stays as it is written. */
const pattern = /\[\[((?:[\w-]{22}|[\w-]{36}))(?:#(h_[\w-]{8}))?\]\]/g

/**
 * The links in a document or in a part of it, with where they stand. A block of code has none.
 * @param {import('prosemirror-model').Node} doc
 */
export const noteLinks = (doc, from = 0, to = doc.content.size) => {
  const links = []
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    const text = node.type.spec.code ? '' : node.textBetween(0, node.content.size, null, '\ufffc')
    for (const match of text.matchAll(pattern)) {
      const start = position + 1 + match.index
      links.push({ note: match[1], heading: match[2], from: start, to: start + match[0].length })
    }
    return false
  })
  return links
}

/**
 * @param {(note: string) => { title: string, isHere: boolean, isDeleted: boolean } | null} noteOf what a note is called; null leaves the text as it is
 * @param {(note: string, heading?: string) => void} onNote a link was followed
 * @param {() => void} onTyped the beginning of a link was typed
 */
export const showNoteLinks = (noteOf, onNote, onTyped) => {
  const drawn = (link, { title, isHere, isDeleted }) => () => {
    const shown = document.createElement('a')
    shown.className = 'note-link' + (isDeleted ? ' is-deleted' : '') + (isHere ? '' : ' is-away')
    shown.setAttribute('role', 'link')
    if (!isHere) shown.setAttribute('aria-disabled', 'true')
    const name = document.createElement('bdi')
    name.textContent = title
    shown.append(name)
    // The caret stays where it is.
    shown.addEventListener('mousedown', event => event.preventDefault())
    shown.addEventListener('click', () => { if (isHere) onNote(link.note, link.heading) })
    return shown
  }

  const decorations = (doc, from, to) => noteLinks(doc, from, to).flatMap(link => {
    const found = noteOf(link.note)
    if (!found) return []
    // In front of what follows it, so that the caret behind it stands in the text that is seen.
    return [
      Decoration.inline(link.from, link.to, { class: 'note-link-text' }, { link }),
      Decoration.widget(link.to, drawn(link, found), { side: -1, key: JSON.stringify([link.note, link.heading, found]), stopEvent: () => true, ignoreSelection: true, link })
    ]
  })

  const anew = (set, tr) => touched(tr).reduce((shown, range) => {
    const [from, to] = wholeBlocks(tr.doc, ...range)
    return shown.remove(shown.find(from, to)).add(tr.doc, decorations(tr.doc, from, to))
  }, set.map(tr.mapping, tr.doc))

  /** The link beside the caret, or that is selected, as far as it is shown as one. */
  const linkAt = ({ doc, selection: { from, to } }) => {
    const $from = doc.resolve(from)
    if (!$from.parent.isTextblock) return undefined
    return noteLinks(doc, $from.start(), $from.end()).find(link => link.from <= from && to <= link.to && noteOf(link.note))
  }

  const removed = (view, isBehind) => {
    const { empty, from } = view.state.selection
    const link = empty && view.editable && linkAt(view.state)
    if (!link || from !== (isBehind ? link.to : link.from)) return false
    view.dispatch(view.state.tr.delete(link.from, link.to).scrollIntoView())
    return true
  }

  return new Plugin({
    key: noteLinksKey,
    state: {
      init: (_, { doc }) => DecorationSet.create(doc, decorations(doc)),
      apply: (tr, shown) => {
        if (tr.getMeta(noteLinksKey)) return DecorationSet.create(tr.doc, decorations(tr.doc))
        return tr.docChanged ? anew(shown, tr) : shown
      }
    },
    props: {
      // Where the caret stands within one, it is shown as it is written.
      decorations: state => {
        const shown = noteLinksKey.getState(state)
        const { head } = state.selection
        const around = shown.find(head, head).find(({ spec: { link }, from, to }) => link && from < head && head < to)
        return around ? shown.remove(shown.find(around.from, around.to, ({ link }) => link === around.spec.link)) : shown
      },
      handleTextInput: (view, from, _to, text) => {
        const { parent, parentOffset } = view.state.doc.resolve(from)
        // When the letter is in the text.
        if (text === '[' && !view.composing && endsOpen(parent, parentOffset, '[')) queueMicrotask(onTyped)
        return false
      },
      handleKeyDown: (view, event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return false
        // A link goes as a whole. Control-Enter belongs to tasks.
        if (event.key === 'Backspace' && !event.altKey) return removed(view, true)
        if (event.key === 'Delete' && !event.altKey) return removed(view, false)
        if (event.key !== 'Enter' || !event.altKey) return false
        const link = linkAt(view.state)
        // A key that is held would follow the next link, too, which may stand where the other note begins.
        if (link && !event.repeat && noteOf(link.note).isHere) onNote(link.note, link.heading)
        return Boolean(link)
      }
    }
  })
}

/** Whether these signs stand in front of a place in a block of text that can have a link. */
const endsOpen = (block, offset, signs) =>
  block.isTextblock && !block.type.spec.code && block.textBetween(Math.max(0, offset - signs.length), offset, null, '\ufffc') === signs

/** Puts a link to a note in the place of the selection, and of the brackets with which somebody began one. */
export const linkNote = (state, dispatch, { note = '', heading = '' } = {}) => {
  const text = `[[${note}${heading && '#' + heading}]]`
  const { $from, from, to } = state.selection
  if (text.replace(pattern, '') !== '' || !$from.parent.isTextblock) return false
  const start = endsOpen($from.parent, $from.parentOffset, '[[') ? from - 2 : from
  dispatch?.(state.tr.insertText(text, start, to).scrollIntoView())
  return true
}
