// Markdown shortcuts: what is typed becomes what it means. Undo gives back what was typed.
import { setBlockType, wrapIn } from 'prosemirror-commands'
import { Plugin } from 'prosemirror-state'
import { insertBlock } from './commands.js'
import { bullets, isItem, numbers, setTask, tasks } from './lists.js'
import { isSafeAddress } from './looks.js'
import { schema } from './schema.js'

const { nodes, marks } = schema

/** How far back a shortcut may begin. */
const reach = 500

const withStart = start => (state, dispatch) => numbers(state, dispatch && (tr => {
  const { $from } = tr.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type !== nodes.orderedList) continue
    if (start !== 1) tr.setNodeAttribute($from.before(depth), 'start', start)
    break
  }
  dispatch(tr)
}))

const isInItem = ({ selection: { $from } }) => $from.depth > 1 && isItem($from.node(-1))

const task = checked => (state, dispatch) => tasks(state, dispatch && (tr => {
  const made = state.apply(tr)
  setTask(made, change => { for (const step of change.steps) tr.step(step) }, { checked })
  dispatch(tr)
}))

const taskStates = { '': 'unchecked', ' ': 'unchecked', x: 'checked', X: 'checked', '-': 'nope' }

/** At the beginning of a paragraph: what it becomes. */
const blockRules = [
  [/^(#{1,6}) $/, match => setBlockType(nodes.heading, { level: match[1].length })],
  [/^[-*+] $/, () => outsideOfItems(bullets)],
  [/^(\d{1,9})[.)] $/, match => outsideOfItems(withStart(Number(match[1])))],
  [/^\[([ xX-]?)\] $/, match => task(taskStates[match[1]])],
  [/^> $/, () => wrapIn(nodes.blockquote)],
  [/^```([A-Za-z0-9+#._-]*) $/, match => setBlockType(nodes.codeBlock, { language: match[1] || null })],
  [/^---$/, () => insertBlock(nodes.horizontalRule.create())]
]

const outsideOfItems = command => (state, dispatch) => !isInItem(state) && command(state, dispatch)

/** In text: the mark of what stands between the signs. */
const inlineRules = [
  [/(?:^|[^*])(\*\*)([^*\s](?:[^*]*[^*\s])?)\*\*$/, () => marks.bold.create()],
  [/(?:^|[^_\p{L}\p{N}])(__)([^_\s](?:[^_]*[^_\s])?)__$/u, () => marks.bold.create()],
  [/(?:^|[^*])(\*)([^*\s](?:[^*]*[^*\s])?)\*$/, () => marks.italic.create()],
  [/(?:^|[^_\p{L}\p{N}])(_)([^_\s](?:[^_]*[^_\s])?)_$/u, () => marks.italic.create()],
  [/(?:^|[^~])(~~)([^~\s](?:[^~]*[^~\s])?)~~$/, () => marks.strike.create()],
  [/(?:^|[^`])(`)([^`]+)`$/, () => marks.code.create()],
  [/(\[)([^\][]+)\]\(([^()\s]+)\)$/, match => isSafeAddress(match[3]) ? marks.link.create({ value: { href: match[3] } }) : null]
]

/** The transaction for what stands before the caret, or null. */
export const shortcut = state => {
  const { $cursor } = state.selection
  if (!$cursor || !$cursor.parent.isTextblock || $cursor.parent.type.spec.code) return null
  if (marks.code.isInSet($cursor.marks())) return null
  const start = Math.max(0, $cursor.parentOffset - reach)
  const text = $cursor.parent.textBetween(start, $cursor.parentOffset, null, '\ufffc')
  return (start === 0 && $cursor.parent.type === nodes.paragraph ? blockShortcut(state, text) : null) ?? inlineShortcut(state, text)
}

const blockShortcut = (state, text) => {
  for (const [pattern, commandFor] of blockRules) {
    const match = pattern.exec(text)
    if (!match) continue
    const tr = state.tr.delete(state.selection.from - text.length, state.selection.from)
    let isDone = false
    commandFor(match)(state.apply(tr), made => {
      for (const step of made.steps) tr.step(step)
      isDone = true
    })
    if (isDone) return tr
  }
  return null
}

const inlineShortcut = (state, text) => {
  for (const [pattern, markFor] of inlineRules) {
    const match = pattern.exec(text)
    const mark = match && markFor(match)
    if (!mark || match[2].includes('\ufffc')) continue
    const end = state.selection.from
    const open = end - text.length + match.index + match[0].indexOf(match[1])
    const inside = open + match[1].length
    return state.tr
      .delete(inside + match[2].length, end)
      .delete(open, inside)
      .addMark(open, open + match[2].length, mark)
      .removeStoredMark(mark.type)
  }
  return null
}

/** @param {() => void} separate makes what follows a step of its own for undo */
export const shortcuts = separate => new Plugin({
  props: {
    handleTextInput: (view, from, to, text, inserted) => {
      if (view.composing || !/[ *_~`)-]$/.test(text)) return false
      // Not our own insertion: only the view knows where the caret is by now, if somebody moved it just before.
      view.dispatch(inserted())
      const tr = shortcut(view.state)
      if (tr) {
        separate()
        view.dispatch(tr)
        separate()
      }
      return true
    },
    // A fence ends with its line, too.
    handleKeyDown: (view, event) => {
      const { $cursor } = view.state.selection
      if (event.key !== 'Enter' || !$cursor || $cursor.parent.type !== nodes.paragraph || !/^```\S*$/.test($cursor.parent.textContent)) return false
      const language = $cursor.parent.textContent.slice(3)
      separate()
      view.dispatch(view.state.tr.delete($cursor.start(), $cursor.end()).setBlockType($cursor.start(), $cursor.start(), nodes.codeBlock, { language: language || null }))
      return true
    }
  }
})
