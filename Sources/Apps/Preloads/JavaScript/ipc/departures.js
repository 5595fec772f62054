// What waits to be sent, so that the other side has not more calls at once than it takes.

/// Of one target. The other side takes 1000 calls with 128 MiB in all, so that one that does not answer leaves room to others.
const callLimit = 600
const byteLimit = 48 << 20

/// Targets that are remembered with nothing under way, which saves every call that is alone the making of its target.
const idleLimit = 100

/// Calls are held by their targets: objects of the other side, and the members of its `w3n`.
///
/// Calls of observers may last as long as the connection, so they are not counted, and the other side has a limit for them alone.
/// They wait as well while something waits for the same target: nothing overtakes there what was asked for before.
export class Departures {
  /// Those with calls under way, which are all that something can wait for, and some others.
  #targets = new Map()
  #waiting = 0

  /// Whether a call waits for any target.
  get someWait() { return this.#waiting > 0 }

  /// Whether a call may be sent now; otherwise it waits until `next` returns it.
  admit(call) {
    const name = targetName(call.path)
    let target = this.#targets.get(name)
    if (!target) {
      if (call.observer) return true
      this.#targets.set(name, target = new Target(name))
    }
    call.target = target
    if (!target.first && target.takesRoom(call)) return true
    target.append(call)
    this.#waiting++
    return false
  }

  /// A call that was admitted is under way no longer. Whether something waits for its room.
  ended({ target, observer, body }) {
    if (observer) return false
    target.calls--
    if (body) target.bytes -= body.length
    this.#forgetIdle(target)
    return target.first !== undefined
  }

  /// What may be sent now of what waits for a target.
  next(target) {
    const call = target.first
    if (!call || !target.takesRoom(call)) return
    target.first = call.following
    call.following = undefined
    this.#waiting--
    this.#forgetIdle(target)
    return call
  }

  /// All that waits, which it does no longer.
  clear() {
    const all = []
    for (const target of this.#targets.values()) {
      for (let call = target.first; call; call = call.following) all.push(call)
    }
    this.#targets.clear()
    this.#waiting = 0
    return all
  }

  #forgetIdle({ name, calls, first }) {
    if (calls === 0 && !first && this.#targets.size > idleLimit) this.#targets.delete(name)
  }
}

/// An id that is a name in `w3n` as well would only share its room.
const targetName = path => path[0] === 'w3n' ? path[1] : path[0]

/// What is under way to a target, and the list of what waits for it.
class Target {
  calls = 0
  bytes = 0
  first
  last

  constructor(name) { this.name = name }

  append(call) {
    if (this.first) this.last = this.last.following = call
    else this.first = this.last = call
  }

  /// One call alone may be of any size.
  takesRoom({ observer, body }) {
    if (observer) return true
    const bytes = body ? this.bytes + body.length : this.bytes
    if (this.calls > 0 && (this.calls >= callLimit || bytes > byteLimit)) return false
    this.calls++
    this.bytes = bytes
    return true
  }
}
