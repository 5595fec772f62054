// HTTP requests over the port `http_request`.
import { exception, isException } from '../ports/exceptions.js'
import { readUTF8, utf8 } from '../wire/utf8.js'

const none = new Uint8Array(0)
const contentTypes = { json: 'application/json', bytes: 'application/octet-stream', text: 'text/plain' }

/// A body as bytes, and what it is unless the caller says so.
const packed = body => {
  if (body === undefined) return [none]
  if (typeof body === 'string') return [utf8(body), contentTypes.text]
  if (body instanceof Uint8Array) return [body, contentTypes.bytes]
  return [utf8(JSON.stringify(body)), contentTypes.json]
}

/// What the reply's body is for the caller: JSON that does not parse is nothing.
const unpacked = (bytes, type) => {
  if (type === 'arraybuffer') return bytes
  const text = () => readUTF8(bytes)
  if (type === 'text') return text()
  if (type !== 'json') return undefined
  try {
    return JSON.parse(text())
  } catch {
    return undefined
  }
}

/// A request that did not reach its server, as cores recognise it.
export const connectException = (connectType, error, more) =>
  isException(error) ? { ...more, ...error } : exception('connect', { connectType, message: error?.message, ...more })

/// @param {import('./native.js').Native} native
export const httpRequest = native => {
  const send = native('http_request', 'request_op.RequestArgs', 'request_op.Reply')
  return async ({ method, url, responseType, sessionId, requestHeaders = {}, responseHeaders = [], contentType, body, timeout,
    timeoutRetries }) => {
    const [bytes, type] = packed(body)
    const reply = await send({
      method, url, responseType, sessionId, responseHeaders, timeout, timeoutRetries,
      requestHeaders: Object.keys(requestHeaders).map(name => ({ name, value: String(requestHeaders[name]) })),
      contentType: contentType ?? type, body: bytes,
    }).catch(error => { throw connectException('http', error, { url, method }) })
    return {
      status: reply.status, url, method, data: unpacked(reply.body ?? none, responseType),
      headers: new Map(reply.responseHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
    }
  }
}
