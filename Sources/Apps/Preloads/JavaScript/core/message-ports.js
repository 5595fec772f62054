// Named ports in the form in which a core that brings its own wiring asks for them.

/// Made on `android.getNamedPort(name)`: takes and gives buffers.
class NamedPort {
  #port
  #take = null

  constructor(port) { this.#port = port }

  get onmessage() { return this.#take }
  set onmessage(take) {
    this.#take = take
    this.#port.onMessage(bytes => take?.({ data: bytes.slice().buffer }))
  }

  postMessage(buffer) { this.#port.send(new Uint8Array(buffer)) }
  close() { this.#port.close() }
}

/// @returns `{getNamedPort, hasOpened}`
export const namedPorts = ports => {
  const opened = new Set()
  return {
    getNamedPort: async name => (opened.add(name), new NamedPort(ports.open(name))),
    hasOpened: name => opened.has(name),
  }
}
