// One end of an object IPC connection: both roles over one pipe that keeps whole messages in order.
import { Caller } from './caller.js'
import { packEnvelope, unpackEnvelope } from './envelope.js'
import { ipcException, packError } from './errors.js'
import { Service } from './service.js'

export class ObjectConnection {
  #pipe
  #caller
  #service
  #isOpen = true

  /// @param {{send: (bytes: Uint8Array) => void, close?: () => void}} pipe
  /// @param {object} [root] what this end offers as `w3n`
  constructor(pipe, root) {
    this.#pipe = pipe
    const send = (type, number, path, body) => {
      if (this.#isOpen) pipe.send(packEnvelope(type, number, path, body))
    }
    this.#caller = new Caller(send)
    this.#service = new Service(send, root)
  }

  call(path, body, owner, read) { return this.#caller.call(path, body, owner, read) }
  observe(path, body, observer, owner) { return this.#caller.observe(path, body, observer, owner) }
  hold(reference, proxy) { this.#caller.hold(reference, proxy) }
  expose(objType, object) { return this.#service.expose(objType, object) }
  find(reference) { return this.#service.find(reference) }

  /// Takes a message of the other end. One that makes no sense ends the connection.
  receive(bytes) {
    if (!this.#isOpen) return
    try {
      this.#process(unpackEnvelope(bytes))
    } catch (error) {
      this.#end('connectorStop')
      throw error
    }
  }

  #process({ type, number, path, body }) {
    if (number === undefined) {
      if (type !== 'drop') throw new TypeError('a message of the connection has no call number')
      return this.#service.drop(path)
    }
    switch (type) {
      case 'start': return this.#service.start(number, path, body)
      case 'cancel': return this.#service.cancel(number)
      case 'list-obj': return this.#service.list(number, path)
      case 'interim': return this.#caller.interim(number, body)
      case 'end': return this.#caller.end(number, body)
      case 'error': return this.#caller.error(number, body)
      default: this.#pipe.send(packEnvelope('error', number, undefined, packError(ipcException('invalidType'))))
    }
  }

  /// Ends the connection from this side.
  close() { this.#end('connectorStop') }

  /// Ends it because the other side did.
  closedByOtherSide() { this.#end('stopFromOtherSide') }

  #end(reason) {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#service.close()
    this.#caller.close(reason)
    this.#pipe.close?.()
  }
}
