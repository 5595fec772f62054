// What makes functions of `w3n`: calls over a connection, in one of the two packing styles.
import { decode, encode } from '../wire/codec.js'
import { readUTF8 } from '../wire/utf8.js'
import { packValues, unpackValues } from '../ipc/values.js'

/// @typedef {{next?: (value: any) => void, complete?: () => void, error?: (error: any) => void}} Observer

export class Client {
  #references = new WeakMap()

  /// @param {import('../ipc/connection.js').ObjectConnection} connection
  constructor(connection) { this.connection = connection }

  /// Remembers that `proxy` stands for an object of the other side, and lets go of that when the proxy is garbage.
  adopt(reference, proxy) {
    this.#references.set(proxy, reference)
    this.connection.hold(reference, proxy)
    return proxy
  }

  /// The reference that a proxy, or an object that we exposed, stands for.
  referenceOf(object) { return this.#references.get(object) }

  /// The same, of an argument that has to be an object of one of these types.
  reference(object, ...types) {
    const reference = typeof object === 'object' && object !== null || typeof object === 'function'
      ? this.#references.get(object) : undefined
    if (!reference || !types.includes(reference.objType)) {
      throw new TypeError(`the argument is not an object of type ${types.join(' or ')} that came from w3n`)
    }
    return reference
  }

  /// Offers a function of ours to the other side.
  exposeFunction(function_) {
    const reference = this.connection.expose('JsonCallFn', async body => {
      const reply = await function_(...this.unpack(body))
      return reply === undefined ? undefined : this.pack([reply])
    })
    this.#references.set(function_, reference)
    return function_
  }

  pack(values) { return packValues(values, object => this.referenceOf(object)) }

  unpack(bytes) { return bytes === undefined ? [] : unpackValues(bytes, reference => this.#objectOf(reference)) }

  #objectOf({ objType }) { throw new TypeError(`an object of type ${objType} is not expected here`) }

  /// A function of JSON values.
  json(path) { return async (...values) => this.unpack(await this.connection.call(path, this.pack(values)))[0] }

  /// One that emits JSON values: its last argument is the observer.
  jsonObservable(path) {
    return (...values) => {
      const observer = observerOf(values.pop())
      return this.connection.observe(path, this.pack(values), mapped(observer, body => this.unpack(body)[0]))
    }
  }

  /// One that tells its progress to a function, its last argument, and answers in the end.
  jsonProgress(path) {
    return (...values) => new Promise((resolve, reject) => {
      const progress = values.pop()
      let result
      this.connection.observe(path, this.pack(values), {
        next: body => {
          const [event] = this.unpack(body)
          if (typeof event !== 'object' || event === null) return progress?.(event)
          if ('decrResult' in event) result = event.decrResult
          if (event.p !== undefined) progress?.(event.p)
        },
        complete: () => resolve(result),
        error: reject,
      })
    })
  }

  /// A function with messages of its own.
  /// @param {string[]} path
  /// @param {(...args: any[]) => Uint8Array|undefined} request
  /// @param {(reply: Uint8Array|undefined) => any} reply
  typed(path, request, reply) {
    return async (...values) => reply(await this.connection.call(path, request(...values)))
  }

  typedObservable(path, request, event) {
    return (...values) => {
      const observer = observerOf(values.pop())
      return this.connection.observe(path, request(...values), mapped(observer, event))
    }
  }
}

const observerOf = value => {
  if (typeof value !== 'object' || value === null) throw new TypeError('the last argument is not an observer')
  return value
}

/// An observer of bytes that hands on what `map` makes of them.
const mapped = (observer, map) => ({
  next: body => observer.next?.(map(body)),
  complete: () => observer.complete?.(),
  error: error => observer.error?.(error),
})

/// Requests and replies of the typed style.
export const message = entry => value => encode(entry, value)
export const text = bytes => bytes === undefined ? '' : readUTF8(bytes)
export const jsonText = bytes => JSON.parse(text(bytes))
export const nothing = () => undefined
/// A reply: the message itself, or what `map` makes of it.
export const reply = (entry, map = value => value) => bytes => map(decode(entry, bytes ?? new Uint8Array(0)))
/// A reply of one field.
export const value = entry => bytes => bytes === undefined ? undefined : decode(entry, bytes).value
/// A number, text or flag with presence.
export const some = value => value === undefined || value === null ? undefined : { value }
