// Comment threads: a map in the root map `comments` and a mark in the text.
import * as Y from 'yjs'
import { get } from './documents.js'
import { perform } from './edits.js'
import { Failure } from './failure.js'
import { fields } from './notes.js'

const isMap = value => value instanceof Y.Map

const mapFrom = values => {
  const map = new Y.Map()
  for (const name in values) map.set(name, values[name])
  return map
}

const list = (thread, name) => {
  const array = thread.get(name)
  return array instanceof Y.Array ? array.toArray().filter(isMap) : []
}

const position = anchor => {
  if (!(anchor instanceof Uint8Array) || anchor.length < 4) return null
  return new DataView(anchor.buffer, anchor.byteOffset).getUint32(0, true)
}

const anchor = position => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, position, true)
  return bytes
}

const threadWith = (doc, id) => {
  const thread = doc.getMap('comments').get(id)
  if (!isMap(thread)) throw new Failure('notFound', 'no comment ' + id)
  return thread
}

const replyWith = (thread, id) => {
  const reply = list(thread, 'replies').find(each => each.get('id') === id)
  if (!reply) throw new Failure('notFound', 'no reply ' + id)
  return reply
}

/// All threads, each with its replies and reactions, as JSON.
export const comments = handle => {
  const threads = []
  get(handle).doc.getMap('comments').forEach((thread, id) => {
    if (!isMap(thread)) return
    threads.push(Object.assign(fields(thread), {
      id,
      anchorStart: position(thread.get('anchorStart')),
      anchorEnd: position(thread.get('anchorEnd')),
      replies: list(thread, 'replies').map(fields),
      reactions: list(thread, 'reactions').map(fields)
    }))
  })
  return JSON.stringify(threads)
}

/// One step on the comments. `change` is [kind, thread id, …]:
/// add (values, start, end, edits), set (reply id or null, values), reply (values), react (values), unreact (id),
/// deleteReply (id), delete (edits).
export const changeComments = (handle, json) => {
  const document = get(handle)
  const [kind, id, ...rest] = JSON.parse(json)
  return document.change(transaction => steps[kind](document.doc, id, rest, transaction))
}

const append = (thread, name, values) => {
  if (!(thread.get(name) instanceof Y.Array)) thread.set(name, new Y.Array())
  thread.get(name).push([mapFrom(values)])
}

const dropWhere = (thread, name, test) => {
  const array = thread.get(name)
  if (!(array instanceof Y.Array)) return
  for (let i = array.length - 1; i >= 0; i--) {
    const entry = array.get(i)
    if (isMap(entry) && test(entry)) array.delete(i)
  }
}

const steps = {
  add (doc, id, [values, start, end, edits], transaction) {
    const thread = mapFrom(values)
    thread.set('anchorStart', anchor(start))
    thread.set('anchorEnd', anchor(end))
    thread.set('replies', new Y.Array())
    thread.set('reactions', new Y.Array())
    doc.getMap('comments').set(id, thread)
    perform(doc, edits, transaction)
  },
  set (doc, id, [replyID, values]) {
    const thread = threadWith(doc, id)
    const target = replyID === null ? thread : replyWith(thread, replyID)
    for (const name in values) {
      if (values[name] === null) target.delete(name)
      else target.set(name, values[name])
    }
  },
  reply (doc, id, [values]) { append(threadWith(doc, id), 'replies', values) },
  react (doc, id, [values]) { append(threadWith(doc, id), 'reactions', values) },
  unreact (doc, id, [reaction]) { dropWhere(threadWith(doc, id), 'reactions', each => each.get('id') === reaction) },
  deleteReply (doc, id, [reply]) {
    dropWhere(threadWith(doc, id), 'replies', each => each.get('id') === reply)
    dropWhere(threadWith(doc, id), 'reactions', each => each.get('targetId') === reply)
  },
  delete (doc, id, [edits], transaction) {
    threadWith(doc, id)
    doc.getMap('comments').delete(id)
    perform(doc, edits, transaction)
  }
}
