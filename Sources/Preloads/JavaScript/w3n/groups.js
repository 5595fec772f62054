// Groups of functions that are all made alike.
import { jsonCall } from './client.js'

const call = jsonCall()

/// Functions of JSON values, by their names.
/// @param {string} names with spaces between them
export const calls = names => Object.fromEntries(names.split(' ').map(name => [name, call]))
