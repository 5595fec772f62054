// The scripts of pages, in a window that the test makes: ours over ours, and each with a foreign other side.
import { decode, encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { fromBase64, toBase64 } from '../../../../Sources/Apps/Preloads/JavaScript/page/base64.js'
import { packEnvelope, unpackEnvelope } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/envelope.js'
import { packValues, unpackValues } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/values.js'
import { utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'
import { bytes, equal, offer, settle, thrown, truly } from './kit/expect.js'

const evaluate = globalThis.eval

/// Two ends of a channel; what one posts comes to the other later.
class Channel {
  constructor() {
    const end = () => ({ onmessage: null, post: null, postMessage(data) { this.post(data) } })
    const [one, two] = [end(), end()]
    const join = (from, to) => { from.post = data => Promise.resolve().then(() => to.onmessage?.({ data })) }
    join(one, two)
    join(two, one)
    this.port1 = one
    this.port2 = two
  }
}

class Socket {
  static OPEN = 1
  static CONNECTING = 0
  static last
  readyState = 0
  sent = []
  constructor(url) { this.url = String(url), Socket.last = this }
  send(bytes) { this.sent.push(bytes.slice()) }
  open() { this.readyState = 1, this.onopen() }
  close() { this.readyState = 3, this.onclose() }
}

const windowNames = ['window', 'location', 'MessageChannel', 'MessageEvent', 'WebSocket', 'webkit', '_w3n_host_', 'w3n', '_ipc_', 'onmessage']

/// A window with these globals while `body` runs.
const inWindow = async (globals, body) => {
  const all = {
    window: globalThis, location: { href: 'http://127.0.0.1:8080/index.html' }, MessageChannel: Channel, WebSocket: Socket,
    MessageEvent: class { constructor(type, { data, ports }) { this.data = data, this.ports = ports } },
    dispatchEvent: event => globalThis.onmessage?.(event), onmessage: null, ...globals,
  }
  const before = Object.keys(all).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  for (const name of Object.keys(all)) {
    Object.defineProperty(globalThis, name, { value: all[name], writable: true, configurable: true, enumerable: true })
  }
  try {
    await body()
  } finally {
    for (const name of windowNames) delete globalThis[name]
    for (const [name, property] of before) if (property) Object.defineProperty(globalThis, name, property)
  }
}

const listing = { w3n: ['log', 'storage'], 'w3n/storage': ['getAppLocalFS'] }
const json = (...values) => packValues(values, () => undefined)

offer({
  async 'a page over its socket'() {
    await inWindow({ _w3n_host_: { listing, socket: '/ipc' } }, async () => {
      evaluate(preloads.shim)
      truly(!('_w3n_host_' in globalThis))
      evaluate(preloads.setup)
      equal(_ipc_, undefined)
      equal([Object.keys(w3n), Object.keys(w3n.storage)], [['log', 'storage'], ['getAppLocalFS']])
      const reply = w3n.log('info', 'early')
      await settle()
      const socket = Socket.last
      equal([socket.url, socket.binaryType, socket.sent.length], ['ws://127.0.0.1:8080/ipc', 'arraybuffer', 0])
      socket.open()
      const { number, path, body } = unpackEnvelope(socket.sent[0])
      equal([path, unpackValues(body)], [['w3n', 'log'], ['info', 'early']])
      socket.onmessage({ data: packEnvelope('end', number).buffer })
      equal(await reply, undefined)
      const folder = w3n.storage.getAppLocalFS()
      await settle()
      const fs = encode('fs.FS', { type: 'local', name: 'n', impl: { objType: 'FSImpl', path: ['1'] } })
      socket.onmessage({ data: packEnvelope('end', unpackEnvelope(socket.sent[1]).number, undefined, fs).buffer })
      equal((await folder).type, 'local')
      const late = thrown(w3n.log('info', 'late'))
      await settle()
      socket.close()
      equal((await late).stopFromOtherSide, true)
      equal((await thrown(w3n.log('info', 'after'))).ipcNotConnected, true)
    })
  },
  async 'a page that says too much before its socket is there'() {
    await inWindow({ _w3n_host_: { listing } }, async () => {
      evaluate(preloads.shim)
      evaluate(preloads.setup)
      const large = 'x'.repeat(9 << 20)
      const failures = [w3n.log('info', large), w3n.log('info', large)].map(call => thrown(call))
      await settle()
      equal((await Promise.all(failures)).map(({ stopFromOtherSide }) => stopFromOtherSide), [true, true])
      equal(Socket.last.url, 'ws://127.0.0.1:8080/w3n-ipc')
    })
  },
  async 'a page over the handler of a web view'() {
    const posted = []
    await inWindow({ _w3n_host_: { listing }, webkit: { messageHandlers: { w3n: { postMessage: text => posted.push(text) } } } }, async () => {
      evaluate(preloads.shim)
      evaluate(preloads.setup)
      const reply = w3n.log('info', 'é')
      await settle()
      const { number, body } = unpackEnvelope(fromBase64(posted[0]))
      equal(unpackValues(body), ['info', 'é'])
      _w3n_deliver_(toBase64(packEnvelope('end', number)))
      equal(await reply, undefined)
      const late = thrown(w3n.log('info', 'late'))
      await settle()
      _w3n_deliver_()
      equal((await late).stopFromOtherSide, true)
    })
  },
  async 'our setup over a foreign host, with buffers and with text'() {
    for (const sendsBuffers of [true, false]) {
      const asked = []
      const { port1, port2 } = new Channel()
      const received = []
      port1.onmessage = ({ data }) => received.push(data)
      const _ipc_ = {
        canSendBuffer: () => sendsBuffers,
        setupPort: () => { asked.push('setupPort') },
        listObjPath: text => (asked.push(text), JSON.stringify(listing[JSON.parse(text).join('/')] ?? [])),
      }
      await inWindow({ _ipc_ }, async () => {
        evaluate(preloads.setup)
        equal(asked, ['setupPort', '["w3n"]', '["w3n","storage"]'])
        const reply = w3n.log('info', 'x')
        onmessage({ data: 'of somebody else', ports: [] })
        onmessage({ data: '', ports: [port2] })
        equal(onmessage, null)
        await settle()
        const sent = sendsBuffers ? received[0] : fromBase64(received[0])
        truly(sent instanceof Uint8Array)
        const answer = packEnvelope('end', unpackEnvelope(sent).number)
        port1.postMessage(sendsBuffers ? answer.buffer : toBase64(answer))
        equal(await reply, undefined)
      })
    }
  },
  async 'a foreign setup over our shim'() {
    await inWindow({ _w3n_host_: { listing } }, async () => {
      evaluate(preloads.shim)
      const ipc = _ipc_
      _ipc_ = undefined
      equal([ipc.canSendBuffer(), ipc.listObjPath('["w3n"]'), ipc.listObjPath('["w3n","none"]'), ipc.listObjPath('["constructor"]')],
        [true, '["log","storage"]', '[]', '[]'])
      let port
      const received = []
      ipc.setupPort()
      onmessage = ({ ports }) => {
        [port] = ports
        port.onmessage = ({ data }) => received.push(data)
      }
      await settle()
      Socket.last.open()
      port.postMessage(bytes('0102'))
      await settle()
      equal(Socket.last.sent, [bytes('0102')])
      Socket.last.onmessage({ data: bytes('03').buffer })
      await settle()
      truly(received[0] instanceof ArrayBuffer)
      Socket.last.close()
      await settle()
      equal(received[1], null)
    })
  },
  async 'the page where people sign in'() {
    await inWindow({ _w3n_host_: { listing: { w3n: ['signIn', 'enableAutoLogin'], 'w3n/signIn': ['useExistingStorage', 'watchBoot'] } } }, async () => {
      evaluate(preloads.shim)
      evaluate(preloads.startup)
      equal([Object.keys(w3n), Object.keys(w3n.signIn)], [['signIn', 'enableAutoLogin', 'log'], ['useExistingStorage', 'watchBoot']])
      const percents = []
      const isRight = w3n.signIn.useExistingStorage('a@b', 'pass', percent => percents.push(percent))
      await settle()
      const socket = Socket.last
      socket.open()
      const { number } = unpackEnvelope(socket.sent[0])
      const say = (type, value) => socket.onmessage({ data: packEnvelope(type, number, undefined, value && json(value)).buffer })
      say('interim', { p: 50 })
      say('interim', { p: 100, decrResult: true })
      say('end')
      equal([await isRight, percents], [true, [50, 100]])
    })
  },
  'base64 of every length'() {
    for (const length of [0, 1, 2, 3, 8189, 8190, 8191, 20000]) {
      const random = Uint8Array.from({ length }, (_, index) => index * 7 & 255)
      equal(fromBase64(toBase64(random)), random)
    }
    equal(toBase64(utf8('fo')), 'Zm8=')
    equal(decode('common.BytesValue', fromBase64('CgEJ')).value, bytes('09'))
  },
})
