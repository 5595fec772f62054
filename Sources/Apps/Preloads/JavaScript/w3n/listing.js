// What is granted: names by path.
import { hostFunction } from '../ports/calls.js'
import { decode, encode } from '../wire/codec.js'

/// A listing that was handed over, by paths that are joined with slashes.
/// @param {Object<string, string[]>} names
export const knownListing = names => path => {
  const key = path.join('/')
  return Object.hasOwn(names, key) ? names[key] : []
}

/// Asks the host for everything at `['w3n']` and below for which `tree` has a group.
/// @param {import('../ports/ports.js').Port} port
export const askedListing = async (port, tree) => {
  const list = hostFunction(port)
  const names = {}
  const ask = async (path, tree) => {
    const reply = await list(encode('init.ObjPathArgs', { objPath: path }))
    const here = names[path.join('/')] = decode('fn_calls.StringArrayValue', reply).values
    const groups = here.filter(name => Object.hasOwn(tree, name) && typeof tree[name] === 'object')
    await Promise.all(groups.map(name => ask([...path, name], tree[name])))
  }
  await ask(['w3n'], tree)
  return knownListing(names)
}
