// The codec, against bytes that 3NWeb's own encoders wrote, and against bytes that nobody should write.
import { packError, unpackError } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/errors.js'
import { packEnvelope, unpackEnvelope } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/envelope.js'
import { packValues, unpackValues } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/values.js'
import { exception } from '../../../../Sources/Apps/Preloads/JavaScript/ports/exceptions.js'
import { decode, encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { readUTF8, utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'
import { messages } from 'messages'
import { bytes, equal, hex, offer, thrown, truly } from './kit/expect.js'

const none = new Uint8Array(0)
const noEnt = { runtimeException: true, type: 'file', code: 'ENOENT', path: '' }

/// Messages whose bytes are fixed: name, value, bytes.
const golden = [
  ['fn_calls.RequestWithinCallIntoJS', { id: 1, fnName: 'init', args: encode('init.DataDirArgs', { dataDir: '/d' }) },
    '08011204696e69741a040a022f64'],
  ['fn_calls.RequestWithinCallIntoAndroid', { id: 1, args: none }, '08011200'],
  ['fn_calls.ReplyWithinCall', { id: 1, res: none, err: '' }, '080112001a00'],
  ['fn_calls.ReplyWithinCall', { id: 2, res: none, err: JSON.stringify(noEnt) },
    '080212001a417b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c65222c22636f6465223a22454e4f454e54222c2270617468223a22227d'],
  ['fn_calls.IntValue', { value: -1 }, '08ffffffffffffffffff01'],
  ['fn_calls.BooleanValue', { value: false }, '0800'],
  ['fs_op.Stats', {
    isFile: true, isDirectory: false, isSymbolicLink: false, birthtimeMs: 1700000000000, mtimeMs: 1700000000001,
    atimeMs: 1700000000002, size: 5, blocks: 1, blksize: 4096,
  }, '0801100018002080d095ffbc312881d095ffbc313082d095ffbc3138054001488020'],
  ['fs_op.ReadFdPosArg', { fd: 1, readPos: 0, len: 10 }, '08011000180a'],
  ['fs_op.WriteAtFdPosArgs', { fd: 1, writePos: undefined, chunk: bytes('01') }, '08011a0101'],
  ['request_op.RequestArgs', {
    method: 'POST', url: 'https://x/y', responseType: 'json', sessionId: 's', requestHeaders: [{ name: 'a', value: 'b' }],
    responseHeaders: ['X-Z'], timeout: undefined, timeoutRetries: undefined, contentType: 'application/json', body: utf8('{}'),
  }, '0a04504f5354120b68747470733a2f2f782f791a046a736f6e2201732a060a01611201623203582d5a4a106170706c69636174696f6e2f6a736f6e52027b7d'],
  ['request_op.Reply', { status: 200, responseHeaders: [{ name: 'X-Z', value: '1' }], body: bytes('01') },
    '08c80112080a03582d5a1201311a0101'],
  ['request_op.WSOpeningReply', { status: 200, socketId: 3 }, '08c8011003'],
  ['components.ComponentEntrypointArgs', { connectorId: '3', appDomain: 'a.b', entrypoint: '/index.html' },
    '0a01331203612e621a0b2f696e6465782e68746d6c'],
  ['keystore_op.CryptArgs', { keyName: 'login-key', data: bytes('0102') }, '0a096c6f67696e2d6b657912020102'],
  ['common.ObjectReference', { objType: 'FSImpl', path: ['77'] }, '0a064653496d706c12023737'],
  ['common.UInt64Value', { value: 2 ** 40 }, '08808080808020'],
  ['common.UInt64Value', { value: 0 }, '0800'],
]

const values = args => packValues(args, object => object.reference)

/// Envelopes: arguments of `packEnvelope`, bytes.
const envelopes = [
  [['start', 1, ['w3n', 'mailerid', 'getUserId'], values([])],
    '0a250a057374617274120208011a0377336e1a086d61696c657269641a0967657455736572496412020a00'],
  [['start', 2, ['w3n', 'log'], values(['info', 'a', undefined])],
    '0a150a057374617274120208021a0377336e1a036c6f6712150a130a080a0622696e666f220a050a032261220a00'],
  [['end', 1, undefined, values(['Bob @personal.net'])],
    '0a090a03656e641202080112190a170a150a1322426f622040706572736f6e616c2e6e657422'],
  [['end', 1], '0a090a03656e6412020801'],
  [['interim', 300, undefined, values([{ p: 5 }])], '0a0e0a07696e746572696d120308ac02120d0a0b0a090a077b2270223a357d'],
  [['error', 1, undefined, packError(exception('file', { code: 'ENOENT', notFound: true }))],
    '0a0b0a056572726f7212020801124b0a490a477b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c65222c22636f6465223a22454e4f454e54222c226e6f74466f756e64223a747275657d'],
  [['cancel', 9], '0a0c0a0663616e63656c12020809'],
  [['drop', undefined, ['123456']], '0a0e0a0464726f701a06313233343536'],
  [['list-obj', 4, ['w3n']], '0a130a086c6973742d6f626a120208041a0377336e'],
]

/// Arguments of calls: values, bytes.
const packed = [
  [[bytes('010203')], '0a0722050a03010203'],
  [[{ a: 1, b: bytes('09'), c: { d: bytes('08') } }],
    '0a340a1f7b2261223a312c2262223a6e756c6c2c2263223a7b2264223a6e756c6c7d7d12060a010912016212090a0108120163120164'],
  [[null], '0a060a046e756c6c'],
  [[undefined], '0a00'],
]

offer({
  'golden messages are written and read'() {
    for (const [name, value, expected] of golden) {
      equal(hex(encode(name, value)), expected, name)
      equal(decode(name, bytes(expected)), value, name)
    }
  },
  'golden envelopes are written and read'() {
    for (const [[type, number, path, body], expected] of envelopes) {
      equal(hex(packEnvelope(type, number, path, body)), expected, type)
      equal(unpackEnvelope(bytes(expected)), { type, number, path: path ?? [], body }, type)
    }
  },
  'golden arguments are written and read'() {
    for (const [args, expected] of packed) {
      equal(hex(values(args)), expected)
      equal(unpackValues(bytes(expected)), args)
    }
    const reference = { objType: 'FileImpl', path: ['55'] }
    equal(hex(values([{ reference }])), '0a122a10120e0a0846696c65496d706c12023535')
    equal(unpackValues(bytes('0a122a10120e0a0846696c65496d706c12023535'), reference => ({ reference })), [{ reference }])
  },
  'objects may lie within values'() {
    const file = { reference: { objType: 'FileImpl', path: ['5'] } }
    const args = [{ list: [1, file, { deep: bytes('ff') }] }, [file]]
    equal(unpackValues(values(args), reference => ({ reference })), args)
    equal(args[0].list[1], file, 'what was packed stays as it was')
  },
  async 'values that are no JSON are refused'() {
    const circular = {}
    circular.self = circular
    truly(await thrown(() => values([circular])) instanceof TypeError)
    truly(await thrown(() => values([1n])) instanceof TypeError)
  },
  async 'a location outside of the value is refused'() {
    const value = { json: '{"a":1}', binaryInJson: [{ arr: bytes('01'), objLocation: ['__proto__', 'x'] }] }
    truly(await thrown(() => unpackValues(encode('json_ipc.ValuesSequence', { values: [value] }))) instanceof TypeError)
    equal({}.x, undefined, 'the prototype of objects')
  },
  'errors keep what an app can act on'() {
    equal(unpackError(bytes('1204626f6f6d')).message, 'boom')
    const nested = exception('storage', { cause: new Error('inner') })
    equal(unpackError(packError(nested)).cause.message, 'inner')
    equal(unpackError(packError({ a: 1 })).message, '{"a":1}')
    equal(unpackError(packError('plain')).message, '"plain"')
    truly(unpackError(packError(new TypeError('t'))).message.startsWith('TypeError: t'))
  },
  'text of every kind of character'() {
    for (const text of ['', 'a', 'é', '漢字', '😀 and 😀', 'x'.repeat(70000), '\u0000']) equal(readUTF8(utf8(text)), text)
    equal(hex(utf8('\ud800x\udc00')), 'efbfbd78efbfbd')
  },
  async 'bytes that are no text are refused'() {
    for (const bad of ['80', 'c0af', 'c3', 'e0809f', 'eda080', 'f4908080', 'f8', 'e282']) {
      truly(await thrown(() => readUTF8(bytes(bad))) instanceof TypeError, bad)
    }
  },
  async 'required fields are required both ways'() {
    truly((await thrown(() => encode('fs_op.PathArgs', {}))).message.includes('fs_op.PathArgs.path is missing'))
    truly((await thrown(() => decode('fs_op.PathArgs', none))).message.includes('missing'))
  },
  async 'wrong types are refused'() {
    for (const [name, value] of [
      ['fs_op.PathArgs', { path: 1 }], ['fs_op.FdArgs', { fd: 1.5 }], ['fs_op.FdArgs', { fd: 2 ** 31 }],
      ['common.UInt64Value', { value: -1 }], ['common.UInt64Value', { value: 2 ** 53 }], ['common.BytesValue', { value: 'x' }],
      ['common.BooleanValue', { value: 1 }], ['ipc.Envelope', { headers: 'x' }], ['common.StringArrayValue', { values: 'x' }],
    ]) truly(await thrown(() => encode(name, value)) instanceof TypeError, name)
    truly(await thrown(() => decode('fs_op.FdArgs', bytes('0a0141'))) instanceof TypeError)
    truly((await thrown(() => encode('no.Such', {}))).message.includes('no.Such'))
  },
  async 'messages that are cut off are refused'() {
    const [name, , whole] = golden.find(([name]) => name === 'fs_op.Stats')
    for (let length = 0; length < whole.length; length += 2) await thrown(() => decode(name, bytes(whole.slice(0, length))))
    await thrown(() => decode('fs_op.PathArgs', bytes('0affffffff0f41')))
    await thrown(() => decode('common.UInt64Value', bytes('08ffffffffffffffffffff01')))
    await thrown(() => decode('common.UInt64Value', bytes('08ffffffffffffff7f')))
  },
  'fields that nobody knows are skipped, and numbers come packed or not'() {
    equal(decode('fs_op.FdArgs', bytes('0801f80601f9060102030405060708fa060141fd0601020304')), { fd: 1 })
    equal(decode('file.ListVersionsReplyBody', bytes('120301c8011003')).archived, [1, 200, 3])
    equal(hex(encode('file.ListVersionsReplyBody', { archived: [1, 200] })), '120301c801')
  },
  async 'messages may not lie too deep'() {
    let member = { isObj: true, name: 'x' }
    for (let depth = 0; depth < 40; depth++) member = { isObj: true, name: 'x', members: [member] }
    const deep = encode('rpc.AllocateProxyRequestBody', { members: [member] })
    truly(await thrown(() => decode('rpc.AllocateProxyRequestBody', deep)) instanceof RangeError)
  },
  'every message of the table can be written and read'() {
    const names = messages.split('|').map(entry => entry.split(' ')[0]).filter(Boolean)
    truly(names.length > 200)
    // Required fields are missing in most, but the table of each is read.
    for (const name of names) {
      try {
        equal(hex(encode(name, decode(name, none))).length % 2, 0)
      } catch ({ message }) {
        truly(message.endsWith('is missing'), `${name}: ${message}`)
      }
    }
  },
})
