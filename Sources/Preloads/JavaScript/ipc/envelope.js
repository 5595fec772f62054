// The envelopes of the object IPC.
import { ipc_Envelope } from 'messages'
import { decode, encode } from '../wire/codec.js'

/// @typedef {{type: string, number?: number, path: string[], body?: Uint8Array}} Message

/// @param {string} type
/// @param {number} [number] of the call
/// @param {string[]} [path]
/// @param {Uint8Array} [body]
export const packEnvelope = (type, number, path, body) => encode(ipc_Envelope, {
  headers: { msgType: type, fnCallNum: number === undefined ? undefined : { value: number }, path: path ?? [] },
  body: body === undefined ? undefined : { value: body },
})

/// @param {Uint8Array} bytes
/// @returns {Message}
export const unpackEnvelope = bytes => {
  const { headers, body } = decode(ipc_Envelope, bytes)
  if (!headers) throw new TypeError('an envelope has no headers')
  return { type: headers.msgType, number: headers.fnCallNum?.value, path: headers.path, body: body?.value }
}
