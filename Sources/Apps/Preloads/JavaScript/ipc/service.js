// What this end of a connection offers: the tree `w3n`, and objects by reference.
//
// An object is a function, or an object of functions and further objects. A function takes the request's bytes and
// returns the reply's, or a promise of them; one that was marked as observable takes an observer too, and returns what
// cancels it.
import { encode } from '../wire/codec.js'
import { ipcException, packError } from './errors.js'

const observables = new WeakSet()

/// Marks a function `(body, observer) => cancel` as one that emits values.
export const observable = function_ => (observables.add(function_), function_)

/// How many objects one end may offer at a time.
const exposedLimit = 100000

export class Service {
  #send
  #objects = new Map()
  #ids = new WeakMap()
  #running = new Map()

  /// @param {(type: string, number: number|undefined, path: string[]|undefined, body: Uint8Array|undefined) => void} send
  /// @param {object} [root] the tree `w3n`
  constructor(send, root) {
    this.#send = send
    if (root) this.#objects.set('w3n', root)
  }

  /// A reference to an object for the other side.
  /// @returns {{objType: string, path: string[]}}
  expose(objType, object) {
    let id = this.#ids.get(object)
    if (id === undefined || !this.#objects.has(id)) {
      if (this.#objects.size >= exposedLimit) throw ipcException('tooManyObjects')
      do id = String(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))
      while (this.#objects.has(id))
      this.#objects.set(id, object)
      this.#ids.set(object, id)
    }
    return { objType, path: [id] }
  }

  /// The object of ours that a reference from the other side means.
  find({ path }) {
    const object = path.length === 1 && path[0] !== 'w3n' ? this.#objects.get(path[0]) : undefined
    if (object === undefined) throw ipcException('objectNotFound')
    return object
  }

  drop([id]) {
    if (id !== 'w3n') this.#objects.delete(id)
  }

  list(number, path) {
    const object = this.#at(path)
    const values = typeof object === 'object' ? Object.keys(object) : []
    this.#send('end', number, undefined, encode('common.StringArrayValue', { values }))
  }

  #at(path) {
    let object = this.#objects.get(path[0])
    for (const name of path.slice(1)) {
      object = typeof object === 'object' && Object.hasOwn(object, name) ? object[name] : undefined
    }
    return object
  }

  start(number, path, body) {
    if (this.#running.has(number)) return this.#fail(number, ipcException('duplicateFnCallNum'))
    const function_ = this.#at(path)
    if (typeof function_ !== 'function') return this.#fail(number, ipcException('callFnNotFound', { path }))
    this.#running.set(number, undefined)
    if (observables.has(function_)) this.#observe(number, function_, body)
    else this.#promise(number, function_, body)
  }

  async #promise(number, function_, body) {
    try {
      const reply = await function_(body)
      this.#finish(number, 'end', reply)
    } catch (error) {
      this.#finish(number, 'error', packError(error))
    }
  }

  #observe(number, function_, body) {
    try {
      const cancel = function_(body, {
        next: value => { if (this.#running.has(number)) this.#send('interim', number, undefined, value) },
        complete: () => this.#finish(number, 'end'),
        error: error => this.#finish(number, 'error', packError(error)),
      })
      // It may have completed before it returned.
      if (this.#running.has(number)) this.#running.set(number, cancel)
    } catch (error) {
      this.#finish(number, 'error', packError(error))
    }
  }

  #finish(number, type, body) {
    if (this.#running.delete(number)) this.#send(type, number, undefined, body)
  }

  #fail(number, error) {
    this.#send('error', number, undefined, packError(error))
  }

  cancel(number) {
    const cancel = this.#running.get(number)
    // A promise cannot be cancelled: its reply still comes.
    if (!cancel) return
    this.#running.delete(number)
    cancel()
  }

  close() {
    const running = [...this.#running.values()]
    this.#running.clear()
    this.#objects.clear()
    for (const cancel of running) cancel?.()
  }
}
