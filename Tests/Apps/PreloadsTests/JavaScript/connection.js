// The object IPC, one end against another.
import { ObjectConnection } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/connection.js'
import { packEnvelope, unpackEnvelope } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/envelope.js'
import { ipcException, packError } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/errors.js'
import { observable } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/service.js'
import { decode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { bytes, equal, offer, settle, thrown, truly } from './kit/expect.js'

/// Two ends; messages go over in later turns. `log` has all that was said.
const pair = root => {
  const log = []
  const ends = {}
  const pipe = (from, to) => ({
    send(bytes) {
      log.push([from, unpackEnvelope(bytes)])
      Promise.resolve().then(() => ends[to].receive(bytes))
    },
    close: () => { log.push([from, 'closed']) },
  })
  ends.client = new ObjectConnection(pipe('client', 'core'))
  ends.core = new ObjectConnection(pipe('core', 'client'), root)
  return { ...ends, log }
}

/// One end whose other end is the test.
const alone = root => {
  const sent = []
  const connection = new ObjectConnection({ send: bytes => sent.push(unpackEnvelope(bytes)), close: () => sent.push('closed') }, root)
  return { connection, sent, say: (...message) => connection.receive(packEnvelope(...message)) }
}

const one = bytes('01')
const two = bytes('02')

offer({
  async 'a call and its reply'() {
    const { client } = pair({ echo: body => body, later: async () => two, deep: { nothing: () => undefined } })
    equal(await client.call(['w3n', 'echo'], one), one)
    equal(await client.call(['w3n', 'later']), two)
    equal(await client.call(['w3n', 'deep', 'nothing'], one), undefined)
  },
  async 'replies in another order'() {
    const finish = {}
    const { client } = pair({ wait: ([index]) => new Promise(resolve => { finish[index] = resolve }) })
    const replies = [0, 1, 2].map(index => client.call(['w3n', 'wait'], Uint8Array.of(index)))
    await settle()
    for (const index of [2, 0, 1]) finish[index](Uint8Array.of(index * 10))
    equal(await Promise.all(replies), [Uint8Array.of(0), Uint8Array.of(10), Uint8Array.of(20)])
  },
  async 'errors arrive as they were thrown'() {
    const exception = { runtimeException: true, type: 'file', code: 'ENOENT', notFound: true, path: '/x' }
    const { client } = pair({ a() { throw exception }, async b() { throw new Error('no') } })
    equal(await thrown(client.call(['w3n', 'a'])), exception)
    const error = await thrown(client.call(['w3n', 'b']))
    truly(error instanceof Error && error.message.includes('no'))
  },
  async 'what is not offered is not found'() {
    const { client } = pair({ a: { b: () => one } })
    for (const path of [['w3n', 'b'], ['w3n', 'a'], ['w3n', 'a', 'b', 'c'], ['w3n', 'a', 'constructor'],
      ['w3n', '__proto__', 'toString'], ['123', 'a'], []]) {
      equal(await thrown(client.call(path)), ipcException('callFnNotFound', { path }))
    }
  },
  async 'values until it is complete'() {
    const { client } = pair({ count: observable((body, observer) => {
      for (let number = 1; number < 4; number++) observer.next(Uint8Array.of(number))
      observer.complete()
    }) })
    const seen = []
    client.observe(['w3n', 'count'], undefined,
      { next: value => seen.push(value[0]), complete: () => seen.push('end'), error: error => seen.push(error) })
    await settle()
    equal(seen, [1, 2, 3, 'end'])
  },
  async 'nothing comes after cancelling'() {
    let observer
    let cancelled = 0
    const { client, log } = pair({ watch: observable((body, given) => {
      observer = given
      return () => { cancelled++ }
    }) })
    const seen = []
    const cancel = client.observe(['w3n', 'watch'], undefined, { next: value => seen.push(value[0]), complete: () => seen.push('end') })
    await settle()
    observer.next(one)
    await settle()
    cancel()
    observer.next(two)
    cancel()
    await settle()
    equal(seen, [1])
    equal(cancelled, 1)
    equal(log.filter(([, message]) => message.type === 'cancel').length, 1)
  },
  async 'an observer that throws harms nobody'() {
    const { client } = pair({ watch: observable((body, observer) => observer.next(one)), echo: body => body })
    const seen = []
    client.observe(['w3n', 'watch'], undefined, { get next() { return () => seen.push('next') }, error: () => {} })
    await settle()
    equal(seen, ['next'])
    equal(await client.call(['w3n', 'echo'], two), two)
  },
  async 'who waits for one value takes the first of many'() {
    const { connection, sent, say } = alone()
    const reply = connection.call(['w3n', 'f'])
    say('interim', 1, undefined, two)
    equal(await reply, two)
    equal(sent.map(({ type }) => type), ['start', 'cancel'])
  },
  async 'a number that is taken is replaced by another'() {
    const { connection, sent, say } = alone()
    const reply = connection.call(['w3n', 'f'], one)
    say('error', 1, undefined, packError(ipcException('duplicateFnCallNum')))
    equal(sent.map(({ number, path, body }) => [number, path, body]), [[1, ['w3n', 'f'], one], [2, ['w3n', 'f'], one]])
    say('end', 2, undefined, two)
    equal(await reply, two)
  },
  async 'that ends some time'() {
    const { connection, sent, say } = alone()
    const failure = thrown(connection.call(['w3n', 'f']))
    for (let number = 1; number <= 100; number++) say('error', number, undefined, packError(ipcException('duplicateFnCallNum')))
    equal((await failure).duplicateFnCallNum, true)
    equal(sent.length, 100)
  },
  async 'a service refuses a number in use'() {
    const { sent, say } = alone({ wait: () => new Promise(() => {}) })
    say('start', 7, ['w3n', 'wait'])
    say('start', 7, ['w3n', 'wait'])
    await settle()
    equal(JSON.parse(decode('common.ErrorValue', sent[0].body).runtimeExcJson), ipcException('duplicateFnCallNum'))
    equal(sent.length, 1)
  },
  async 'objects by reference, in both directions'() {
    const { client, core } = pair({})
    const reference = core.expose('FSImpl', { name: () => one, v: { x: () => two } })
    equal(core.expose('FSImpl', core.find(reference)), reference)
    equal(await client.call([...reference.path, 'v', 'x']), two)
    const callback = client.expose('JsonCallFn', body => body)
    equal(await core.call(callback.path, one), one)
  },
  async 'what was dropped is gone; w3n stays'() {
    const { client, core } = pair({ a: () => one })
    const reference = core.expose('FSImpl', { a: () => two })
    core.receive(packEnvelope('drop', undefined, reference.path))
    core.receive(packEnvelope('drop', undefined, ['w3n']))
    core.receive(packEnvelope('drop', undefined, ['999']))
    equal((await thrown(client.call([...reference.path, 'a']))).callFnNotFound, true)
    equal(await client.call(['w3n', 'a']), one)
    equal((await thrown(() => core.find(reference))).objectNotFound, true)
    equal((await thrown(() => core.find({ path: ['w3n'] }))).objectNotFound, true)
  },
  'names at a path'() {
    const { sent, say } = alone({ a: () => {}, b: { c: () => {} } })
    for (const path of [['w3n'], ['w3n', 'b'], ['w3n', 'a'], ['x']]) say('list-obj', 1, path)
    equal(sent.map(({ body }) => decode('common.StringArrayValue', body).values), [['a', 'b'], ['c'], [], []])
  },
  'messages of no known type are answered'() {
    const { sent, say } = alone()
    say('what', 3)
    equal([sent[0].type, sent[0].number], ['error', 3])
    truly(decode('common.ErrorValue', sent[0].body).runtimeExcJson.includes('invalidType'))
  },
  async 'what makes no sense ends the connection'() {
    for (const bad of [bytes('ff'), new Uint8Array(0), packEnvelope('start', undefined, ['w3n'])]) {
      const { connection, sent } = alone()
      const call = thrown(connection.call(['w3n', 'f']))
      await thrown(() => connection.receive(bad))
      equal(await call, ipcException('connectorStop'))
      equal(sent.at(-1), 'closed')
      equal(await thrown(connection.call(['w3n', 'f'])), ipcException('ipcNotConnected'))
    }
  },
  async 'the end of a connection'() {
    let cancelled = 0
    const { connection, sent, say } = alone({ watch: observable(() => () => { cancelled++ }) })
    say('start', 1, ['w3n', 'watch'])
    const seen = []
    const call = thrown(connection.call(['w3n', 'f']))
    connection.observe(['w3n', 'g'], undefined, { error: error => seen.push(error) })
    connection.closedByOtherSide()
    connection.closedByOtherSide()
    equal(await call, ipcException('stopFromOtherSide'))
    equal(seen, [ipcException('stopFromOtherSide')])
    equal(cancelled, 1)
    equal(sent.filter(message => message === 'closed').length, 1)
    say('start', 2, ['w3n', 'watch'])
    equal(sent.at(-1), 'closed')
  },
  async 'calls wait while the other side has enough of them'() {
    const { connection, sent, say } = alone()
    const replies = Array.from({ length: 2000 }, (_, index) => connection.call(['w3n', 'f'], Uint8Array.of(index & 255)))
    equal(sent.length, 600)
    // What ends makes room for one, however it ends.
    say('end', 1, undefined, one)
    const failure = thrown(replies[1])
    say('error', 2, undefined, packError(ipcException('callFnNotFound')))
    say('interim', 3, undefined, two)
    equal((await failure).callFnNotFound, true)
    equal(sent.filter(({ type }) => type === 'start').length, 603)
    for (let number = 4; number <= 2000; number++) say('end', number, undefined, Uint8Array.of(number & 255))
    await Promise.all([...replies.slice(0, 1), ...replies.slice(2)])
    const starts = sent.filter(({ type }) => type === 'start')
    equal(starts.map(({ number }) => number), replies.map((_, index) => index + 1))
    truly(starts.every(({ body }, index) => body[0] === (index & 255)))
    equal(await replies[1999], Uint8Array.of(2000 & 255))
    // All room is there again.
    replies.forEach(() => connection.call(['w3n', 'f']))
    equal(sent.filter(({ type }) => type === 'start').length, 2600)
  },
  async 'calls wait while the other side has enough of their bytes'() {
    const { connection, sent, say } = alone()
    const large = new Uint8Array(20 << 20)
    const replies = [large, large, large, one].map(body => connection.call(['w3n', 'f'], body))
    equal(sent.length, 2)
    say('end', 1)
    equal(sent.length, 4)
    for (const number of [2, 3, 4]) say('end', number)
    equal(await Promise.all(replies), [undefined, undefined, undefined, undefined])
  },
  async 'a call that is tried again keeps its room'() {
    const { connection, sent, say } = alone()
    const busy = packError(ipcException('duplicateFnCallNum'))
    const large = new Uint8Array(60 << 20)
    const replies = [large, large].map(body => connection.call(['w3n', 'f'], body))
    say('error', 1, undefined, busy)
    equal(sent.map(({ number }) => number), [1, 2])
    say('end', 2)
    equal(sent.map(({ number }) => number), [1, 2, 3])
    say('error', 3, undefined, busy)
    say('end', 4)
    equal(await Promise.all(replies), [undefined, undefined])
    for (let index = 0; index < 601; index++) connection.call(['w3n', 'f'])
    equal(sent.at(-1).number, 604)
  },
  async 'observers take no room from calls, and do not overtake them'() {
    const { connection, sent, say } = alone()
    const seen = []
    const watch = name => connection.observe(['w3n', 'f', name], undefined, { next: value => seen.push(value[0]), error: error => seen.push(error) })
    for (let index = 0; index < 2000; index++) watch('many')
    equal(sent.length, 2000)
    const calls = Array.from({ length: 601 }, () => connection.call(['w3n', 'f']))
    const cancelHeld = watch('cancelled')
    const cancel = watch('watched')
    equal(sent.length, 2600)
    cancelHeld()
    cancelHeld()
    say('end', 2001, undefined, one)
    equal(sent.slice(2600).map(({ type, number, path }) => [type, number, path[2]]), [['start', 2601, undefined], ['start', 2602, 'watched']])
    say('interim', 2602, undefined, two)
    equal(seen, [2])
    cancel()
    equal([sent.length, sent.at(-1).type, sent.at(-1).number], [2603, 'cancel', 2602])
    const failures = calls.slice(1).map(thrown)
    connection.close()
    truly((await Promise.all(failures)).every(error => error.connectorStop))
  },
  async 'a target that does not answer holds up no other'() {
    const { connection, sent, say } = alone()
    const stuck = ['123', 'makeRequestReplyCall']
    const calls = Array.from({ length: 700 }, () => connection.call(stuck))
    equal(sent.length, 600)
    // Whatever is called of the same object, and nothing else.
    connection.call(['123', 'close'])
    connection.observe(['123', 'watch'], undefined, {})
    equal(sent.length, 600)
    const others = [['w3n', 'closeSelf'], ['w3n', 'log'], ['w3n', 'storage', 'getAppLocalFS'], ['456', 'send']]
    const replies = others.map(path => connection.call(path, one))
    connection.observe(['456', 'watch'], undefined, {})
    connection.observe(['789', 'watch'], undefined, {})
    equal(sent.slice(600).map(({ path }) => path), [...others, ['456', 'watch'], ['789', 'watch']])
    for (const number of [601, 602, 603, 604]) say('end', number, undefined, two)
    equal(await Promise.all(replies), [two, two, two, two])
    equal(sent.length, 606)
    for (let number = 1; number <= 102; number++) say('end', number)
    await Promise.all(calls.slice(0, 102))
    equal(sent.slice(606).map(({ path }) => path[1]), [...Array(100).fill('makeRequestReplyCall'), 'close', 'watch'])
  },
  'nor does a member of w3n hold up another'() {
    const { connection, sent } = alone()
    for (let count = 0; count < 601; count++) connection.call(['w3n', 'rpc', 'thisApp'])
    connection.call(['w3n', 'rpc', 'otherAppsRPC'])
    connection.call(['w3n', 'closeSelf'])
    equal([sent.length, sent.at(-1).path], [601, ['w3n', 'closeSelf']])
  },
  'nor does one with large requests'() {
    const { connection, sent, say } = alone()
    const large = new Uint8Array(50 << 20)
    for (let count = 0; count < 2; count++) connection.call(['123', 'f'], large)
    connection.call(['w3n', 'closeSelf'], one)
    connection.call(['456', 'f'], large)
    equal(sent.map(({ path }) => path[0]), ['123', 'w3n', '456'])
    say('end', 1)
    equal([sent.length, sent.at(-1).path], [4, ['123', 'f']])
  },
  async 'each of many targets has its own room, and most are forgotten'() {
    const maps = []
    const map = globalThis.Map
    globalThis.Map = class extends map {
      constructor() { maps.push(super()) }
    }
    const { connection, sent, say } = alone()
    globalThis.Map = map
    const paths = Array.from({ length: 300 }, (_, index) => [String(index), 'f'])
    for (let round = 0; round < 2; round++) {
      const replies = paths.map(path => connection.call(path))
      paths.forEach((_, index) => say('end', round * 300 + index + 1))
      await Promise.all(replies)
    }
    truly(maps.length > 0 && maps.every(({ size }) => size <= 100))
    for (const path of [paths[0], paths[299]]) for (let count = 0; count < 601; count++) connection.call(path)
    equal(sent.length, 1800)
    say('end', 601)
    equal([sent.length, sent.at(-1).path], [1801, paths[0]])
    connection.call(paths[0])
    equal(sent.length, 1801)
  },
  'an object is dropped once nothing waits, if it has not come again'() {
    const proxies = []
    const registry = globalThis.FinalizationRegistry
    globalThis.FinalizationRegistry = class {
      constructor(collect) { this.register = (proxy, id) => proxies.push(() => collect(id)) }
    }
    try {
      const { connection, sent, say } = alone()
      const hold = id => {
        connection.hold({ path: [id] }, {})
        return proxies.at(-1)
      }
      const dropped = () => sent.filter(({ type }) => type === 'drop').map(({ path }) => path[0])
      const [first, again, kept, gone] = ['1', '1', '2', '3'].map(hold)
      again()
      equal(dropped(), [])
      first()
      equal(dropped(), ['1'])
      for (let count = 0; count < 602; count++) connection.call(['w3n', 'f'])
      connection.observe(['w3n', 'f'], undefined, {})
      kept()
      gone()
      say('end', 1)
      equal(dropped(), ['1'])
      const twice = hold('2')
      say('end', 2)
      // After what waited.
      equal(sent.slice(-3).map(({ type, path }) => [type, path[0]]), [['start', 'w3n'], ['start', 'w3n'], ['drop', '3']])
      equal(dropped(), ['1', '3'])
      twice()
      equal(dropped(), ['1', '3', '2'])
    } finally {
      globalThis.FinalizationRegistry = registry
    }
  },
  async 'closing fails what waits'() {
    const { connection, sent } = alone()
    const calls = Array.from({ length: 1000 }, () => thrown(connection.call(['w3n', 'f'])))
    const seen = []
    const watch = name => connection.observe(['w3n', 'f'], undefined, { error: error => seen.push([name, error]) })
    watch('cancelled')()
    watch('watched')
    connection.closedByOtherSide()
    truly((await Promise.all(calls)).every(error => error.stopFromOtherSide))
    equal(seen, [['watched', ipcException('stopFromOtherSide')]])
    equal([sent.length, sent.at(-1)], [601, 'closed'])
  },
  async 'late and forged answers are ignored'() {
    const { connection, sent, say } = alone()
    for (const type of ['interim', 'end', 'error', 'cancel']) say(type, 5, undefined, one)
    const reply = connection.call(['w3n', 'f'])
    say('end', 1, undefined, one)
    say('end', 1, undefined, two)
    equal(await reply, one)
    equal(sent.length, 1)
  },
})
