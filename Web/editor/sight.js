// Keeps the browser from laying out and painting the blocks of a long note that are far out of sight.
//
// With `content-visibility: auto` alone the browser asks each of 2 000 blocks with each picture whether it is in sight, which takes half of the time that a
// key may take. So a rule of style names the blocks that are far away. It changes nothing in the text, and follows what is scrolled and selected.

/** Blocks of a note from which on this pays. */
export const manyBlocks = 100

/** Blocks before and behind those in sight that the browser has, too: for reading on, for its own search, and for screen readers. */
const near = 100

/** Blocks around an end of the selection: more than a window shows, because the browser has to know how high they are before it scrolls there, or by a page. */
const around = 40

let count = 0

export class Sight {
  /** @param {import('prosemirror-view').EditorView} view a view whose element has the class `name` as long as the note is long */
  constructor (view, name) {
    this.view = view
    this.name = name
    this.sheet = new CSSStyleSheet()
    /** The first and the last block that are kept because they are or were in sight. */
    this.seen = [0, near]
    /** The stretches around the ends of the selection. */
    this.places = []
    this.scrolled = ({ target }) => { if (target instanceof Node && target.contains(view.dom)) this.plan() }
    this.resized = () => this.plan()
    this.pressed = event => this.expect(event)
    // What is hidden is not copied, where the browser copies and not the editor: of a note that is only read.
    this.copied = () => {
      this.sheet.disabled = true
      setTimeout(() => { this.sheet.disabled = false })
    }
    addEventListener('scroll', this.scrolled, { capture: true, passive: true })
    addEventListener('resize', this.resized)
    addEventListener('copy', this.copied, true)
    view.dom.addEventListener('keydown', this.pressed)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet]
    this.follow(view.state)
  }

  leave () {
    removeEventListener('scroll', this.scrolled, { capture: true })
    removeEventListener('resize', this.resized)
    removeEventListener('copy', this.copied, true)
    this.view.dom.removeEventListener('keydown', this.pressed)
    cancelAnimationFrame(this.planned)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== this.sheet)
  }

  /** A name for the class of a view that no other one has. */
  static newName () { return 'sight-' + ++count }

  /**
   * Keeps what this state selects. Called before the view shows the state, because it may scroll there.
   * @param {import('prosemirror-state').EditorState} state
   */
  follow ({ doc, selection }) {
    if (doc.childCount !== this.blocks) this.plan()
    const isAnew = this.blocks === undefined
    this.blocks = doc.childCount
    if (!this.isLong || selection === this.selection) return
    this.selection = selection
    const ends = endsOf(selection)
    // A note that was only opened is laid out where one looks.
    if (isAnew) this.keep([])
    else if (ends.some(end => !this.places.some(([first, last]) => first <= end && end <= last))) this.keep(ends)
  }

  /** The browser's keys for both ends of a text lead no further than it lays out. */
  expect ({ key, ctrlKey, metaKey }) {
    const isStart = (key === 'Home' && ctrlKey) || (key === 'ArrowUp' && metaKey)
    const isEnd = (key === 'End' && ctrlKey) || (key === 'ArrowDown' && metaKey)
    if (this.isLong && (isStart || isEnd)) this.keep([...endsOf(this.view.state.selection), isStart ? 0 : this.blocks - 1])
  }

  get isLong () { return this.blocks > manyBlocks }

  /** Looks again with the next picture. */
  plan () {
    this.planned ??= requestAnimationFrame(() => {
      this.planned = undefined
      if (this.isLong) this.look()
    })
  }

  look () {
    const [first, last] = this.inWindow()
    const [from, to] = this.seen
    const isFar = (first < from + near / 2 && from > 0) || (last > to - near / 2 && to < this.blocks)
    if (!isFar) return
    this.seen = [Math.max(0, first - near), last + near]
    this.keep()
  }

  /** The blocks at both ends of the window. They stand one below the other, so halving finds them. */
  inWindow () {
    const { children } = this.view.dom
    const firstBelow = height => {
      let [low, high] = [0, children.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (children[middle].getBoundingClientRect().bottom <= height) low = middle + 1
        else high = middle
      }
      return low
    }
    return [firstBelow(0), firstBelow(innerHeight)]
  }

  /** @param {number[]} [ends] blocks in which the selection begins and ends, or is about to, if that has changed */
  keep (ends) {
    if (ends) this.places = joined(ends.map(end => [Math.max(0, end - around), end + around]))
    const kept = joined([this.seen, ...this.places])
    const rule = (children, value) => `${children.map(child => `.${this.name}.long > ${child}`).join(', ')} { content-visibility: ${value} }`
    // A caret goes into no block that `auto` leaves out. On paper there is all of the note.
    this.sheet.replaceSync(`@supports (overflow-clip-margin: 3em) { @media screen {
      ${rule(between(kept), 'hidden')} ${this.places.length > 0 ? rule(this.places.map(([first, last]) => stretch(first, last)), 'visible') : ''} } }`)
  }
}

/** The blocks in which a selection begins and ends. */
const endsOf = ({ $anchor, $head }) => [$anchor.index(0), $head.index(0)]

/** Stretches of numbers in order, those that meet as one. */
const joined = stretches => stretches.toSorted(([one], [other]) => one - other).reduce((all, [first, last]) => {
  const before = all.at(-1)
  if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
  else all.push([first, last])
  return all
}, [])

/** The children from the first to the last, which `:nth-child` counts from 1. */
const stretch = (first, last) => `:nth-child(n+${first + 1}):nth-child(-n+${last + 1})`

/** The children before, between and behind stretches. */
const between = stretches => [-1, ...stretches.map(([, last]) => last)].map((last, index) =>
  stretches[index] ? stretch(last + 1, stretches[index][0] - 1) : `:nth-child(n+${last + 2})`)
