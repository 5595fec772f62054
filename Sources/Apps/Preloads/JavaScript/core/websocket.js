// Web sockets: `ws_open`, a port for the texts of each, and one beside it that tells of the connection.
import { exception } from '../ports/exceptions.js'
import { readUTF8, utf8 } from '../wire/utf8.js'
import { connectException } from './http.js'

/// Hands what happens to all who watch, and to those who come later how it ended.
class Watched {
  #observers = new Set()
  #end

  watch(observer) {
    if (this.#end) this.#end(observer)
    else this.#observers.add(observer)
    return () => { this.#observers.delete(observer) }
  }

  next(value) { for (const observer of [...this.#observers]) observer.next?.(value) }
  complete() { this.#finish(observer => observer.complete?.()) }
  error(error) { this.#finish(observer => observer.error?.(error)) }

  #finish(tell) {
    if (this.#end) return
    this.#end = tell
    for (const observer of [...this.#observers]) tell(observer)
    this.#observers.clear()
  }
}

const normalClosure = 1000

const socket = (ports, id, url) => {
  const texts = ports.open(`ws_#${id}`)
  const control = ports.open(`ws_#${id}/control`)
  const messages = new Watched()
  const status = new Watched()
  let isOpen = true

  const ended = ({ code, error }) => {
    isOpen = false
    texts.close()
    control.close()
    const cause = error ?? `closed with code ${code}`
    const failure = exception('websocket', { url, socketClosed: true, code, cause })
    status.next({ type: 'disconnected', url, code, socketClosed: true, ...error && { error: failure } })
    status.complete()
    if (code === normalClosure) messages.complete()
    else messages.error(failure)
  }
  texts.onMessage(bytes => messages.next(readUTF8(bytes)))
  control.onMessage(bytes => {
    const event = JSON.parse(readUTF8(bytes))
    if (event.type === 'disconnected') ended(event)
    else status.next({ ...event, url })
  })

  return {
    send(text) {
      if (!isOpen) throw exception('websocket', { url, socketClosed: true })
      texts.send(utf8(text))
    },
    close(code = normalClosure, reason = '') {
      if (isOpen) control.send(utf8(JSON.stringify({ type: 'close', code, reason })))
    },
    watch: observer => messages.watch(observer),
    watchStatus(observer) {
      // Whoever watches hears first how things stand.
      if (isOpen) Promise.resolve().then(() => observer.next?.({ type: 'connected', url }))
      return status.watch(observer)
    },
  }
}

/// @returns opens a socket: `{status: 200, socket}`, or the status with which the server refused
export const openWebSocket = (native, ports) => {
  const open = native('ws_open', 'request_op.OpenWSArgs', 'request_op.WSOpeningReply')
  return async (url, sessionId) => {
    const { status, socketId } = await open({ url, sessionId })
      .catch(error => { throw connectException('http', error, { url, method: 'GET' }) })
    return status === 200 ? { status, socket: socket(ports, socketId, url) } : { status }
  }
}
