// Preloads in the context of a test, with the host's end of the ports in JavaScript.
//
// The test's host puts the texts of the preloads into `preloads`.
import { decode, encode } from '../../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { ObjectConnection } from '../../../../../Sources/Apps/Preloads/JavaScript/ipc/connection.js'

const evaluate = globalThis.eval

/// The host's ends of all ports: `serve` gives a port its function.
export const makeHost = () => {
  const served = new Map()
  let deliver
  const host = {
    sent: [],
    /// `native.send` of every message; a port that nobody serves keeps it in `sent`.
    native: {
      send(port, bytes) {
        const copy = bytes.slice()
        const take = served.get(port)
        if (take) Promise.resolve().then(() => take(copy))
        else host.sent.push([port, copy])
      },
      onMessage(take) { deliver = take },
    },
    deliver: (port, bytes) => deliver(port, bytes.slice()),
    listen: (port, take) => { served.set(port, take) },
    /// A native function, as bytes to bytes; what it throws becomes the error's text.
    serve(port, answer) {
      served.set(port, async bytes => {
        const { id, args } = decode('fn_calls.RequestWithinCallIntoAndroid', bytes)
        const reply = { id, res: new Uint8Array(0) }
        try {
          reply.res = await answer(args, id) ?? reply.res
        } catch (error) {
          reply.err = typeof error === 'string' ? error : JSON.stringify(error)
        }
        deliver(port, encode('fn_calls.ReplyWithinCall', reply))
      })
    },
  }
  return host
}

const start = (host, names) => {
  globalThis._ports_ = host.native
  for (const name of names) evaluate(globalThis.preloads[name])
  return host
}

export const startCommon = host => start(host, ['common'])
export const startCore = host => start(host, ['common', 'core'])

/// A component with the core's side of its connection, which offers `root`.
export const startApp = (root, capabilities) => {
  const host = makeHost()
  host.native.capabilities = capabilities
  host.core = new ObjectConnection({ send: bytes => Promise.resolve().then(() => host.deliver('core-ipc', bytes)) }, root)
  host.listen('core-ipc', bytes => host.core.receive(bytes))
  return start(host, ['common', 'app'])
}
