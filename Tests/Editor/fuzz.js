// Two editors and a terminal change one note at random, online and offline, and must agree whenever they have heard of each other.
import { EditorState } from 'prosemirror-state'
import * as Y from 'yjs'
import * as crdt from '../../Sources/Notes/CRDTBridge/JavaScript/index.js'
import { applyQuietly } from '../../Sources/Notes/CRDTBridge/JavaScript/documents.js'
import { tree } from '../../Sources/Notes/CRDTBridge/JavaScript/tree.js'
import { Binding, received } from '../../Web/editor/binding.js'
import { movedOrigin } from '../../Web/editor/moved.js'
import { absolutePosition, relativePosition } from '../../Web/editor/positions.js'
import { Reader } from '../../Web/editor/reading.js'
import { keyOf, schema } from '../../Web/editor/schema.js'
import { actions, gentleActions, movingActions, undoActions, writingActions } from './actions.js'
import { problem } from './rules.js'
import { terminalEdit } from './terminal.js'

export class Random {
  constructor (seed) { this.state = (seed * 2654435761 + 1) >>> 0 }

  next () {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  below (bound) { return Math.floor(this.next() * bound) }

  chance (share) { return this.next() < share }

  pick (list) { return list[this.below(list.length)] }
}

/** An editor without a window: a state and a binding. */
export class Editor {
  /** @param {unknown} [remote] the origin of what others wrote */
  constructor (name, update, client, doc = new Y.Doc(), remote = 'remote') {
    this.name = name
    this.doc = doc
    if (client) this.doc.clientID = client
    this.outbox = []
    this.written = 0
    if (update) applyQuietly(this.doc, update, remote)
    this.doc.on('update', (update, origin) => {
      if (origin === remote) return
      // What somebody wrote where this editor had moved the text away: it goes after it.
      if (origin !== movedOrigin) this.written++
      this.outbox.push(update)
    })
    this.binding = new Binding(this.doc)
    this.state = EditorState.create({ doc: this.binding.node, schema })
    this.binding.attach(this)
  }

  dispatch (tr) {
    const before = this.state
    this.state = before.apply(tr)
    if (tr.docChanged && !tr.getMeta(received)) this.binding.write(this.state, before)
  }

  get vector () { return Y.encodeStateVector(this.doc) }

  difference (vector) { return Y.encodeStateAsUpdate(this.doc, vector) }

  receive (update, apply = () => applyQuietly(this.doc, update, 'remote')) {
    const written = this.written
    const caret = this.caretPlace()
    apply()
    if (this.written !== written) throw new Error(`${this.name} wrote something because it received something`)
    if (caret && !Y.getItem(this.doc.store, caret.item).deleted) this.checkCaret(caret)
  }

  /** The place of the caret as that behind a character. */
  caretPlace () {
    const { $cursor } = this.state.selection
    if (!$cursor?.nodeBefore?.isText) return null
    const place = relativePosition(this.binding.root, this.state.doc, $cursor.pos, -1)
    return place.item && place
  }

  checkCaret (place) {
    const { binding, state } = this
    const wanted = absolutePosition(binding.root, type => binding.partOf.get(type), this.doc, place)
    // Its text may have become a locked element.
    if (wanted === null || !state.doc.resolve(wanted).parent.inlineContent) return
    if (wanted !== state.selection.head) throw new Error(`${this.name}'s caret is at ${state.selection.head}, not at ${wanted}`)
  }

  get tree () { return tree(this.doc) }

  /** The editor must show what the note says, and the note's schema must hold. */
  check () {
    const read = new Reader().root(this.binding.content).node
    if (!normal(this.state.doc).eq(normal(read))) {
      throw new Error(`${this.name} shows something else than the note:\n${firstDifference(normal(this.state.doc), normal(read))}`)
    }
    this.state.doc.check()
    checkParts(this.binding.root, this.state.doc)
    if (this.binding.repairs > 0) throw new Error(`${this.name} could not take single steps`)
  }
}

const firstDifference = (one, other) => {
  const start = one.content.findDiffStart(other.content)
  const around = node => JSON.stringify(node.slice(Math.max(0, start - 5), Math.min(node.content.size, start + 20)))
  return `${one}\n${other}\nat ${start}:\n${around(one)}\n${around(other)}`
}

const checkParts = (part, node) => {
  if (part.node !== node) throw new Error(`a part has another node: ${part.node} instead of ${node}`)
  part.parts?.forEach((child, index) => {
    if (child.parent !== part) throw new Error('a part has another parent')
    checkParts(child, node.child(index))
  })
}

/** Breaks and the like have no marks in the note, though ProseMirror gives them some; and marks of one type have no order. */
const normal = node => {
  if (node.isText) return node.mark(node.marks.slice().sort((a, b) => a.type.rank - b.type.rank || (keyOf(a) < keyOf(b) ? -1 : 1)))
  if (node.isLeaf) return node.mark([])
  const children = []
  node.forEach(child => { children.push(normal(child)) })
  return node.type.create(node.attrs, children)
}

/** The note in the notes subsystem, as a terminal has it. */
export class Terminal {
  constructor (update) {
    this.name = 'terminal'
    this.outbox = []
    const packed = new Uint8Array(4 + update.length)
    new DataView(packed.buffer).setUint32(0, update.length, true)
    packed.set(update, 4)
    this.handle = crdt.load(packed)[0]
  }

  edit (edits) {
    const update = crdt.edit(this.handle, JSON.stringify(edits))
    if (update.length > 0) this.outbox.push(update)
  }

  get vector () { return crdt.stateVector(this.handle) }

  difference (vector) { return crdt.difference(this.handle, vector) }

  receive (update) { crdt.apply(this.handle, update) }

  get tree () { return crdt.treeOfNote(this.handle) }

  check () {}
}

/** The members of an object have no order. */
const inOrder = (key, value) =>
  value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value

const textOf = nodes => nodes
  .map(node => typeof node[0] === 'string' ? textOf(node[2]) : node.map(([content]) => typeof content === 'string' ? content : '').join(''))
  .join('')

/** A new note, as the notes subsystem makes it. */
export const newNote = () => {
  const [handle, update] = crdt.createNote('{"id":"n"}')
  crdt.close(handle)
  return update
}

const actionsOf = {
  wild: { ann: actions, ben: actions },
  gentle: { ann: gentleActions, ben: gentleActions },
  undoing: { ann: gentleActions, ben: [...gentleActions, ...undoActions] },
  moving: { ann: writingActions, ben: [...gentleActions, ...movingActions] }
}

/** What people do at random, and what has to hold in the end. */
export class Play {
  /**
   * @param {number} seed
   * @param {'wild' | 'gentle' | 'undoing' | 'moving'} kind In a wild session everybody does everything. In the others the words that are
   * written have to be there in the end. In a gentle one nobody takes anything away. In an undoing one Ben takes back what he did, after he
   * heard of what the others did: then the words of the others have to be there. (What somebody writes in a block that another one takes
   * away at the same time goes with it.) In a moving one the others write into paragraphs of which Ben makes other blocks.
   */
  constructor (seed, kind = 'wild') {
    this.random = new Random(seed)
    this.kind = kind
    this.isGentle = kind !== 'wild'
    this.words = []
    /** Words that may have been taken back. */
    this.others = []
    this.wordCount = 0
    this.log = []
  }

  word (who) {
    const word = `w${++this.wordCount}${this.random.chance(0.1) ? '😀' : ''} `
    if (this.kind !== 'undoing' || who.name !== 'ben') this.words.push(word.trim())
    else this.others.push(word.trim())
    return word
  }

  /** One of them does something. */
  do (who) {
    const { random } = this
    const count = 1 + random.below(4)
    for (let i = 0; i < count; i++) {
      if (who instanceof Terminal) {
        const edits = terminalEdit(random, JSON.parse(who.tree), () => this.word(who), this.kind)
        this.log.push(['terminal', JSON.stringify(edits)])
        who.edit(edits)
      } else {
        const possible = actionsOf[this.kind][who.name]
        const action = random.pick(possible)
        this.log.push([who.name, action.name])
        action(who, random, () => this.word(who))
        who.check()
      }
    }
  }

  /** All have the same note, and what has to be in it is. */
  judge (all) {
    const trees = all.map(one => JSON.stringify(JSON.parse(one.tree), inOrder))
    if (new Set(trees).size !== 1) throw new Error('the notes differ:\n' + trees.join('\n'))
    if (!this.isGentle) return
    const broken = this.kind === 'moving' && problem(JSON.parse(trees[0]))
    if (broken) throw new Error(broken)
    const text = textOf(JSON.parse(trees[0]))
    const missing = this.words.filter(word => !text.includes(word))
    // What was taken away and restored may have got other words in its midst. Nothing of it is lost.
    const rest = [...this.words, ...this.others].reduce((rest, word) => rest.replaceAll(`${word} `, ''), text)
    const lost = missing.filter(word => !rest.includes(word))
    if (lost.length > 0) throw new Error(`words are lost: ${lost}\n${trees[0]}`)
  }
}

/** All hear of each other's updates, in any order and now and then twice. */
export class Session extends Play {
  constructor (seed, kind) {
    super(seed, kind)
    const note = newNote()
    this.terminal = new Terminal(note)
    this.editors = [new Editor('ann', note, 1), new Editor('ben', note, 2)]
    this.all = [...this.editors, this.terminal]
    /** What waits for each. */
    this.queues = new Map(this.all.map(one => [one, []]))
  }

  act () {
    const who = this.random.pick([...this.editors, ...this.editors, this.terminal])
    this.do(who)
    // Half a word that somebody else moves away would not be lost, but could not be found.
    const updates = this.isGentle && who.outbox.length > 0 ? [Y.mergeUpdates(who.outbox)] : who.outbox
    for (const other of this.all) if (other !== who) this.queues.get(other).push(...updates)
    who.outbox = []
  }

  /** Delivers some of what waits, now and then twice. */
  deliver () {
    for (const one of this.all) {
      if (this.random.chance(0.4)) continue
      const queue = this.queues.get(one)
      for (let count = this.random.below(queue.length + 1); count > 0; count--) {
        const update = queue.shift()
        this.log.push([one.name, 'receives'])
        one.receive(update)
        if (this.random.chance(0.1)) one.receive(update)
        one.check()
      }
    }
  }

  /** All hear of everything. */
  settle () {
    for (const one of this.all) {
      for (const update of this.queues.get(one).splice(0)) one.receive(update)
      one.check()
    }
    for (const one of this.all) for (const other of this.all) if (one !== other) one.receive(other.difference(one.vector))
    for (const one of this.all) one.check()
    this.judge(this.all)
  }

  run (rounds) {
    for (let round = 0; round < rounds; round++) {
      this.act()
      if (this.random.chance(0.5)) this.deliver()
      if (this.kind === 'undoing' || this.random.chance(0.1)) this.settle()
    }
    this.settle()
    for (const editor of this.editors) {
      // Opening the note anew shows the same, and writes nothing.
      const again = new Editor('again', Y.encodeStateAsUpdate(editor.doc), 3)
      again.check()
      if (again.written > 0) throw new Error('opening wrote something')
      editor.binding.destroy()
    }
    crdt.close(this.terminal.handle)
  }
}
