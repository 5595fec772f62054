// Where others are in the note. Who they are is said by the caller, who knows it from the room.
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export const cursorsKey = new PluginKey('cursors')

/** People whose cursors are shown. */
const cursorLimit = 32

/** How many colours the style sheet has for people. */
export const colours = 8

const decorations = (doc, people, positionsOf) => DecorationSet.create(doc, people.slice(0, cursorLimit).flatMap(person => {
  const positions = positionsOf(person)
  if (!positions) return []
  const { anchor, head } = positions
  const colour = `person-${person.colour % colours}`
  const caret = Decoration.widget(head, () => caretOf(person, colour), { key: `${person.id} ${person.name} ${colour}`, side: -1, ignoreSelection: true })
  return anchor === head
    ? [caret]
    : [caret, Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), { class: `remote-selection ${colour}` })]
}))

const caretOf = (person, colour) => {
  const caret = document.createElement('span')
  caret.className = `remote-caret ${colour}`
  const name = document.createElement('bdi')
  name.textContent = person.name
  caret.append(name)
  return caret
}

/** @param {(person: any) => { anchor: number, head: number } | null} positionsOf */
export const cursors = positionsOf => new Plugin({
  key: cursorsKey,
  state: {
    init: () => DecorationSet.empty,
    apply: (tr, shown) => {
      const people = tr.getMeta(cursorsKey)
      return people ? decorations(tr.doc, people, positionsOf) : shown.map(tr.mapping, tr.doc)
    }
  },
  props: { decorations: state => cursorsKey.getState(state) }
})
