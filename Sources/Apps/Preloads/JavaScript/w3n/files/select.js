// Searching a folder tree, and collections, which hold what was found.
import { decode, encode } from '../../wire/codec.js'
import { late } from '../groups.js'
import { ask, given, message, present, some, watch } from '../typed.js'
import { fileFrom } from './file.js'
import { fsFrom } from './fs.js'

/// Criteria name things by a pattern with wildcards, or say in which other way.
const nameCriteria = name => {
  if (typeof name === 'string') return { pattern: { value: name } }
  const { p, type } = name ?? {}
  if (type === 'exact') return { exactName: some(p) }
  return type === 'regexp' ? { regexp: some(p) } : { pattern: some(p) }
}

const criteriaMessage = ({ name, depth, type, action }) => ({
  ...nameCriteria(name), depth: some(depth), type: type === undefined ? [] : Array.isArray(type) ? type : [type], action,
})

/// `select(path, criteria)` answers with `{items, completion}`: a collection that fills, and a promise of the search's end.
export const select = (client, path, owner) => (folder, criteria) => new Promise((resolve, reject) => {
  let finish, fail
  const completion = new Promise((resolve, reject) => { finish = resolve, fail = reject })
  completion.catch(() => {})
  const request = encode('fs.SelectRequestBody', { path: folder, criteria: criteriaMessage(criteria) })
  client.connection.observe(path, request, {
    next: body => resolve({ items: collection(client, decode('common.ObjectReference', body)), completion }),
    complete: () => {
      finish()
      reject(new Error('the search ended without a collection'))
    },
    error: error => {
      fail(error)
      reject(error)
    },
  }, owner)
})

const isSet = wrapped => wrapped?.value || undefined

/// What a collection holds under a name.
const itemFrom = (client, { isFile, isFolder, isLink, isCollection, item, location }) => present({
  isFile: isSet(isFile), isFolder: isSet(isFolder), isLink: isSet(isLink), isCollection: isSet(isCollection),
  item: item && objectFrom(client, item),
  location: location && present({
    fs: location.fs && fsFrom(client, location.fs), path: location.path,
    storageUse: location.storageUse || undefined, storageType: location.storageType || undefined,
  }),
})

const objectFrom = (client, { fs, file, collection: reference }) =>
  fs ? fsFrom(client, fs) : file ? fileFrom(client, file) : reference ? collection(client, reference) : undefined

const pair = (client, { name, item }) => [name, itemFrom(client, item)]

const next = ask(undefined, undefined, message('fs.IterResMsg',
  ({ done, value }, client) => done?.value ? { done: true, value: undefined } : { done: false, value: pair(client, value) }))

/// An asynchronous iterator over an object of the other side.
const iterator = (client, reference) => {
  const items = {}
  items.next = next(client, [...reference.path, 'next'], items)
  items[Symbol.asyncIterator] = () => items
  return client.adopt(reference, items)
}

const methods = late(() => ({
  get: ask('fs.FSCGetRequestBody', ([name]) => ({ name }),
    message('fs.FSCGetReplyBody', ({ item }, client) => item && itemFrom(client, item))),
  getAll: ask(undefined, undefined,
    message('fs.FSCGetAllReplyBody', ({ items }, client) => items.map(item => pair(client, item)))),
  entries: ask(undefined, undefined, message('common.ObjectReference', (reference, client) => iterator(client, reference))),
  watch: watch(undefined, undefined, message('fs.CollectionEvent', ({ type, path, item }, client) =>
    present({ type, path: given(path), item: item && itemFrom(client, item) }))),
}))

export const collection = (client, reference) => {
  const object = {}
  Object.assign(object, client.methods(methods(), reference.path, object))
  return client.adopt(reference, object)
}
