// The editor of a note, for the page. `editor.d.ts` says what it offers.
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { keymap } from 'prosemirror-keymap'
import { EditorState, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import * as Y from 'yjs'
import { applyQuietly } from '../../Sources/Notes/CRDTBridge/JavaScript/documents.js'
import { Binding, received } from './binding.js'
import { activeCommands, commands, keys } from './commands.js'
import { comment, commentKey, commentPlaces, quoted, quotedKey, quoteOf } from './comments.js'
import { cursors, cursorsKey } from './cursors.js'
import { find, findKey, look, nextMatch, previousMatch, replaceMatch, replaceMatches, showMatch } from './find.js'
import { blockHandle } from './handle.js'
import { isSafeAddress } from './looks.js'
import { copiedText, markdownOf } from './markdown.js'
import { noteLinksKey, showNoteLinks } from './notelinks.js'
import { outline } from './outline.js'
import { clipboardParser, filesOf, knownOnly } from './paste.js'
import { placeAt, roomAt } from './placing.js'
import { schema } from './schema.js'
import { shortcuts } from './shortcuts.js'
import { manyBlocks, Sight } from './sight.js'
import { slashAt, slashMatches } from './slash.js'
import { tableHandles } from './tablehandles.js'
import { tables } from './tables.js'
import { showTags } from './tags.js'
import { drawn, TaskView } from './views.js'

export { slashItems } from './slash.js'
export { Y }

/** Applies what others wrote. Nothing else should: `Y.applyUpdate` would write something itself. */
export const applyUpdate = applyQuietly

/** UTF-16 units that can be pasted at once. */
const pasteLimit = 2_000_000

const editorCommands = { ...commands, look, nextMatch, previousMatch, replaceMatch, replaceMatches }

/** @type {typeof import('./editor.js').createEditor} */
export const createEditor = ({
  mount, doc, readonly = false, label = '', draw = {}, onChange = () => {}, onSelection = () => {}, onLink = () => {}, noteOf = () => null, onNote = () => {},
  onNoteTyped = () => {}, onTag = () => {}, onFiles,  onRefused = () => {}, handleLabel = '', onBlock, tableLabels = { column: '', row: '' }, onTable, slashTitle
}) => {
  const binding = new Binding(doc)
  const { undo } = binding
  const sightName = Sight.newName()
  let isReadonly = readonly

  const state = EditorState.create({
    doc: binding.node,
    schema,
    plugins: [
      shortcuts(() => undo.separate()),
      keymap({ 'Mod-z': () => undo.undo(), 'Mod-y': () => undo.redo(), 'Mod-Shift-z': () => undo.redo() }),
      showNoteLinks(noteOf, onNote, onNoteTyped),
      showTags(onTag),
      keymap(keys),
      ...tables(),
      find(),
      quoted(),
      cursors(person => binding.positionsOf(person.places)),
      dropCursor({ class: 'drop-cursor', color: false }),
      gapCursor(),
      ...(onBlock ? [blockHandle({ label: handleLabel, run: (name, argument) => alone(() => run(name, argument)), onMenu: onBlock })] : []),
      ...(onTable ? [tableHandles({ labels: tableLabels, onMenu: onTable })] : [])
    ]
  })

  const view = new EditorView(mount, {
    state,
    editable: () => !isReadonly,
    attributes: ({ doc }) => ({ role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: doc.childCount > manyBlocks ? `note long ${sightName}` : 'note' }),
    dispatchTransaction: tr => {
      const before = view.state
      const { state, transactions } = before.applyTransaction(tr)
      sight.follow(state)
      view.updateState(state)
      if (state.doc !== before.doc && !tr.getMeta(received)) binding.write(state, before)
      if (state.doc !== before.doc) onChange({ isOwn: !tr.getMeta(received) })
      if (transactions.some(one => one.selectionSet || one.docChanged)) onSelection()
    },
    nodeViews: {
      taskItem: (node, view, getPosition) => new TaskView(node, view, getPosition),
      ...Object.fromEntries(Object.entries(draw).map(([name, make]) => [name, drawn(make)]))
    },
    clipboardParser,
    clipboardTextSerializer: copiedText,
    transformPasted: slice => knownOnly(slice, id => binding.hasCopy(id)),
    handlePaste: (view, event, slice) => giveFiles(event.clipboardData) || pasteLarge(view, event.clipboardData) || pasteNothing(view, event.clipboardData, slice),
    handleDrop: (view, event) => giveFiles(event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos),
    handleClick: (_view, _position, event) => {
      const address = event.target instanceof Element && event.target.closest('a[href]')?.getAttribute('href')
      if (!address || !(isReadonly || event.ctrlKey || event.metaKey) || !isSafeAddress(address)) return false
      event.preventDefault()
      onLink(address)
      return true
    }
  })

  const sight = new Sight(view, sightName)

  // The browser says later that the caret has moved, and a key, or what somebody else writes, may come before that: it would act where the
  // caret was, and take it back there.
  const catchUp = () => { if (!view.composing) view.domObserver.flush() }
  const hear = event => {
    if (event.isComposing || event.keyCode === 229) return
    // A dialog that closes gives the focus back without the selection, and the key would be lost.
    if (view.hasFocus() && !view.dom.contains(getSelection().anchorNode)) view.focus()
    catchUp()
  }
  // Before anybody who handles keys.
  addEventListener('keydown', hear, true)
  binding.attach(view, catchUp)

  const giveFiles = (data, position = view.state.selection.to) => {
    const files = onFiles ? filesOf(data) : []
    if (files.length > 0) onFiles(files, placeAt(binding, view.state.doc, position))
    return files.length > 0
  }

  const pasteLarge = (view, data) => {
    const text = data?.getData('text/plain') ?? ''
    if (text.length > pasteLimit) {
      onRefused()
      return true
    }
    return Boolean(text) && (data?.getData('text/html') ?? '').length > pasteLimit && view.pasteText(text)
  }

  /** What leaves nothing here takes nothing away either. */
  const pasteNothing = (view, data, slice) => {
    if (!data?.getData('text/html') || slice.size > 0) return false
    const text = data.getData('text/plain')
    return text ? view.pasteText(text) : true
  }

  const run = (name, argument) => {
    if (name === 'undo' || name === 'redo') return !isReadonly && undo[name]()
    const command = Object.hasOwn(editorCommands, name) && editorCommands[name]
    if (!command || (isReadonly && !['look', 'nextMatch', 'previousMatch', 'selectAll'].includes(name))) return false
    // What is out of sight by now is shown first.
    if (name === 'replaceMatch' && showMatch(view)) return true
    return name.startsWith('replace') ? alone(() => command(view.state, view.dispatch, argument)) : command(view.state, view.dispatch, argument)
  }

  /** As a step of its own for undo. */
  const alone = act => {
    undo.separate()
    const isDone = act()
    undo.separate()
    return isDone
  }

  return {
    dom: view.dom,
    run,
    can: (name, argument) => name === 'undo' ? undo.canUndo
      : name === 'redo' ? undo.canRedo
        : Boolean(Object.hasOwn(editorCommands, name) && editorCommands[name](view.state, undefined, argument)),
    active: () => activeCommands(view.state),
    focus: () => view.focus(),
    setReadonly: readonly => {
      isReadonly = readonly
      view.setProps({})
    },
    isEmpty: () => view.state.doc.childCount === 1 && view.state.doc.firstChild.type === schema.nodes.paragraph && view.state.doc.firstChild.content.size === 0,
    outline: () => outline(view.state.doc),
    goTo: position => {
      const { doc } = view.state
      const place = doc.resolve(Math.min(position + 1, doc.content.size))
      view.dispatch(view.state.tr.setSelection(TextSelection.near(place)).scrollIntoView())
      view.focus()
    },
    slash: () => {
      const slash = slashAt(view.state)
      return slash && { query: slash.query, items: slashMatches(slash.query, slashTitle), box: view.coordsAtPos(slash.from) }
    },
    runSlash: (name, argument) => {
      const slash = slashAt(view.state)
      if (slash) view.dispatch(view.state.tr.delete(slash.from, slash.to))
      return run(name, argument)
    },
    matches: () => {
      const { matches, current } = findKey.getState(view.state)
      return { count: matches.length, current }
    },
    place: () => {
      catchUp()
      return placeAt(binding, view.state.doc, view.state.selection.to)
    },
    putPicture: (place, attributes) => {
      if (isReadonly) return null
      catchUp()
      const position = roomAt(view.state.doc, binding.positionOf(place))
      const node = schema.nodes.notecoveImage.create(attributes)
      alone(() => view.dispatch(view.state.tr.insert(position, node)))
      return binding.placeOf(view.state.doc, position + node.nodeSize, -1)
    },
    picture: () => {
      const { node, from } = view.state.selection
      return node?.type === schema.nodes.notecoveImage ? { attributes: node.attrs, element: view.nodeDOM(from) } : null
    },
    selected: () => {
      const { from, to, empty } = view.state.selection
      return empty ? '' : `${from} to ${to}`
    },
    selectionBox: () => {
      const { from, to, empty } = view.state.selection
      return empty ? null : { start: view.coordsAtPos(from), end: view.coordsAtPos(to, -1) }
    },
    comment: async thread => {
      const key = await commentKey(thread)
      return !isReadonly && comment(view.state, view.dispatch, { thread, key })
    },
    quote: () => quoteOf(view.state),
    markQuote: isOn => {
      const { selection, tr } = view.state
      view.dispatch(tr.setMeta(quotedKey, isOn && !selection.empty ? [selection] : []).setMeta('addToHistory', false))
    },
    commentPlaces: () => commentPlaces(view.state.doc),
    cursor: () => {
      const places = binding.selectionOf(view.state)
      return places && { anchor: Y.encodeRelativePosition(places.anchor), head: Y.encodeRelativePosition(places.head) }
    },
    setCursors: people => {
      catchUp()
      const known = people.flatMap(person => {
        const places = decoded(person)
        return places ? [{ ...person, places }] : []
      })
      view.dispatch(view.state.tr.setMeta(cursorsKey, known).setMeta('addToHistory', false))
    },
    nameNotes: () => view.dispatch(view.state.tr.setMeta(noteLinksKey, true).setMeta('addToHistory', false)),
    markdown: () => markdownOf(view.state.doc.content),
    destroy: () => {
      removeEventListener('keydown', hear, true)
      sight.leave()
      binding.destroy()
      view.destroy()
    }
  }
}

/** Places come from other people: what cannot be read is left out. */
const decoded = ({ anchor, head }) => {
  try {
    return { anchor: Y.decodeRelativePosition(anchor), head: Y.decodeRelativePosition(head) }
  } catch {
    return null
  }
}
