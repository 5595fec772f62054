// What the host calls. Documents are meant by handle; bytes are Yjs updates (V1); all else that has a shape is JSON.
import * as Y from 'yjs'
import { close, get, load } from './documents.js'
import { tree } from './tree.js'

export { load, close }
export { createNote, metadata, setMetadata, edit, editOlder } from './notes.js'
export { comments, changeComments } from './comments.js'
export { folders, setFolders } from './folders.js'
export { treeOf, authors } from './history.js'
export { mergePacked as merge, clients } from './merging.js'

export const apply = (handle, update) => get(handle).absorb(update)
export const isMissingUpdates = handle => get(handle).isMissingUpdates
export const state = handle => Y.encodeStateAsUpdate(get(handle).doc)
export const stateVector = handle => Y.encodeStateVector(get(handle).doc)
export const difference = (handle, vector) => Y.encodeStateAsUpdate(get(handle).doc, vector)
export const treeOfNote = handle => tree(get(handle).doc)
