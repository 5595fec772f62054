// The family of `setTimeout`, over timers that the engine has or that are made of the host's `delay`.

const longest = 0x7fffffff

const milliseconds = value => {
  const number = Math.trunc(Number(value))
  return number > 0 ? Math.min(number, longest) : 0
}

const function_ = handler => {
  if (typeof handler !== 'function') throw new TypeError('The handler of a timer is not a function')
  return handler
}

/// After so many turns of immediates the engine gets one for everything else.
const immediateTurns = 100

/// `setImmediate`: mostly reactions of a promise, which cost next to nothing, but never for ever.
const immediates = setTimeout => {
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

/// The globals that `makeTimers` makes.
export const timerNames =
  ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'setImmediate', 'clearImmediate']

/// @param {{setTimeout: Function, setInterval: Function, clearTimeout: Function}} timers
///   take handlers and times that were checked
export const makeTimers = timers => {
  const clear = id => { timers.clearTimeout(id) }
  const setTimeout = (handler, time, ...args) => timers.setTimeout(function_(handler), milliseconds(time), ...args)
  const setInterval = (handler, time, ...args) => {
    function_(handler)
    const id = timers.setInterval(() => {
      try {
        handler(...args)
      } catch (error) {
        clear(id)
        throw error
      }
    }, Math.max(1, milliseconds(time)))
    return id
  }
  return { setTimeout, setInterval, clearTimeout: clear, clearInterval: id => clear(id), ...immediates(setTimeout) }
}
