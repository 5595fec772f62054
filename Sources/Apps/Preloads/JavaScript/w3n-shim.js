// Ahead of all scripts of a page: `_ipc_`, as the setup script expects it of its host.
//
// The host says before it, at `_w3n_host_`, what is granted and where its socket is: `{listing: {'w3n': ['log']}, socket}`.
import { takeGlobal } from './common/define.js'
import { openTransport } from './page/transport.js'

const { listing = {}, socket = '/w3n-ipc' } = takeGlobal('_w3n_host_') ?? {}

/// A web message port for the page, whose other end we keep.
const setupPort = () => {
  const { port1, port2 } = new MessageChannel()
  const ended = () => {
    port1.postMessage(null)
    // The window around the app says so.
    if (window.parent && window.parent !== window) window.parent.postMessage('w3n-ended', '*')
  }
  const transport = openTransport(socket, bytes => port1.postMessage(bytes.buffer, [bytes.buffer]), ended)
  port1.onmessage = ({ data }) => transport.send(data instanceof ArrayBuffer ? new Uint8Array(data) : data)
  // The setup script may ask for the port before it listens.
  Promise.resolve().then(() => window.dispatchEvent(new MessageEvent('message', { data: '', ports: [port2] })))
}

window._ipc_ = {
  canSendBuffer: () => true,
  setupPort,
  listObjPath(json) {
    const key = JSON.parse(json).join('/')
    return JSON.stringify(Object.hasOwn(listing, key) ? listing[key] : [])
  },
}
