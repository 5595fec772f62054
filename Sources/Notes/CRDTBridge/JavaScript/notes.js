// What a note is beyond its tree: the fields of `metadata`.
import * as Y from 'yjs'
import { add, Document, get } from './documents.js'
import { perform } from './edits.js'

/// Opens a new note: all fields and one empty paragraph in one transaction.
export const createNote = json => {
  const document = new Document()
  const update = document.change(() => {
    const metadata = document.doc.getMap('metadata')
    for (const [name, value] of Object.entries(JSON.parse(json))) metadata.set(name, value)
    document.doc.getXmlFragment('content').insert(0, [new Y.XmlElement('paragraph')])
  })
  return [add(document), update]
}

/// The fields of `metadata` that JSON can say.
export const metadata = handle => JSON.stringify(fields(get(handle).doc.getMap('metadata')))

/// Sets the fields that are given and differ.
export const setMetadata = (handle, json) => {
  const { doc } = get(handle)
  return get(handle).change(() => {
    const metadata = doc.getMap('metadata')
    for (const [name, value] of Object.entries(JSON.parse(json))) {
      if (metadata.get(name) !== value) metadata.set(name, value)
    }
  })
}

/// The entries of a map that are JSON already. Names come from outside, so the copy inherits nothing.
export const fields = map => {
  const copy = Object.create(null)
  map.forEach((value, name) => {
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) copy[name] = value
  })
  return copy
}

export const edit = (handle, json) => {
  const document = get(handle)
  const edits = JSON.parse(json)
  return document.change(transaction => perform(document.doc, edits, transaction))
}

/// Makes the edits where they were meant, on an older state, so that the document merges them with what came meanwhile.
export const editOlder = (handle, state, json, client) => {
  const document = get(handle)
  const older = new Document([state])
  if (client !== 0) older.doc.clientID = client
  const edits = JSON.parse(json)
  const update = older.change(transaction => perform(older.doc, edits, transaction))
  if (update.length > 0) document.absorb(update)
  return update
}
