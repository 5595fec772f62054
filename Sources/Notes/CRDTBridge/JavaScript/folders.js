// The folder tree: a map of maps. Parents may be missing or go in circles, because two devices moved at once.
import * as Y from 'yjs'
import { get } from './documents.js'
import { fields } from './notes.js'

/// All folders, deleted ones too, in no particular order.
export const folders = handle => {
  const list = []
  get(handle).doc.getMap('folders').forEach((folder, id) => {
    if (folder instanceof Y.Map) list.push(Object.assign(fields(folder), { id }))
  })
  return JSON.stringify(list)
}

/// Sets fields of folders, [[id, values], …], in one transaction. A folder that is not there is made.
export const setFolders = (handle, json) => {
  const { doc } = get(handle)
  return get(handle).change(() => {
    const root = doc.getMap('folders')
    for (const [id, values] of JSON.parse(json)) {
      let folder = root.get(id)
      if (!(folder instanceof Y.Map)) root.set(id, folder = new Y.Map())
      for (const name in values) if (folder.get(name) !== values[name]) folder.set(name, values[name])
    }
  })
}
