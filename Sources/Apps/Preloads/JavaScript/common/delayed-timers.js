// Timers over the host's function `delay`, for engines that have none.
//
// The two messages that it takes are written here by hand: a codec would be most of the script that goes ahead of all others.
import { putVarint, varintLength } from '../wire/varint.js'

const ID = 0x08
const ARGS = 0x12
const lastId = 0x3fffffff

/// `{id, args: {millis}}`
const request = (id, millis) => {
  const length = 1 + varintLength(millis)
  const bytes = new Uint8Array(1 + varintLength(id) + 2 + length)
  bytes[0] = ID
  let position = putVarint(id, bytes, 1)
  bytes[position++] = ARGS
  bytes[position++] = length
  bytes[position++] = ID
  putVarint(millis, bytes, position)
  return bytes
}

/// The id, which comes first in a reply.
const idOf = bytes => {
  let id = 0
  for (let index = 1, shift = 0; index < 6; index++, shift += 7) {
    id |= (bytes[index] & 0x7f) << shift
    if (bytes[index] < 0x80) break
  }
  return id
}

/// @param {import('../ports/ports.js').Ports} ports
export const delayedTimers = ports => {
  const actions = new Map()
  const port = ports.open('delay')
  let calls = 0
  let last = 0
  // The host's delay cannot be called back: nobody waits for the late answer to a timer that was cleared.
  const timerOfCall = new Map()
  port.onMessage(bytes => {
    const call = idOf(bytes)
    const id = timerOfCall.get(call)
    timerOfCall.delete(call)
    actions.get(id)?.()
  })
  const wait = (id, time) => {
    calls = calls + 1 < lastId ? calls + 1 : 1
    timerOfCall.set(calls, id)
    port.send(request(calls, time))
  }
  const clear = id => { actions.delete(id) }
  const set = (time, action) => {
    const id = ++last
    actions.set(id, action(id))
    wait(id, time)
    return id
  }
  return {
    setTimeout: (handler, time, ...args) => set(time, id => () => {
      clear(id)
      handler(...args)
    }),
    setInterval: (handler, time) => set(time, id => () => {
      handler()
      if (actions.has(id)) wait(id, time)
    }),
    clearTimeout: clear,
  }
}
