// How messages go between a page and its host: through the web view's handler where there is one, else a web socket to the
// page's own origin.
import { define } from '../common/define.js'
import { fromBase64, toBase64 } from './base64.js'

const waitingBytes = 16 << 20

/// @typedef {{send: (bytes: Uint8Array) => void}} Transport

/// The web view calls `_w3n_deliver_` with text, and with nothing at the end.
const viaMessageHandler = (handler, take, ended) => {
  define({ _w3n_deliver_: text => text ? take(fromBase64(text)) : ended() })
  return { send: bytes => handler.postMessage(toBase64(bytes)) }
}

const viaSocket = (path, take, ended) => {
  const url = new URL(path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  let waiting = []
  let size = 0
  socket.onopen = () => {
    for (const bytes of waiting) socket.send(bytes)
    waiting = []
  }
  socket.onmessage = ({ data }) => { if (data instanceof ArrayBuffer) take(new Uint8Array(data)) }
  socket.onclose = () => {
    waiting = []
    ended()
  }
  return {
    send(bytes) {
      if (socket.readyState === WebSocket.OPEN) return socket.send(bytes)
      if (socket.readyState !== WebSocket.CONNECTING) return
      size += bytes.length
      if (size > waitingBytes) return socket.close()
      waiting.push(bytes)
    },
  }
}

/// @returns {Transport}
export const openTransport = (socketPath, take, ended) => {
  const handler = globalThis.webkit?.messageHandlers?.w3n
  return handler ? viaMessageHandler(handler, take, ended) : viaSocket(socketPath, take, ended)
}
