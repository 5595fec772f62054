// What waits to be sent, so that the other side has not more calls at once than it takes.

/// The other side takes 1000 calls with 128 MiB. It may still be ending some that have ended here.
const callLimit = 900
const byteLimit = 96 << 20

/// Calls of observers may last as long as the connection, so they are not counted, and the other side has a limit for them alone.
/// What is not counted waits as well while something waits: nothing overtakes what was asked for before.
export class Departures {
  #first
  #last
  #calls = 0
  #bytes = 0

  /// Whether it may be sent now; otherwise it waits until `next` returns it.
  admit(message) {
    if (!this.#first && this.#takesRoom(message)) return true
    if (this.#first) this.#last = this.#last.following = message
    else this.#first = this.#last = message
    return false
  }

  /// What may be sent now of what waits.
  next() {
    const message = this.#first
    if (!message || !this.#takesRoom(message)) return
    this.#first = message.following
    message.following = undefined
    return message
  }

  /// A call that was admitted is under way no longer. Whether something waits for its room.
  ended(call) {
    if (!call.observer) {
      this.#calls--
      if (call.body) this.#bytes -= call.body.length
    }
    return this.#first !== undefined
  }

  /// All that waits, which it does no longer.
  clear() {
    const all = []
    for (let message = this.#first; message; message = message.following) all.push(message)
    this.#first = undefined
    return all
  }

  /// One call alone may be of any size.
  #takesRoom(message) {
    if (message.observer || message.dropped) return true
    const bytes = message.body ? this.#bytes + message.body.length : this.#bytes
    if (this.#calls > 0 && (this.#calls >= callLimit || bytes > byteLimit)) return false
    this.#calls++
    this.#bytes = bytes
    return true
  }
}
