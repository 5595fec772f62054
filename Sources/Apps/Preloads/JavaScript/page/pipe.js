// The page's end of the pipe to the host: a message port that the host transfers.
import { fromBase64, toBase64 } from './base64.js'

/// @typedef {{canSendBuffer: () => boolean, setupPort: () => void, listObjPath: (json: string) => string}} PageHost

/// @param {PageHost} host
/// @param {(bytes: Uint8Array) => void} take
/// @param {() => void} ended
export const pagePipe = (host, take, ended) => {
  const sendsBuffers = host.canSendBuffer()
  const post = (port, bytes) => sendsBuffers ? port.postMessage(bytes, [bytes.buffer]) : port.postMessage(toBase64(bytes))
  let port
  // What is said before the port is there.
  let waiting = []

  const receive = ({ data }) => {
    if (data instanceof ArrayBuffer) take(new Uint8Array(data))
    else if (typeof data === 'string' && data !== '') take(fromBase64(data))
    else ended()
  }
  const adopt = event => {
    if (event.ports.length !== 1) return
    if (window.onmessage === adopt) window.onmessage = null
    port = event.ports[0]
    port.onmessage = receive
    for (const bytes of waiting) post(port, bytes)
    waiting = []
  }
  window.onmessage = adopt
  host.setupPort()

  return { send: bytes => { port ? post(port, bytes) : waiting.push(bytes) } }
}
