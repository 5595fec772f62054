// A small `fetch` over `w3n.http.request`: an extension of ours for components that have no page around them.
import { bytesOf } from './typed.js'

/// Names are the same in whatever case.
class Headers extends Map {
  get(name) { return super.get(String(name).toLowerCase()) ?? null }
  has(name) { return super.has(String(name).toLowerCase()) }
}

class Response {
  #body
  #isUsed = false

  constructor({ status, headers, body, url }) {
    this.status = status
    this.ok = status >= 200 && status < 300
    this.url = url
    this.headers = new Headers(Object.keys(headers ?? {}).map(name => [name.toLowerCase(), headers[name]]))
    this.#body = body ?? new Uint8Array(0)
  }

  get bodyUsed() { return this.#isUsed }

  async bytes() {
    if (this.#isUsed) throw new TypeError('the body was read already')
    this.#isUsed = true
    return this.#body
  }

  async arrayBuffer() {
    const bytes = await this.bytes()
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  }

  /// What is no UTF-8 becomes U+FFFD.
  async text() { return new TextDecoder().decode(await this.bytes()) }
  async json() { return JSON.parse(await this.text()) }
}

/// @param {(request: object) => Promise<object>} request
export const makeFetch = request => async (resource, { method = 'GET', headers = {}, body, timeout } = {}) => {
  const list = typeof headers.entries === 'function' ? Object.fromEntries(headers.entries()) : headers
  const sent = body === undefined || body === null ? undefined : typeof body === 'string' ? body : bytesOf(body)
  return new Response(await request({ method, url: String(resource), headers: list, body: sent, timeout }))
}
