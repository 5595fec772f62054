// Groups of functions.
import { jsonCall } from './client.js'

const call = jsonCall()

/// Functions of JSON values, by their names.
/// @param {string} names with spaces between them
export const calls = names => Object.fromEntries(names.split(' ').map(name => [name, call]))

/// What `make` makes, when it is first asked for: a component starts fast, whatever there is that it does not use.
export const late = make => {
  let made
  return () => made ??= make()
}
