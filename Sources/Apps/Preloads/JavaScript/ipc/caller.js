// Calls of the other end's functions, and the references to its objects that this end holds.
import { Departures } from './departures.js'
import { ipcException, unpackError } from './errors.js'

/// How often a call is tried again under another number.
const attempts = 100

export class Caller {
  #send
  #calls = new Map()
  #departures = new Departures()
  #lastNumber = 0
  #closed
  /// How many live proxies stand for an id.
  #held = new Map()
  /// Ids that no proxy stands for any longer, which the other side is yet to be told.
  #released = new Set()
  #collected

  constructor(send) {
    this.#send = send
    this.#collected = new FinalizationRegistry(id => this.#release(id))
  }

  /// Calls a function that answers once.
  /// @param {string[]} path
  /// @param {Uint8Array} [body]
  /// @param {object} [owner] the proxy that the call is made on, which is no garbage while the call lasts
  /// @param {(body: Uint8Array|undefined) => any} [read] what makes the result of the answer's body, which it is otherwise
  /// @returns {Promise<any>}
  call(path, body, owner, read = itself) {
    return new Promise((resolve, reject) => this.#start({ path, body, owner, attempt: 1, read, resolve, reject }))
  }

  /// Calls a function that emits values.
  /// @param {{next?: (value?: Uint8Array) => void, complete?: () => void, error?: (error: unknown) => void}} observer
  /// @returns {() => void} what ends it, without a further call of the observer
  observe(path, body, observer, owner) {
    const call = { path, body, owner, attempt: 1, observer }
    this.#start(call)
    return () => {
      call.isCancelled = true
      if (this.#calls.get(call.number) !== call) return
      this.#calls.delete(call.number)
      this.#send('cancel', call.number)
    }
  }

  #start(call) {
    if (this.#closed) return settle(call, 'error', this.#closed)
    if (this.#departures.admit(call)) this.#depart(call)
  }

  /// Sends what waits for a target, as far as there is room for it now.
  #departNext(target) {
    for (let call; (call = this.#departures.next(target));) {
      if (!call.isCancelled) this.#depart(call)
    }
    this.#dropReleased()
  }

  #depart(call) {
    do this.#lastNumber = this.#lastNumber < Number.MAX_SAFE_INTEGER ? this.#lastNumber + 1 : 1
    while (this.#calls.has(this.#lastNumber))
    call.number = this.#lastNumber
    this.#calls.set(call.number, call)
    try {
      this.#send('start', call.number, call.path, call.body)
    } catch (error) {
      settle(this.#take(call.number), 'error', error)
    }
  }

  interim(number, body) {
    const call = this.#calls.get(number)
    if (!call) return
    if (call.observer) return tell(call.observer, 'next', body)
    // A caller that waits for one value takes the first.
    this.#send('cancel', number)
    this.#take(number)
    answer(call, body)
  }

  end(number, body) {
    const call = this.#take(number)
    if (call) settle(call, 'end', body)
  }

  error(number, body) {
    const call = this.#calls.get(number)
    if (!call) return
    const error = unpackError(body ?? new Uint8Array(0))
    if (error.type === 'ipc' && error.duplicateFnCallNum && call.attempt++ < attempts) {
      // It keeps its room.
      this.#calls.delete(number)
      return this.#depart(call)
    }
    settle(this.#take(number), 'error', error)
  }

  /// The call of a number, which is under way no longer, so that what waits for its room departs.
  #take(number) {
    const call = this.#calls.get(number)
    if (!call) return
    this.#calls.delete(number)
    if (this.#departures.ended(call)) this.#departNext(call.target)
    return call
  }

  /// Lets the other side forget the object of a reference once the proxy is garbage.
  hold({ path }, proxy) {
    const [id] = path
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1)
    this.#collected.register(proxy, id)
  }

  #release(id) {
    const count = this.#held.get(id) - 1
    if (count > 0) return this.#held.set(id, count)
    this.#held.delete(id)
    this.#released.add(id)
    this.#dropReleased()
  }

  /// Not while calls wait, which may have an object among their arguments. By then it may have come again.
  #dropReleased() {
    if (this.#departures.someWait || this.#closed) return
    for (const id of this.#released) {
      if (!this.#held.has(id)) this.#send('drop', undefined, [id])
    }
    this.#released.clear()
  }

  /// Ends all calls; `reason` is the flag of their exception.
  close(reason) {
    this.#closed = ipcException('ipcNotConnected')
    const waiting = this.#departures.clear().filter(call => !call.isCancelled)
    const calls = [...this.#calls.values(), ...waiting]
    this.#calls.clear()
    for (const call of calls) settle(call, 'error', ipcException(reason))
  }
}

const itself = body => body

/// Tells whoever waits for a call how it ended.
const settle = (call, type, value) => {
  if (call.observer) tell(call.observer, type === 'end' ? 'complete' : 'error', value)
  else if (type === 'end') answer(call, value)
  else call.reject(value)
}

/// The body is read here and not in a reaction to the promise, of which each costs a call its time.
const answer = ({ read, resolve, reject }, body) => {
  try {
    resolve(read(body))
  } catch (error) {
    reject(error)
  }
}

/// What an observer throws is not the connection's trouble: it becomes a rejection that nobody handles.
const tell = (observer, method, value) => {
  try {
    observer[method]?.(value)
  } catch (error) {
    Promise.reject(error)
  }
}
