// The family of `setTimeout`: the engine's own timers where it has them, else timers made of the host's `delay`.
import { delay_op_MillisArgs } from 'messages'
import { hostFunction } from '../ports/calls.js'
import { encode } from '../wire/codec.js'

const longest = 0x7fffffff
const milliseconds = value => {
  const number = Math.trunc(Number(value))
  return number > 0 ? Math.min(number, longest) : 0
}
const function_ = handler => {
  if (typeof handler !== 'function') throw new TypeError('The handler of a timer is not a function')
  return handler
}

/// Timers over `delay`. The host's delay cannot be called back: its late answer to a cleared timer is ignored.
const delayedTimers = ports => {
  let delay
  let lastId = 0
  const set = new Set()
  const wait = (id, time, act) => {
    delay ??= hostFunction(ports.open('delay'))
    delay(encode(delay_op_MillisArgs, { millis: time })).then(() => { if (set.has(id)) act() })
  }
  const newId = () => (set.add(++lastId), lastId)
  const clear = id => { set.delete(id) }
  return {
    setTimeout(handler, time, ...args) {
      const id = newId()
      wait(id, milliseconds(time), () => {
        clear(id)
        handler(...args)
      })
      return id
    },
    setInterval(handler, time) {
      const id = newId()
      const again = () => wait(id, time, () => {
        handler()
        again()
      })
      again()
      return id
    },
    clear,
  }
}

const enginesTimers = ({ setTimeout, setInterval, clearTimeout }) => ({ setTimeout, setInterval, clear: clearTimeout })

/// After so many turns of immediates within one turn of the engine, others get a turn.
const immediateTurns = 100

/// `setImmediate`: mostly reactions of a promise, which cost next to nothing, but never for ever.
const makeImmediates = setTimeout => {
  let waiting = new Map()
  let due = waiting
  let lastId = 0
  let turns = 0
  const run = () => {
    due = waiting
    waiting = new Map()
    for (const [id, act] of due) {
      due.delete(id)
      try {
        act()
      } catch (error) {
        Promise.reject(error)
      }
    }
  }
  const schedule = () => {
    if (++turns % immediateTurns === 0) setTimeout(run, 0)
    else Promise.resolve().then(run)
  }
  return {
    setImmediate(handler, ...args) {
      function_(handler)
      if (waiting.size === 0) schedule()
      waiting.set(++lastId, () => handler(...args))
      return lastId
    },
    clearImmediate(id) {
      waiting.delete(id)
      due.delete(id)
    },
  }
}

/// @param {import('../ports/ports.js').Ports} ports
/// @returns the functions to define, by name
export const makeTimers = (ports, engine) => {
  const timers = 'setTimeout' in engine ? enginesTimers(engine) : delayedTimers(ports)
  const setTimeout = (handler, time, ...args) => timers.setTimeout(function_(handler), milliseconds(time), ...args)
  const setInterval = (handler, time, ...args) => {
    function_(handler)
    const id = timers.setInterval(() => {
      try {
        handler(...args)
      } catch (error) {
        timers.clear(id)
        throw error
      }
    }, Math.max(1, milliseconds(time)))
    return id
  }
  const clear = id => { timers.clear(id) }
  return { setTimeout, setInterval, clearTimeout: clear, clearInterval: id => clear(id), ...makeImmediates(setTimeout) }
}
