// The open documents, by handle, and the two ways to change one: somebody's update, or a function of our own.
import * as Y from 'yjs'
import { Failure } from './failure.js'
import { merge, unpack } from './merging.js'
import './neighbours.js'

const open = new Map()
let lastHandle = 0

/// Where an update fell: bits of what `absorb` answers.
const roots = { content: 1, default: 1, metadata: 2, comments: 4, folders: 8 }

/// Nothing of this shows, but the document did not have it: it has to wait, or it is in no root that we know.
const hidden = 16

/// A random client id from the host's secure generator. (lib0 falls back to Math.random where there is none.)
const freshClient = () => crypto.getRandomValues(new Uint32Array(1))[0]

const blank = () => {
  const doc = new Y.Doc({ guid: '' })
  do doc.clientID = freshClient(); while (doc.clientID === 0)
  return doc
}

const rootBits = transaction => {
  let bits = 0
  for (let type of transaction.changed.keys()) {
    while (type._item) type = type._item.parent
    for (const name in roots) if (transaction.doc.share.get(name) === type) bits |= roots[name]
  }
  return bits
}

/// Applies an update in a transaction that counts as local.
///
/// In a remote one Yjs tidies formats up by itself: it would make operations that nobody asked for, and 13.5
/// deletes marks that are in use. Nothing depends on the tidying; without it every order gives the same tree.
/// The places that a type remembers for quick access are forgotten here, as in a remote transaction.
export const applyQuietly = (doc, update, origin = null) => {
  let bits = 0
  let isNew = false
  const before = Y.getState(doc.store, doc.clientID)
  const waiting = pending(doc)
  doc.transact(transaction => {
    const before = size(doc)
    Y.applyUpdate(doc, update)
    if (size(doc) > before) resume(doc)
    transaction.local = true
    for (const type of transaction.changed.keys()) if (type._searchMarker) type._searchMarker.length = 0
    bits = rootBits(transaction)
    isNew = hasOperations(transaction) || !isEqual(waiting, pending(doc))
  }, origin)
  // Somebody else writes under our id: from now on we have another one.
  if (Y.getState(doc.store, doc.clientID) !== before) doc.clientID = freshClient()
  return bits || (isNew ? hidden : 0)
}

/// How many operations the document has.
const size = ({ store }) => {
  let size = 0
  for (const client of store.clients.keys()) size += Y.getState(store, client)
  return size
}

/// Tries again what waits, as long as some of it can be applied. Yjs remembers one thing that each part waits for, and leaves a part
/// waiting that had two.
const resume = doc => {
  const { store } = doc
  let before
  do {
    before = size(doc)
    const waiting = store.pendingStructs
    if (!waiting) return
    store.pendingStructs = null
    Y.applyUpdateV2(doc, waiting.update)
  } while (size(doc) > before)
}

const hasOperations = ({ doc, beforeState, deleteSet }) => {
  if (deleteSet.clients.size > 0) return true
  return Array.from(doc.store.clients.keys()).some(client => Y.getState(doc.store, client) !== (beforeState.get(client) || 0))
}

/// What waits for other updates: operations, and deletions.
const pending = ({ store }) => [store.pendingStructs?.update, store.pendingDs]

const isEqual = ([operations, deletions], [otherOperations, otherDeletions]) =>
  isSame(operations, otherOperations) &&
  // Yjs writes the deletions that came last first: in another order they say the same.
  (isSame(deletions, otherDeletions) || inOrder(deletions) === inOrder(otherDeletions))

const isSame = (bytes, other) =>
  bytes === other || Boolean(bytes && other && bytes.length === other.length && bytes.every((byte, i) => byte === other[i]))

const inOrder = deletions => {
  const clients = deletions ? Array.from(Y.decodeUpdateV2(deletions).ds.clients) : []
  return JSON.stringify(clients.sort(([one], [other]) => one - other))
}

const replay = updates => {
  const doc = blank()
  for (const update of updates) applyQuietly(doc, update)
  return doc
}

export class Document {
  constructor (updates = []) {
    this.doc = replay(updates)
    // What the document was made from. Yjs leaves half of a bad update behind, so then it is made anew from these.
    this.journal = updates.slice()
    this.unfolded = 0
    this.base = updates.reduce((sum, update) => sum + update.length, 0)
  }

  get isMissingUpdates () {
    const { pendingStructs, pendingDs } = this.doc.store
    return Boolean(pendingStructs || pendingDs)
  }

  remember (update) {
    this.journal.push(update)
    this.unfolded += update.length
    // What waits stays apart, so that a bad one can be left out.
    if (this.unfolded < 2 * this.base + 262144 || this.isMissingUpdates) return
    this.journal = [Y.encodeStateAsUpdate(this.doc)]
    this.base = this.journal[0].length
    this.unfolded = 0
  }

  absorb (update) {
    try {
      return this.take(update)
    } catch (error) {
      if (!this.isMissingUpdates) throw error
      return this.takeFirst(update)
    }
  }

  /// Applies an update, or stays as it was.
  take (update) {
    try {
      const bits = applyQuietly(this.doc, update)
      if (bits !== 0) this.remember(update)
      return bits
    } catch (error) {
      this.doc = replay(this.journal)
      throw new Failure('damagedUpdate', String(error && error.message))
    }
  }

  /// Applies an update before those that wait: what cannot be applied may be one of these. Then it is left out.
  takeFirst (update) {
    const store = this.doc.store
    store.pendingStructs = store.pendingDs = null
    const first = new Document([Y.encodeStateAsUpdate(this.doc)])
    this.doc = replay(this.journal)
    let bits = first.take(update)
    for (const earlier of this.journal) {
      try { bits |= first.take(earlier) } catch {}
    }
    Object.assign(this, first)
    return bits
  }

  /// Runs `body` in one transaction. Gives the update, empty when nothing changed.
  change (body) {
    let update = new Uint8Array(0)
    const take = bytes => { update = bytes }
    this.doc.on('update', take)
    try {
      this.doc.transact(body)
    } catch (error) {
      this.doc = replay(this.journal)
      throw error
    }
    this.doc.off('update', take)
    if (update.length > 0) this.remember(update)
    return update
  }
}

export const add = document => {
  open.set(++lastHandle, document)
  return lastHandle
}

export const get = handle => {
  const document = open.get(handle)
  if (!document) throw new Failure('notLoaded', 'no such document')
  return document
}

export const close = handle => { open.delete(handle) }

export const count = () => open.size

/// Makes a document of all updates at once. When that fails, of all that can be applied one after the other.
export const gather = updates => {
  const refused = []
  if (updates.length === 0) return { document: new Document(), refused }
  try {
    return { document: new Document([merge(updates)]), refused }
  } catch {
    const document = new Document()
    const isRefused = update => {
      try { document.absorb(update) } catch { return true }
      return false
    }
    // Twice: what had to wait at first may have been left out when its turn came.
    updates.forEach(isRefused)
    updates.forEach((update, index) => { if (isRefused(update)) refused.push(index) })
    return { document, refused }
  }
}

/// Opens a document; answers its handle and the indices of the updates that had to be left out.
export const load = packed => {
  const { document, refused } = gather(unpack(packed))
  return [add(document), ...refused]
}
