// The parts of a cryptor that an engine without a compiler is too slow for.
import { hostFunction } from '../ports/calls.js'
import { decode, encode } from '../wire/codec.js'

const nonceLength = 24

const joined = (first, second) => {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

const secretBox = native => {
  const openBox = native('nacl_sbox_open', 'nacl_op.OpenArgs')
  const pack = native('nacl_sbox_pack', 'nacl_op.PackArgs')
  const open = async (c, n, k) => {
    const m = await openBox({ c, n, k })
    // The host says with nothing that the box was tampered with.
    if (m.length === 0) throw { failedCipherVerification: true }
    return m
  }
  return {
    open, pack: (m, n, k) => pack({ m, n, k }),
    formatWN: {
      open: (c, k) => open(c.subarray(nonceLength), c.subarray(0, nonceLength), k),
      pack: async (m, n, k) => joined(n, await pack({ m, n, k })),
    },
  }
}

/// scrypt, whose progress in percent comes on a port of its own with the number of the call.
const scrypt = ports => {
  let call
  const observers = new Map()
  const open = () => {
    call = hostFunction(ports.open('scrypt'))
    ports.open('scrypt/progress').onMessage(bytes => {
      const { id, res } = decode('fn_calls.ReplyWithinCall', bytes)
      observers.get(id)?.(res[0])
    })
  }
  return async (passwd, salt, logN, r, p, dkLen, progress) => {
    if (!call) open()
    let number
    try {
      return await call(encode('cryptor.Request.ScryptArgs', { passwd, salt, logN, r, p, dkLen }), id => {
        number = id
        if (progress) observers.set(id, progress)
      })
    } finally {
      observers.delete(number)
    }
  }
}

export const nativeCryptor = (native, ports) => ({ scrypt: scrypt(ports), sbox: secretBox(native) })
