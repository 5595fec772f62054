// Native functions as functions of JavaScript: arguments and results of each are messages.
import { hostFunction } from '../ports/calls.js'
import { decode, encode } from '../wire/codec.js'

/// @typedef {(name: string, args?: Array, reply?: Array) => (args?: object) => Promise<any>} Native

/// @param {import('../ports/ports.js').Ports} ports
/// @returns {Native} what makes the function of a port. `args` and `reply` are schemas: without them there are no
///   arguments, and the result is the reply's bytes. The port is opened by the first call.
export const nativeFunctions = ports => (name, args, reply) => {
  let call
  return async values => {
    call ??= hostFunction(ports.open(name))
    const bytes = await call(args && encode(args, values))
    return reply ? decode(reply, bytes) : bytes
  }
}
