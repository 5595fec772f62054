// The random sessions over the code with which the page talks to its host, and a host that is slow, saves late and is killed.
//
// Frames come in order and once, as over a WebSocket; what is on its way when the connection breaks is lost. Time is that of the session.
import * as Y from 'yjs'
import * as crdt from '../../Sources/Notes/CRDTBridge/JavaScript/index.js'
import { decoded, encoded } from '../../Web/source/documents/base64.js'
import { NoteDocument } from '../../Web/source/documents/document.js'
import { Editor, newNote, Play, Terminal } from './fuzz.js'

/** Timers that go off when the session says so. */
class Clock {
  constructor () {
    this.now = 0
    this.timers = new Map()
    this.next = 1
  }

  /** Everything that waits from now on waits for this clock. */
  install () {
    const { setTimeout, clearTimeout } = globalThis
    globalThis.setTimeout = (run, delay = 0) => {
      this.timers.set(this.next, { run, at: this.now + delay })
      return this.next++
    }
    globalThis.clearTimeout = id => this.timers.delete(id)
    return () => Object.assign(globalThis, { setTimeout, clearTimeout })
  }

  advance (time) {
    const end = this.now + time
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0]
      if (!due) break
      this.timers.delete(due[0])
      this.now = due[1].at
      due[1].run()
    }
    this.now = end
  }
}

/** What is resolved is heard of. */
const settled = async () => { for (let count = 0; count < 8; count++) await null }

/** One connection of a page, with what the host keeps for it. */
class Line {
  constructor (host) {
    this.host = host
    this.toHost = []
    this.toPage = []
    this.waiting = new Map()
    this.isOpen = false
    this.number = 0
    this.forget()
  }

  /** The host's side, anew. */
  forget () {
    this.isLent = this.awaitsAck = false
    this.updates = []
    this.parts = []
    this.taken = this.told = 0
  }

  // What the page has of a connection.

  once (frame) {
    if (!this.isOpen) return Promise.resolve({ code: 'broken' })
    const n = ++this.number
    return new Promise(resolve => {
      this.waiting.set(n, resolve)
      this.send({ ...frame, n })
    })
  }

  send (frame) { if (this.isOpen) this.toHost.push(frame) }

  cut () {
    this.isOpen = false
    this.toHost = []
    this.toPage = []
    this.forget()
    this.waiting.forEach(resolve => resolve({ code: 'broken' }))
    this.waiting.clear()
  }

  // What the host does.

  /** As `LentDocument` does. */
  hear (frame) {
    switch (frame.type) {
      case 'doc_open': {
        const { host } = this
        this.forget()
        this.isLent = true
        const result = { vector: encoded(host.note.vector), update: encoded(host.note.difference(decoded(frame.vector))), readonly: false }
        this.toPage.push({ type: 'reply', n: frame.n, result })
        break
      }
      case 'doc_update':
        this.parts.push(...decoded(frame.update))
        if (frame.more) return void this.toPage.push({ type: 'doc_more' })
        this.host.take(Uint8Array.from(this.parts.splice(0)), this)
        this.taken = frame.seq
        break
      case 'doc_ack':
        this.awaitsAck = false
        this.tell()
    }
  }

  /** One update is on its way at a time; those that wait become one. */
  tell () {
    if (!this.isLent || this.awaitsAck || this.updates.length === 0) return
    this.toPage.push({ type: 'doc_update', update: encoded(Y.mergeUpdates(this.updates.splice(0))) })
    this.awaitsAck = true
  }
}

/** The host: the note in the notes subsystem, and on a disk. */
class Host {
  constructor (update) {
    this.note = new Terminal(update)
    this.disk = update
    this.lines = []
  }

  take (update, from) {
    this.note.receive(update)
    for (const line of this.lines) {
      if (line === from) continue
      line.updates.push(update)
      line.tell()
    }
  }

  /** What the terminal wrote goes to the pages; nobody would send it again, so it is on the disk first. */
  publish () {
    const updates = this.note.outbox.splice(0)
    if (updates.length === 0) return
    this.save()
    updates.forEach(update => this.take(update))
  }

  save () {
    this.disk = this.note.difference(Uint8Array.of(0))
    for (const line of this.lines) {
      if (!line.isLent || line.taken === line.told) continue
      line.told = line.taken
      line.toPage.push({ type: 'doc_saved', seq: line.taken })
    }
  }

  /** What is not on the disk is gone. */
  kill () {
    crdt.close(this.note.handle)
    this.note = new Terminal(this.disk)
  }
}

/** A page: its document, and an editor once it is known. */
class Page {
  constructor (name, client, host) {
    this.name = name
    this.line = new Line(host)
    host.lines.push(this.line)
    this.document = new NoteDocument('n', () => {}, this.line)
    this.document.doc.clientID = client
  }

  async connect () {
    this.line.isOpen = true
    void this.document.open()
    await settled()
  }

  async cut () {
    this.line.cut()
    this.document.broke()
    await settled()
  }

  async hear (frame) {
    if (frame.type === 'reply') {
      this.line.waiting.get(frame.n)?.(frame)
      this.line.waiting.delete(frame.n)
      await settled()
    } else if (frame.type === 'doc_update' && this.editor) {
      this.editor.receive(null, () => this.document.hear(frame))
    } else {
      this.document.hear(frame)
    }
    if (this.document.isKnown) this.editor ??= new Editor(this.name, null, 0, this.document.doc, this.document)
  }

  get isQuiet () { return this.line.toHost.length + this.line.toPage.length === 0 && this.document.isSaved && this.document.state === 'open' }
}

/** A session in which everything goes over the page's channel. */
export class ChannelSession extends Play {
  constructor (seed, kind) {
    super(seed, kind)
    this.clock = new Clock()
    this.host = new Host(newNote())
    this.pages = [new Page('ann', 1, this.host), new Page('ben', 2, this.host)]
  }

  async run (rounds) {
    const restore = this.clock.install()
    try {
      await this.settle()
      for (let round = 0; round < rounds; round++) {
        this.act()
        await this.pass()
        if (this.kind === 'undoing' || this.random.chance(0.1)) await this.settle()
      }
      await this.settle()
    } finally {
      restore()
      this.pages.forEach(({ editor }) => editor?.binding.destroy())
      crdt.close(this.host.note.handle)
    }
  }

  get parties () { return [...this.pages.map(({ editor }) => editor), this.host.note] }

  act () {
    const [ann, ben, terminal] = this.parties
    this.do(this.random.pick([ann, ben, ann, ben, terminal]))
    this.host.publish()
  }

  /** Some time passes, in which anything may happen to what is on its way. */
  async pass () {
    const { random } = this
    for (let steps = random.below(6); steps > 0; steps--) {
      const page = random.pick(this.pages)
      const { line } = page
      // What is written in a block that another one moves goes with it as long as the one who moves it is there to take it along.
      const mayBreak = this.kind !== 'moving' || page.name === 'ann'
      if (this.kind !== 'moving' && random.chance(0.03)) await this.killed()
      else if (mayBreak && random.chance(0.06)) await this.cut(page)
      else if (!line.isOpen && random.chance(0.5)) await page.connect()
      else if (random.chance(0.3)) this.host.save()
      else if (random.chance(0.5)) this.clock.advance(random.below(120))
      else await this.deliver(page, random.below(4))
    }
  }

  async cut (page) {
    this.log.push([page.name, 'is cut off'])
    await page.cut()
  }

  async killed () {
    this.log.push(['host', 'is killed'])
    for (const page of this.pages) await page.cut()
    this.host.kill()
  }

  /** Delivers some frames each way. */
  async deliver (page, count) {
    for (let left = count; left > 0; left--) {
      const up = page.line.toHost.shift()
      if (up) page.line.hear(up)
      const down = page.line.toPage.shift()
      if (down) {
        await page.hear(down)
        page.editor?.check()
      }
    }
  }

  /** All are connected, and hear of everything. */
  async settle () {
    for (let turns = 0; this.pages.some(page => !page.isQuiet); turns++) {
      if (turns > 1000) throw new Error('what is written does not get to the disk')
      for (const page of this.pages) {
        if (!page.line.isOpen) await page.connect()
        await this.deliver(page, 20)
      }
      this.clock.advance(50)
      this.host.save()
    }
    for (const page of this.pages) page.editor.check()
    this.judge(this.parties)
  }
}
