// The script ahead of a core, with a host that answers its native functions.
import { decode, encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { readUTF8, utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'
import { bytes, equal, offer, settle, thrown, truly } from './kit/expect.js'
import { makeHost, startCore } from './kit/preload.js'

const none = new Uint8Array(0)
const one = bytes('01')
const stats = {
  isFile: true, isDirectory: false, isSymbolicLink: false, birthtimeMs: 1, mtimeMs: 2, atimeMs: 3, size: 4, blocks: 8, blksize: 4096,
}

/// The functions of `device_fs`: call, port, arguments, reply, result.
const deviceFunctions = [
  [fs => fs.appendFile('/a', 'é'), 'fs_appendFile', ['fs_op.AppendFileArgs', { path: '/a', chunk: utf8('é') }]],
  [fs => fs.copyFile('/a', '/b'), 'fs_copyFile', ['fs_op.CopyFileArgs', { src: '/a', dst: '/b', overwrite: false }]],
  [fs => fs.copyFile('/a', '/b', false), 'fs_copyFile', ['fs_op.CopyFileArgs', { src: '/a', dst: '/b', overwrite: false }]],
  [fs => fs.copyFile('/a', '/b', true), 'fs_copyFile', ['fs_op.CopyFileArgs', { src: '/a', dst: '/b', overwrite: true }]],
  [fs => fs.lstat('/a'), 'fs_lstat', ['fs_op.PathArgs', { path: '/a' }], ['fs_op.Stats', stats], isStats],
  [fs => fs.stat('/a'), 'fs_stat', ['fs_op.PathArgs', { path: '/a' }], ['fs_op.Stats', stats], isStats],
  [fs => fs.mkdir('/a', { recursive: true }), 'fs_mkdir', ['fs_op.DirRecursiveArgs', { path: '/a', recursive: true }]],
  [fs => fs.mkdir('/a'), 'fs_mkdir', ['fs_op.DirRecursiveArgs', { path: '/a', recursive: false }]],
  [fs => fs.rmdir('/a', { recursive: true }), 'fs_rmdir', ['fs_op.DirRecursiveArgs', { path: '/a', recursive: true }]],
  [fs => fs.readdir('/a'), 'fs_readdir', ['fs_op.PathArgs', { path: '/a' }], ['fn_calls.StringArrayValue', { values: ['x'] }], ['x']],
  [fs => fs.readFile('/a'), 'fs_readFile', ['fs_op.PathArgs', { path: '/a' }], one, one],
  [fs => fs.readFile('/a', 'utf8'), 'fs_readFile', ['fs_op.PathArgs', { path: '/a' }], utf8('é'), 'é'],
  [fs => fs.readFile('/a', { encoding: 'utf8' }), 'fs_readFile', ['fs_op.PathArgs', { path: '/a' }], utf8('é'), 'é'],
  [fs => fs.readlink('/a'), 'fs_readlink', ['fs_op.PathArgs', { path: '/a' }], ['fn_calls.StringValue', { value: '/t' }], '/t'],
  [fs => fs.rename('/a', '/b'), 'fs_rename', ['fs_op.RenameArgs', { oldPath: '/a', newPath: '/b' }]],
  [fs => fs.symlink('/t', '/a'), 'fs_symlink', ['fs_op.SymLinkCreateArgs', { path: '/a', target: '/t' }]],
  [fs => fs.truncate('/a', 5), 'fs_truncate', ['fs_op.TruncateFileArgs', { path: '/a', len: 5 }]],
  [fs => fs.unlink('/a'), 'fs_unlink', ['fs_op.PathArgs', { path: '/a' }]],
  ...[[undefined, 'w'], ['w+', 'w'], ['wx', 'wx'], ['xw+', 'wx'], ['r+', 'r+'], ['rs+', 'r+']].map(([flag, folded]) =>
    [fs => fs.writeFile('/a', one, { flag }), 'fs_writeFile', ['fs_op.WriteFileArgs', { path: '/a', writeFlag: folded, content: one }]]),
]

function isStats(value) {
  equal([value.isFile(), value.isDirectory(), value.isSymbolicLink(), value.size, value.ctimeMs, value.mtime, value.dev, value.uid],
    [true, false, false, 4, 2, new Date(2), 1, 1000])
}

const codes = {
  ENOENT: 'notFound', EEXIST: 'alreadyExists', ENOTDIR: 'notDirectory', ENOTFILE: 'notFile', EISDIR: 'isDirectory',
  ENOTEMPTY: 'notEmpty', EEOF: 'endOfFile', EPERM: 'opNotPermitted', EBUSY: 'busy', EIO: 'ioError', ENOSYS: 'notImplemented',
}

const fileError = code => { throw { runtimeException: true, type: 'file', code, path: '' } }

/// Calls a function that the core exposes, as its host does.
const caller = host => {
  let id = 0
  const waiting = new Map()
  host.listen('fns-for-android', bytes => {
    const reply = decode('fn_calls.ReplyWithinCall', bytes)
    waiting.get(reply.id)(reply)
  })
  return (fnName, args = none) => new Promise(resolve => {
    waiting.set(++id, ({ res, err }) => resolve(err || res))
    host.deliver('fns-for-android', encode('fn_calls.RequestWithinCallIntoJS', { id, fnName, args }))
  })
}

offer({
  async 'each function of the file system'() {
    const host = startCore(makeHost())
    for (const [call, port, [name, args], reply, result] of deviceFunctions) {
      let asked
      host.serve(port, bytes => {
        asked = decode(name, bytes)
        return Array.isArray(reply) ? encode(...reply) : reply
      })
      const answer = await call(platform.device_fs)
      equal(asked, args, port)
      if (typeof result === 'function') result(answer)
      else equal(answer, result, port)
    }
  },
  async 'errors of files know their path and flag'() {
    const host = startCore(makeHost())
    for (const [code, flag] of Object.entries(codes)) {
      host.serve('fs_stat', () => fileError(code))
      equal(await thrown(platform.device_fs.stat('/x')), { runtimeException: true, type: 'file', code, path: '/x', [flag]: true })
    }
    host.serve('fs_stat', () => { throw 'plain' })
    const error = await thrown(platform.device_fs.stat('/x'))
    truly(error instanceof Error && error.cause === 'plain')
  },
  async 'open files'() {
    const host = startCore(makeHost())
    const asked = []
    const serve = (port, name, reply) => host.serve(port, bytes => {
      asked.push([port, decode(name, bytes)])
      return typeof reply === 'function' ? reply(asked.at(-1)[1]) : reply
    })
    serve('fs_open', 'fs_op.OpenFileArgs', encode('fn_calls.IntValue', { value: 7 }))
    serve('fh_read', 'fs_op.ReadFdPosArg', ({ readPos, len }) => readPos > 4 ? fileError('EEOF') : new Uint8Array(Math.min(len, 2)).fill(readPos))
    serve('fh_write', 'fs_op.WriteAtFdPosArgs')
    serve('fh_stat', 'fs_op.FdArgs', encode('fs_op.Stats', stats))
    serve('fh_sync', 'fs_op.FdArgs')
    serve('fh_truncate', 'fs_op.FdTruncateArgs')
    serve('fh_close', 'fs_op.FdArgs')
    const file = await platform.device_fs.open('/f', 'r+')
    equal(file.fd, 7)
    const buffer = new Uint8Array(8)
    equal((await file.read(buffer, 1, 2, 3)).bytesRead, 2)
    equal(buffer, Uint8Array.of(0, 3, 3, 0, 0, 0, 0, 0))
    for (const expected of [2, 2, 2, 0]) equal((await file.read(buffer, 0, 8, null)).bytesRead, expected, 'one after the other')
    equal((await file.write(buffer, 1, 2, 9)).bytesWritten, 2)
    await file.write(one)
    await file.truncate(3)
    await file.sync()
    isStats(await file.stat())
    await file.close()
    equal(asked.slice(-6).map(([port, args]) => [port, args.writePos]),
      [['fh_write', 9], ['fh_write', 6], ['fh_truncate', undefined], ['fh_sync', undefined], ['fh_stat', undefined], ['fh_close', undefined]])
    const log = await platform.device_fs.open('/f', 'a')
    await log.write(one, 0, 1, 5)
    equal(asked.at(-1)[1], { fd: 7, writePos: undefined, chunk: one })
  },
  async 'requests to the web'() {
    const host = startCore(makeHost())
    let asked
    let reply = { status: 200, responseHeaders: [{ name: 'X-Obj-Version', value: '3' }], body: utf8('{"a":1}') }
    host.serve('http_request', args => {
      asked = decode('request_op.RequestArgs', args)
      return encode('request_op.Reply', reply)
    })
    const answer = await platform.httpRequest({ method: 'POST', url: 'https://x/', responseType: 'json', sessionId: 's', body: { b: 2 },
      requestHeaders: { A: 1 }, responseHeaders: ['X-Obj-Version'], timeout: 9 })
    equal([answer.status, answer.data, answer.headers.get('x-obj-version')], [200, { a: 1 }, '3'])
    equal([asked.contentType, readUTF8(asked.body), asked.requestHeaders, asked.timeout, asked.sessionId],
      ['application/json', '{"b":2}', [{ name: 'A', value: '1' }], 9, 's'])
    for (const [body, contentType] of [[undefined, undefined], ['t', 'text/plain'], [one, 'application/octet-stream']]) {
      await platform.httpRequest({ method: 'PUT', url: 'https://x/', body })
      equal(asked.contentType, contentType)
    }
    reply = { status: 404, responseHeaders: [], body: utf8('{') }
    equal((await platform.httpRequest({ method: 'GET', url: 'https://x/', responseType: 'json' })).data, undefined)
    equal((await platform.httpRequest({ method: 'GET', url: 'https://x/', responseType: 'arraybuffer' })).data, utf8('{'))
    host.serve('http_request', () => { throw 'no route' })
    const error = await thrown(platform.httpRequest({ method: 'GET', url: 'https://x/' }))
    equal([error.type, error.connectType, error.url, error.message], ['connect', 'http', 'https://x/', 'no route'])
  },
  async 'names by DNS over HTTPS'() {
    const host = startCore(makeHost())
    const asked = []
    const answer = body => encode('request_op.Reply', { status: 200, responseHeaders: [], body: utf8(JSON.stringify(body)) })
    let servers = {}
    host.serve('http_request', args => {
      const { url, requestHeaders } = decode('request_op.RequestArgs', args)
      asked.push([url, requestHeaders[0].value])
      const reply = servers[new URL(url).host]
      if (!reply) throw 'no route'
      return answer(reply)
    })
    servers = { 'dns.google': { Answer: [{ type: 16, data: '"a=b" "c"' }, { type: 5, data: 'other.' }, { data: 'plain' }] } }
    equal(await platform.resolveTxt('x.y'), [['a=b', 'c'], ['plain']])
    equal(asked, [['https://dns.google/resolve?name=x.y&type=TXT', 'application/dns-json']])
    servers = { 'cloudflare-dns.com': { Answer: [{ type: 16, data: 'z' }] } }
    equal(await platform.resolveTxt('x.y'), [['z']])
    servers = { 'dns.google': { Status: 3 } }
    const missing = await thrown(platform.resolveTxt('x.y'))
    equal([missing.type, missing.connectType, missing.code], ['connect', 'dns', 'ENOTFOUND'])
    servers = {}
    equal((await thrown(platform.resolveTxt('x.y'))).code, 'ECONNREFUSED')
  },
  async 'web sockets, from opening to the end'() {
    const host = startCore(makeHost())
    const opening = reply => host.serve('ws_open', () => encode('request_op.WSOpeningReply', reply))
    opening({ status: 403, socketId: 0 })
    equal(await platform.openWebSocket('wss://x/', 's'), { status: 403 })
    opening({ status: 200, socketId: 4 })
    const { socket } = await platform.openWebSocket('wss://x/', 's')
    const seen = []
    socket.watch({ next: text => seen.push(text), complete: () => seen.push('end'), error: error => seen.push(error.type) })
    socket.watchStatus({ next: ({ type }) => seen.push(type), complete: () => seen.push('no more') })
    await settle()
    host.deliver('ws_#4', utf8('hé'))
    host.deliver('ws_#4/control', utf8('{"type":"heartbeat","ping":12}'))
    socket.send('out')
    socket.close(1000, 'bye')
    equal(host.sent.map(([port, bytes]) => [port, readUTF8(bytes)]),
      [['ws_#4', 'out'], ['ws_#4/control', '{"type":"close","code":1000,"reason":"bye"}']])
    host.deliver('ws_#4/control', utf8('{"type":"disconnected","code":1006,"error":"lost"}'))
    equal(seen, ['connected', 'hé', 'heartbeat', 'disconnected', 'no more', 'websocket'])
    truly((await thrown(() => socket.send('late'))).socketClosed)
    socket.watch({ error: () => seen.push('late error') })
    equal(seen.at(-1), 'late error')
  },
  async 'keys, boxes, chance and the rest'() {
    const host = startCore(makeHost())
    const serve = (port, name, reply) => host.serve(port, args => reply(name ? decode(name, args) : undefined))
    serve('keystore_encrypt', 'keystore_op.CryptArgs', ({ keyName, data }) => utf8(`${keyName}${data.length}`))
    equal(readUTF8(await platform.keystore.encrypt('login-key', one)), 'login-key1')
    serve('nacl_sbox_pack', 'nacl_op.PackArgs', ({ m, n, k }) => Uint8Array.of(m[0], n.length, k.length))
    serve('nacl_sbox_open', 'nacl_op.OpenArgs', ({ c, n }) => c[0] === 9 ? none : Uint8Array.of(c.length, n.length))
    const [nonce, key] = [new Uint8Array(24), new Uint8Array(32)]
    const { sbox, scrypt } = platform.cryptor
    equal(await sbox.pack(one, nonce, key), Uint8Array.of(1, 24, 32))
    equal((await sbox.formatWN.pack(one, nonce, key)).length, 27)
    equal(await sbox.formatWN.open(new Uint8Array(30), key), Uint8Array.of(6, 24))
    equal(await thrown(sbox.open(Uint8Array.of(9), nonce, key)), { failedCipherVerification: true })
    host.serve('scrypt', (args, id) => {
      const { logN, dkLen } = decode('cryptor.Request.ScryptArgs', args)
      host.deliver('scrypt/progress', encode('fn_calls.ReplyWithinCall', { id, res: Uint8Array.of(50) }))
      return Uint8Array.of(logN, dkLen)
    })
    const percents = []
    equal(await scrypt(one, one, 17, 3, 1, 32, percent => percents.push(percent)), Uint8Array.of(17, 32))
    equal(percents, [50])
    serve('crypto_random', 'random_op.NumOfBytesArgs', ({ numOfBytes }) => new Uint8Array(numOfBytes))
    equal((await platform.random(5)).length, 5)
    for (const [status, known] of [['network-present', 'online_80%'], ['no-network', 'offline_99%'], ['what', 'offline_99%']]) {
      serve('connectivity_isOnline', undefined, () => encode('connectivity.OnlineStatus', { status }))
      equal(await platform.connectivity.isOnline(), known)
    }
    serve('assets_readBytes', 'fs_op.ReadFromAssetsPathArgs', ({ start, end }) => Uint8Array.of(start, end))
    equal(await platform.assets.readBytes(true, '/a', 1, 2), Uint8Array.of(1, 2))
    host.serve('assets_listFolder', () => fileError('ENOENT'))
    equal((await thrown(platform.assets.listFolder(false, 'p'))).path, 'p')
    serve('scan_url_qr', 'fn_calls.StringArrayValue', () => none)
    equal(await platform.scanUrlQR(['w3n:']), undefined)
    const seen = []
    for (const port of ['ui_startAppActivity', 'js_startComponent']) {
      serve(port, 'components.ComponentEntrypointArgs', args => { seen.push([port, args]) })
    }
    await platform.ui.startAppActivity('3', 'a.b', '/i')
    await platform.startComponent('4', 'a.b', '/j')
    equal(seen.map(([port, { connectorId }]) => [port, connectorId]), [['ui_startAppActivity', '3'], ['js_startComponent', '4']])
  },
  async 'a core that leaves its wiring to us'() {
    const host = startCore(makeHost())
    const call = caller(host)
    const seen = []
    const functions = {
      attachComponentPortToConnector: (id, port) => { port.onMessage(bytes => port.send(bytes)), seen.push(id) },
      listObjPathInConnector: (id, path) => path[1] === 'none' ? undefined : [id, ...path],
      getSignedUserIdEventually: async () => 'bob@x',
      isBundledApp: domain => domain === 'a.b',
      onComponentClosedInAndroid: id => { seen.push(`closed ${id}`) },
      getFileSizeInAppCodeFS: (id, path) => path === '/i' ? 9 : undefined,
      readBytesFromFileInAppCodeFS: (id, path, start, end) => start === undefined ? undefined : Uint8Array.of(start, end),
      launchAppFromAndroid: domain => { if (domain === 'bad') throw new Error('not signed in'); return { connectorId: '2', entrypoint: '/i' } },
      processURL: url => { seen.push(url) },
      processURLBeforeLogin: () => undefined,
    }
    _startCore_({ init: async ({ dataDir }, given) => {
      truly(given === platform)
      return dataDir === '/d' && functions
    } })
    equal(['_startCore_', 'android', 'module', 'exports'].filter(name => name in globalThis), [])
    truly((await call('isBundledApp')).includes('not exposed'))
    equal(await call('init', encode('init.DataDirArgs', { dataDir: '/d' })), none)
    truly((await call('init')).includes('not exposed'))

    equal(await call('attachComponentPortToConnector', encode('init.ConnectorIdArgs', { connectorId: '2' })), none)
    host.deliver('c-2', one)
    equal(host.sent.at(-1), ['c-2', one])
    const list = path => call('listObjPathInConnector', encode('init.ConnectorAndObjPathArgs', { connectorId: '2', objPath: path }))
    equal(decode('fn_calls.StringArrayValue', await list(['w3n'])).values, ['2', 'w3n'])
    equal(await list(['w3n', 'none']), none)
    equal(decode('fn_calls.StringValue', await call('getSignedUserIdEventually')).value, 'bob@x')
    equal(await call('isBundledApp', encode('components.AppDomainArgs', { appDomain: 'c' })), bytes('0800'))
    equal(await call('onComponentClosedInAndroid', encode('components.ConnectorIdArgs', { connectorId: '2' })), none)
    const size = path => call('getFileSizeInAppCodeFS', encode('components.ConnectorAndPathArgs', { connectorId: '2', path }))
    equal([await size('/i'), await size('/j')], [bytes('0809'), bytes('08ffffffffffffffffff01')])
    const read = range => call('readBytesFromFileInAppCodeFS', encode('components.FileReadArgs', { connectorId: '2', path: '/i', ...range }))
    equal([await read({ start: 1, end: 2 }), await read({})], [bytes('0102'), none])
    const launch = appDomain => call('launchAppFromAndroid', encode('components.AppDomainArgs', { appDomain }))
    equal(decode('components.ConnectorAndEntrypoint', await launch('a')), { connectorId: '2', entrypoint: '/i' })
    truly((await launch('bad')).includes('not signed in'))
    equal(await call('processURL', encode('init.UrlArgs', { url: 'w3n://x' })), none)
    equal(await call('processURLBeforeLogin', encode('init.UrlArgs', { url: 'w3n://x' })), bytes('0a00'))
    equal(seen, ['2', 'closed 2', 'w3n://x'])
    truly((await call('isBundledApp', bytes('ff'))).length > 0, 'arguments that are no message')
  },
  async 'a core whose functions are not all there'() {
    const host = startCore(makeHost())
    const call = caller(host)
    globalThis.module.exports.init = () => ({})
    _startCore_(undefined)
    truly((await call('init', encode('init.DataDirArgs', { dataDir: '/d' }))).includes('attachComponentPortToConnector'))
  },
  async 'a core that brings its own wiring'() {
    const host = startCore(makeHost())
    host.deliver('fns-for-android', bytes('0a0b'))
    const seen = []
    const opened = android.getNamedPort('fns-for-android').then(port => {
      port.onmessage = ({ data }) => seen.push(data instanceof ArrayBuffer && new Uint8Array(data))
      port.postMessage(Uint8Array.of(5).buffer)
      return port
    })
    _startCore_(undefined)
    const port = await opened
    host.deliver('fns-for-android', bytes('0c'))
    port.close()
    equal(seen, [bytes('0a0b'), bytes('0c')])
    equal(host.sent, [['fns-for-android', bytes('05')]])
  },
  async 'what is no core'() {
    startCore(makeHost())
    truly((await thrown(() => _startCore_({}))).message.includes('not a core'))
    equal(await _awaitPreloadInit(), undefined)
  },
})
