// Makers of functions whose requests and replies are messages of their own.
import { decode, encode } from '../wire/codec.js'
import { readUTF8 } from '../wire/utf8.js'
import { mapped, observerOf, promised } from './client.js'

const none = new Uint8Array(0)

/// A function that answers once.
/// @param {string|undefined} name of the request's message; without one there is no body
/// @param {(args: any[], client: import('./client.js').Client) => object} request
/// @param {(body: Uint8Array|undefined, client: import('./client.js').Client, args: any[]) => any} reply
/// @returns {import('./client.js').Maker}
export const ask = (name, request, reply) => (client, path, owner) => (...args) => promised(() =>
  client.connection.call(
    path, name && encode(name, request(args, client)), owner, body => reply?.(body, client, args)))

/// A function that emits values to the observer, its last argument.
/// @returns {import('./client.js').Maker}
export const watch = (name, request, event) => (client, path, owner) => (...args) => {
  const observer = observerOf(args.pop())
  const body = name && encode(name, request(args, client))
  return client.connection.observe(path, body, mapped(observer, body => event(body, client)), owner)
}

/// The reply is a message, or what `map` makes of it.
export const message = (name, map) => (body, client) => {
  const reply = decode(name, body ?? none)
  return map ? map(reply, client) : reply
}

/// The reply is one value in a message; undefined without a body.
export const value = name => body => body === undefined ? undefined : decode(name, body).value

/// The reply is bare text.
export const text = body => body === undefined ? '' : readUTF8(body)

/// A number, text or flag that may be absent.
export const some = value => value === undefined || value === null ? undefined : { value }

/// The same in a message that came; null for what is absent is no value.
export const given = wrapped => wrapped?.value

/// An object without the members that are undefined.
export const present = object => {
  for (const name of Object.keys(object)) if (object[name] === undefined) delete object[name]
  return object
}

/// Bytes of an app as the codec wants them.
export const bytesOf = value => {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  throw new TypeError('the argument is not bytes')
}
