// Function calls over a named port: a request with an id, and a reply with the same id, in any order.
import { decode, encode } from '../wire/codec.js'
import { describe, errorFrom } from './exceptions.js'

const lastId = 0x3fffffff
const none = new Uint8Array(0)

/// A function of the host, by the port that carries its calls.
/// @param {import('./ports.js').Port} port
/// @returns {(args?: Uint8Array, started?: (id: number) => void) => Promise<Uint8Array>}
export const hostFunction = port => {
  const calls = new Map()
  let id = 0
  port.onMessage(bytes => {
    const { id, res, err } = decode('fn_calls.ReplyWithinCall', bytes)
    const call = calls.get(id)
    // A late answer to nobody, of a timer that was cleared for example.
    if (!call) return
    calls.delete(id)
    if (err) call.reject(errorFrom(err))
    else call.resolve(res)
  })
  const next = () => {
    do id = id + 1 < lastId ? id + 1 : 1
    while (calls.has(id))
    return id
  }
  return (args = none, started) => new Promise((resolve, reject) => {
    const id = next()
    calls.set(id, { resolve, reject })
    try {
      port.send(encode('fn_calls.RequestWithinCallIntoAndroid', { id, args }))
      started?.(id)
    } catch (error) {
      calls.delete(id)
      reject(error)
    }
  })
}

/// Functions of ours that the host may call over a port. The map may change at any time.
/// @param {import('./ports.js').Port} port
/// @param {Map<string, (args: Uint8Array) => Promise<Uint8Array|undefined>|Uint8Array|undefined>} functions
export const serveHost = (port, functions) => {
  const reply = (id, res, err) => port.send(encode('fn_calls.ReplyWithinCall', { id, res, err }))
  port.onMessage(async bytes => {
    const { id, fnName, args } = decode('fn_calls.RequestWithinCallIntoJS', bytes)
    const function_ = functions.get(fnName)
    if (!function_) return reply(id, none, `function ${fnName} is not exposed`)
    try {
      reply(id, await function_(args) ?? none, '')
    } catch (error) {
      reply(id, none, stated(error))
    }
  })
}

/// An error as text that is not empty.
const stated = error => describe(error) || 'failed without saying why'
