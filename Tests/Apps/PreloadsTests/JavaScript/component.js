// Both preloads of a component, as their host evaluates them.
import { decode, encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { observable } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/service.js'
import { packValues, unpackValues } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/values.js'
import { hostFunction, serveHost } from '../../../../Sources/Apps/Preloads/JavaScript/ports/calls.js'
import { Ports } from '../../../../Sources/Apps/Preloads/JavaScript/ports/ports.js'
import { utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'
import { bytes, equal, offer, settle, thrown, truly } from './kit/expect.js'
import { makeHost, startApp, startCommon } from './kit/preload.js'

const json = (...values) => packValues(values, () => undefined)
const later = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/// Makes preloads see an engine without these globals; puts them back after `body`.
const without = async (names, body) => {
  const properties = names.map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
  for (const name of names) delete globalThis[name]
  try {
    await body()
  } finally {
    for (const [name, property] of properties) if (property) Object.defineProperty(globalThis, name, property)
  }
}

const timerTests = {
  async 'timers take functions only, and hand on arguments'() {
    for (const set of [setTimeout, setInterval, setImmediate]) {
      truly(await thrown(() => set('code')) instanceof TypeError)
      truly(Number.isInteger(await new Promise(resolve => {
        const id = set((a, b) => (clearInterval(id), resolve(a + b)), 0, 1, 2)
      })))
    }
  },
  async 'timers that are cleared do not fire'() {
    const fired = []
    clearTimeout(setTimeout(() => fired.push('timeout'), 1))
    clearInterval(setInterval(() => fired.push('interval'), 1))
    clearImmediate(setImmediate(() => fired.push('immediate')))
    const [first] = [setImmediate(() => clearImmediate(second))]
    const second = setImmediate(() => fired.push('cleared by another'))
    truly(first !== second)
    for (const nobody of [undefined, 0, 123456, 'x']) clearTimeout(nobody)
    await later(10)
    equal(fired, [])
  },
  async 'an interval goes on until it is cleared'() {
    let count = 0
    await new Promise(resolve => {
      const id = setInterval(() => {
        if (++count === 3) clearTimeout(id), resolve()
      }, 0)
    })
    await later(10)
    equal(count, 3)
  },
  async 'immediates come before timers, and others get a turn between very many'() {
    const seen = []
    setTimeout(() => seen.push('timer'), 0)
    setImmediate(() => seen.push('immediate'))
    await later(1)
    equal(seen, ['immediate', 'timer'])
    let turns = 0
    let stop = false
    const again = () => { if (!stop) turns++, setImmediate(again) }
    again()
    await later(0)
    stop = true
    truly(turns > 0)
  },
}

offer({
  async 'timers over those of the engine'() {
    await without(['setTimeout'], () => {})
    startCommon(makeHost())
    for (const test of Object.values(timerTests)) await test()
  },
  async 'timers over the delay of the host'() {
    const engines = setTimeout
    const asked = []
    await without(['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'], async () => {
      const host = makeHost()
      host.serve('delay', args => {
        const { millis } = decode('delay_op.MillisArgs', args)
        asked.push(millis)
        return new Promise(resolve => millis < 1000 && engines(resolve, millis))
      })
      startCommon(host)
      for (const test of Object.values(timerTests)) await test()
      setTimeout(() => {}, 1e12)
      setTimeout(() => {}, -5)
      setTimeout(() => {}, 300)
      await settle()
      equal(asked.slice(-3), [0x7fffffff, 0, 300])
    })
  },
  async 'globals that the engine lacks'() {
    await without(['queueMicrotask', 'performance', 'crypto', 'self'], async () => {
      const host = makeHost()
      let time = 1000
      host.native.now = () => time
      host.native.random = count => new Uint8Array(count).fill(7)
      startCommon(host)
      truly(self === globalThis)
      await new Promise(resolve => queueMicrotask(resolve))
      equal([performance.timeOrigin, performance.now()], [1000, 0])
      time = 1500
      equal(performance.now(), 500)
      equal(crypto.getRandomValues(new Uint16Array(2)), new Uint16Array([0x0707, 0x0707]))
      equal(crypto.randomUUID(), '07070707-0707-4707-8707-070707070707')
      truly(await thrown(() => crypto.getRandomValues(new Uint8Array(65537))) instanceof RangeError)
    })
  },
  'the console prints errors and objects as text'() {
    const lines = []
    const console_ = Object.getOwnPropertyDescriptor(globalThis, 'console')
    Object.defineProperty(globalThis, 'console',
      { value: { log: (...values) => lines.push(values), error: (...values) => lines.push(values) }, configurable: true })
    startCommon(makeHost())
    console.log('a', 1, { b: [2] }, null, undefined)
    console.error(new Error('no', { cause: new TypeError('inner') }))
    const circular = {}
    circular.self = circular
    console.log(circular)
    Object.defineProperty(globalThis, 'console', console_)
    equal(lines[0], ['a', 1, '{"b":[2]}', null, undefined])
    truly(lines[1][0].includes('Error: no') && lines[1][0].includes('Caused by TypeError: inner'))
    equal(lines[2], ['[object Object]'])
  },
  async 'w3n over a listing that was handed over'() {
    const host = startApp({ log: body => { said.push(unpackValues(body)) } }, { w3n: ['log'] })
    const said = []
    equal(await _awaitPreloadInit(), undefined)
    await w3n.log('info', 'hello')
    equal(said, [['info', 'hello']])
    equal(host.sent, [])
    equal([typeof Deno, typeof ipc, Object.keys(w3n)], ['object', 'undefined', ['log']])
  },
  async 'w3n over a listing that is asked for'() {
    const listing = { w3n: ['ui', 'storage', 'other'], 'w3n/ui': ['uiFormFactor'], 'w3n/storage': ['getSysFS'] }
    const asked = []
    const host = makeHost()
    host.serve('ipc_listCoreObjPath', args => {
      const path = decode('init.ObjPathArgs', args).objPath.join('/')
      asked.push(path)
      return encode('fn_calls.StringArrayValue', { values: listing[path] ?? [] })
    })
    startCommon(host)
    globalThis.eval(preloads.app)
    await _awaitPreloadInit()
    equal(asked, ['w3n', 'w3n/ui', 'w3n/storage'])
    equal([Object.keys(w3n), Object.keys(w3n.storage)], [['ui', 'storage', 'log'], ['getSysFS']])
  },
  'nothing of the host is left for the component'() {
    startApp({}, { w3n: [] })
    const left = Object.getOwnPropertyNames(globalThis).filter(name => /ports|preload|^_/i.test(name))
    equal(left, ['preloads', '_awaitPreloadInit'])
    equal(Object.keys(w3n), ['log'])
  },
  async 'observables and objects of the host'() {
    let observer
    let dropped = 0
    const link = () => encode('fs.SymLinkTargetReplyBody', { file: { name: 'target', impl: host.core.expose('FileImpl', { readTxt: () => utf8('t') }) } })
    const fs = {
      watchFolder: observable((body, given) => (observer = given, () => { dropped++ })),
      readLink: () => encode('fs.SymLink', { readonly: true, isFile: { value: true }, impl: host.core.expose('SymLinkImpl', link) }),
      select: observable((body, observer) => {
        equal(decode('fs.SelectRequestBody', body).criteria,
          { exactName: undefined, pattern: { value: '*.txt' }, regexp: undefined, depth: { value: 2 }, type: ['file'], action: 'include' })
        observer.next(encode('common.ObjectReference', host.core.expose('FSCollection', { entries })))
        Promise.resolve().then(() => observer.complete())
      }),
    }
    const names = ['a', 'b']
    const next = () => encode('fs.IterResMsg', names.length > 0
      ? { value: { name: names.shift(), item: { isFolder: { value: true }, item: { fs: fsMessage } } } } : { done: { value: true } })
    const entries = () => encode('common.ObjectReference', host.core.expose('FSItemsIter', { next }))
    const host = startApp({ storage: { getAppLocalFS: () => encode('fs.FS', fsMessage) } },
      { w3n: ['storage'], 'w3n/storage': ['getAppLocalFS'] })
    const fsMessage = { type: 'local', name: 'n', writable: false, impl: host.core.expose('FSImpl', fs) }

    const folder = await w3n.storage.getAppLocalFS()
    equal([folder.versioned, folder.writable, folder.v, folder.writeTxtFile], [false, false, undefined, undefined])
    const seen = []
    const stop = folder.watchFolder('', { next: event => seen.push(event) })
    await settle()
    observer.next(encode('common.StringValue', { value: '{"type":"entry-addition","path":""}' }))
    await settle()
    stop()
    await settle()
    equal([seen, dropped], [[{ type: 'entry-addition', path: '' }], 1])

    const target = await (await folder.readLink('l')).target()
    equal([target.name, await target.readTxt()], ['target', 't'])

    const { items, completion } = await folder.select('', { name: '*.txt', depth: 2, type: 'file', action: 'include' })
    equal(await completion, undefined)
    const found = []
    for await (const [name, item] of await items.entries()) found.push([name, item.isFolder, item.item.type])
    equal(found, [['a', true, 'local'], ['b', true, 'local']])
    equal((await thrown(folder.readJSONFile('x'))).callFnNotFound, true)
  },
  async 'calls between components'() {
    const said = []
    const connection = {
      makeRequestReplyCall: body => {
        said.push(decode('rpc.CallStartRequestBody', body))
        return encode('rpc.PassedDatum', { bytes: bytes('0102'), passedObjs: [{ ref: host.core.expose('FileByteSource', {}) }] })
      },
      startObservableCall: observable((body, observer) => (observer.next(encode('rpc.PassedDatum', {})), observer.complete())),
    }
    const incoming = {
      watch: observable((body, observer) => observer.next(encode('rpc.IncomingMsg', { msgType: 'start', callNum: 5, method: 'm', data: { bytes: bytes('03') } }))),
      send: body => { said.push(decode('rpc.OutgoingMsg', body)) },
    }
    const host = startApp({ rpc: {
      thisApp: () => encode('common.ObjectReference', host.core.expose('RPCConnection', connection)),
      exposeService: observable((body, observer) => observer.next(encode('common.ObjectReference', host.core.expose('IncomingConnection', incoming)))),
    } }, { w3n: ['rpc'], 'w3n/rpc': ['thisApp', 'exposeService'] })

    const service = await appRPCOf('srv')
    const reply = await service.makeRequestReplyCall('sum', { bytes: bytes('0a') })
    equal([reply.bytes, typeof reply.passedByReference[0].readNext], [bytes('0102'), 'function'])
    const seen = []
    service.startObservableCall('o', undefined, { next: value => seen.push(value), complete: () => seen.push('end') })
    exposeService('srv', { next: connection => connection.watch({ next: message => {
      seen.push(message)
      connection.send({ callNum: message.callNum, callStatus: 'error', err: { runtimeException: true, type: 'x' } })
    } }) })
    await settle()
    equal(seen, [{}, 'end', { msgType: 'start', callNum: 5, method: 'm', data: { bytes: bytes('03') } }])
    equal([said[0].method, said[0].req.bytes], ['sum', bytes('0a')])
    equal([said[1].callStatus, said[1].err.runtimeExcJson], ['error', '{"runtimeException":true,"type":"x"}'])

    function appRPCOf(name) { return w3n.appRPC(name) }
    function exposeService(name, observer) { return w3n.exposeService(name, observer) }
  },
  async 'a small fetch where the web may be asked'() {
    let asked
    startApp({ http: { request: body => {
      [asked] = unpackValues(body)
      return json({ status: 404, headers: { 'Content-Type': 'application/json' }, body: utf8('{"a":"é"}'), url: 'https://x/' })
    } } }, { w3n: ['http'], 'w3n/http': ['request'] })
    const response = await fetch('https://x/y', { method: 'POST', headers: new Map([['A', 'b']]), body: 'text' })
    equal(asked, { method: 'POST', url: 'https://x/y', headers: { A: 'b' }, body: 'text' })
    equal([response.ok, response.status, response.url, response.headers.get('content-type')], [false, 404, 'https://x/', 'application/json'])
    equal(await response.json(), { a: 'é' })
    truly(response.bodyUsed && await thrown(response.text()) instanceof TypeError)
    startApp({}, { w3n: [] })
  },
  async 'a polluted prototype reaches nothing of others'() {
    const said = []
    startApp({ log: body => { said.push(unpackValues(body)) } }, { w3n: ['log'] })
    Object.prototype.fnCallNum = { value: 99 }
    Object.prototype.binaryInJson = [{ arr: bytes('ff'), objLocation: [] }]
    try {
      await w3n.log('info', { a: 1 })
    } finally {
      delete Object.prototype.fnCallNum
      delete Object.prototype.binaryInJson
    }
    equal(said, [['info', { a: 1 }]])
  },
  async 'function calls over a port'() {
    const host = makeHost()
    const ports = new Ports(host.native)
    const call = hostFunction(ports.open('f'))
    const first = call(bytes('01'))
    const second = call()
    const third = thrown(call())
    const ids = host.sent.map(([, message]) => decode('fn_calls.RequestWithinCallIntoAndroid', message).id)
    equal(ids, [1, 2, 3])
    const reply = (id, res, err) => host.deliver('f', encode('fn_calls.ReplyWithinCall', { id, res, err }))
    reply(2, bytes('22'))
    reply(1, bytes('11'), '')
    reply(3, new Uint8Array(0), '{"runtimeException":true,"type":"file","code":"EIO"}')
    reply(3, bytes('33'))
    equal(await Promise.all([first, second]), [bytes('11'), bytes('22')])
    equal(await third, { runtimeException: true, type: 'file', code: 'EIO' })
    const fourth = thrown(call())
    reply(4, new Uint8Array(0), 'plain text')
    equal((await fourth).message, 'plain text')
  },
  async 'functions for the host over a port'() {
    const host = makeHost()
    const ports = new Ports(host.native)
    serveHost(ports.open('fns'), new Map([['ok', args => args], ['no', () => { throw { runtimeException: true, type: 'x' } }]]))
    for (const [id, fnName] of [[1, 'ok'], [2, 'no'], [3, 'toString']]) {
      host.deliver('fns', encode('fn_calls.RequestWithinCallIntoJS', { id, fnName, args: bytes('07') }))
    }
    await settle()
    const replies = host.sent.map(([, message]) => decode('fn_calls.ReplyWithinCall', message)).sort((a, b) => a.id - b.id)
    equal(replies.map(({ id, res, err }) => [id, res, err]), [
      [1, bytes('07'), ''], [2, new Uint8Array(0), '{"runtimeException":true,"type":"x"}'],
      [3, new Uint8Array(0), 'function toString is not exposed'],
    ])
  },
  async 'what comes early waits, but not without end'() {
    const host = makeHost()
    const ports = new Ports(host.native)
    for (let number = 0; number < 1000; number++) host.deliver(number < 3 ? 'a' : 'b', Uint8Array.of(number & 255))
    truly(await thrown(() => host.deliver('a', bytes('01'))) instanceof RangeError)
    const seen = []
    ports.open('a').onMessage(([byte]) => seen.push(byte))
    equal(seen, [0, 1, 2])
    host.deliver('a', bytes('09'))
    host.deliver('b', bytes('09'))
    equal(seen, [0, 1, 2, 9])
  },
})
