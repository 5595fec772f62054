// What makes functions of `w3n`: calls over a connection, with values packed as JSON.
import { packValues, unpackValues } from '../ipc/values.js'

/// @typedef {{next?: (value: any) => void, complete?: () => void, error?: (error: any) => void}} Observer
/// @typedef {(client: Client, path: string[], owner?: object) => Function} Maker what makes the function at a path; the
///   owner is the object that it belongs to, which lives as long as the function does

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

  /// The reference that a proxy, or a function that we exposed, stands for.
  referenceOf(object) { return this.#references.get(object) }

  /// The same, of an argument that has to be an object of one of these types.
  reference(object, ...types) {
    const isObject = typeof object === 'object' && object !== null
    const reference = isObject ? this.#references.get(object) : undefined
    if (!reference || !types.includes(reference.objType)) {
      throw new TypeError(`the argument is not an object of type ${types.join(' or ')} that came from w3n`)
    }
    return reference
  }

  /// Offers a function of ours to the other side.
  exposeFunction(function_) {
    if (typeof function_ !== 'function') throw new TypeError('the argument is not a function')
    const reference = this.connection.expose('JsonCallFn', async body => {
      const reply = await function_(...this.unpack(body))
      return reply === undefined ? undefined : this.pack([reply])
    })
    this.#references.set(function_, reference)
    return function_
  }

  /// Makes the functions of a table for the object at a path.
  /// @param {Object<string, Maker>} table
  methods(table, path, owner) {
    const made = {}
    for (const name of Object.keys(table)) made[name] = table[name](this, [...path, name], owner)
    return made
  }

  pack(values) { return packValues(values, object => this.referenceOf(object)) }

  /// The values of a body; none are in no body.
  unpack(bytes) { return bytes === undefined ? [] : unpackValues(bytes, notExpected) }
}

const notExpected = ({ objType }) => { throw new TypeError(`an object of type ${objType} is not expected here`) }

export const observerOf = value => {
  if (typeof value !== 'object' || value === null) throw new TypeError('the last argument is not an observer')
  return value
}

/// An observer of bytes that hands on what `map` makes of them.
export const mapped = (observer, map) => ({
  next: body => observer.next?.(map(body)),
  complete: () => observer.complete?.(),
  error: error => observer.error?.(error),
})

/// A function of JSON values. `reply` makes something else of the reply's bytes.
export const jsonCall = reply => (client, path) => {
  const read = reply ? body => reply(body, client) : body => client.unpack(body)[0]
  return (...values) => promised(() => client.connection.call(path, client.pack(values), undefined, read))
}

/// What goes wrong before a call is made rejects its promise, too.
export const promised = call => {
  try {
    return call()
  } catch (error) {
    return Promise.reject(error)
  }
}

/// A function that emits JSON values: its last argument is the observer.
export const jsonObservable = (client, path) => (...values) => {
  const observer = observerOf(values.pop())
  return client.connection.observe(path, client.pack(values), mapped(observer, body => client.unpack(body)[0]))
}

/// A function that tells its progress to its last argument, and answers in the end.
export const jsonProgress = (client, path) => (...values) => new Promise((resolve, reject) => {
  const progress = values.pop()
  let result
  client.connection.observe(path, client.pack(values), {
    next: body => {
      const [event] = client.unpack(body)
      if (typeof event !== 'object' || event === null) return progress?.(event)
      if ('decrResult' in event) result = event.decrResult
      if (event.p !== undefined) progress?.(event.p)
    },
    complete: () => resolve(result),
    error: reject,
  })
})
