// Builds `w3n` out of what the other side lists.

/// @typedef {(path: string[]) => string[]} Listing names at a path; none where there is nothing

/// The functions and groups of `tree` that are listed at `path` and below.
/// @param {import('./client.js').Client} client
/// @param {object} tree of makers
/// @param {Listing} list
const build = (client, tree, list, path) => {
  const built = {}
  for (const name of list(path)) {
    if (!Object.hasOwn(tree, name)) continue
    const entry = tree[name]
    const inner = [...path, name]
    built[name] = typeof entry === 'function' ? entry(client, inner) : build(client, entry, list, inner)
  }
  return built
}

/// Names under which parts of `rpc` were known before.
const formerNames = { appRPC: 'thisApp', otherAppsRPC: 'otherAppsRPC', exposeService: 'exposeService' }

/// @param {Listing} list
export const buildW3N = (client, tree, list) => {
  const w3n = build(client, tree, list, ['w3n'])
  // It is there for everybody; without a grant it says nothing.
  w3n.log ??= async () => {}
  for (const former of Object.keys(formerNames)) {
    const function_ = w3n.rpc?.[formerNames[former]]
    if (function_) w3n[former] = function_
  }
  return w3n
}
