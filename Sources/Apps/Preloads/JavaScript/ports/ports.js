// Named ports: pipes of whole binary messages to the host, over the one handle that the engine's native side gives us.

/// How much may wait for ports that nobody has opened yet.
const waitingMessages = 1000
const waitingBytes = 16 << 20

/// @typedef {{send: (port: string, bytes: Uint8Array) => void,
///   onMessage: (take: (port: string, bytes: Uint8Array) => void) => void,
///   now?: () => number, random?: (count: number) => Uint8Array, capabilities?: Object<string, string[]>}} NativePorts
/// @typedef {{send: (bytes: Uint8Array) => void, onMessage: (take: (bytes: Uint8Array) => void) => void, close: () => void}} Port

export class Ports {
  #send
  #open = new Map()
  #waiting = new Map()
  #count = 0
  #size = 0

  /// @param {NativePorts} native
  constructor(native) {
    this.#send = native.send
    native.onMessage((port, bytes) => this.#receive(port, bytes))
  }

  /// Opens the port of a name. It gets what came for it before, as soon as it listens.
  /// @param {string} name
  /// @returns {Port}
  open(name) {
    const send = this.#send
    return {
      send: bytes => send(name, bytes),
      onMessage: take => this.#listen(name, take),
      close: () => { this.#open.delete(name) },
    }
  }

  #listen(name, take) {
    this.#open.set(name, take)
    const waiting = this.#waiting.get(name)
    if (!waiting) return
    this.#waiting.delete(name)
    for (const bytes of waiting) {
      this.#count -= 1
      this.#size -= bytes.length
      take(bytes)
    }
  }

  #receive(name, bytes) {
    const take = this.#open.get(name)
    if (take) return take(bytes)
    if (this.#count >= waitingMessages || this.#size + bytes.length > waitingBytes) {
      throw new RangeError(`too much waits for ports that are not open, such as ${name}`)
    }
    this.#count += 1
    this.#size += bytes.length
    const waiting = this.#waiting.get(name)
    if (waiting) waiting.push(bytes)
    else this.#waiting.set(name, [bytes])
  }
}
