// The envelopes of the object IPC. Every call goes through here, so they are written and read without the general codec.
//
// Envelope: 1 headers, 2 body {1 value}. Headers: 1 msg_type, 2 fn_call_num {1 value}, 3 path, repeated.
import { Reader } from '../wire/reader.js'
import { Writer } from '../wire/writer.js'

/// @typedef {{type: string, number?: number, path: string[], body?: Uint8Array}} Message

const NUMBER = 0x08
const FIRST = 0x0a
const SECOND = 0x12
const THIRD = 0x1a

const writer = new Writer()

const writeHeaders = (writer, { type, number, path }) => {
  writer.varint(FIRST)
  writer.string(type)
  if (number !== undefined) {
    writer.varint(SECOND)
    writer.nested(writeNumber, number)
  }
  if (path) for (const name of path) {
    writer.varint(THIRD)
    writer.string(name)
  }
}

const writeNumber = (writer, number) => {
  writer.varint(NUMBER)
  writer.varint(number)
}

const writeBody = (writer, body) => {
  writer.varint(FIRST)
  writer.bytes(body)
}

/// @param {string} type
/// @param {number} [number] of the call
/// @param {string[]} [path]
/// @param {Uint8Array} [body]
export const packEnvelope = (type, number, path, body) => {
  try {
    writer.varint(FIRST)
    writer.nested(writeHeaders, { type, number, path })
    if (body !== undefined) {
      writer.varint(SECOND)
      writer.nested(writeBody, body)
    }
    return writer.take()
  } finally {
    writer.clear()
  }
}

/// Reads fields by their tags; others are skipped.
const readFields = (reader, read) => {
  while (!reader.isAtEnd) {
    const tag = reader.varint()
    if (!read(tag)) reader.skip(tag & 7)
  }
}

const readHeaders = (reader, message) => readFields(reader, tag => {
  if (tag === FIRST) message.type = reader.string()
  else if (tag === SECOND) message.number = readNumber(reader.nested())
  else if (tag === THIRD) message.path.push(reader.string())
  else return false
  return true
})

const readNumber = reader => {
  let number = 0
  readFields(reader, tag => tag === NUMBER && (number = reader.varint(), true))
  return number
}

const readBody = reader => {
  let body
  readFields(reader, tag => tag === FIRST && (body = reader.bytes(), true))
  return body ?? new Uint8Array(0)
}

/// @param {Uint8Array} bytes
/// @returns {Message}
export const unpackEnvelope = bytes => {
  const message = { type: '', number: undefined, path: [], body: undefined }
  const reader = new Reader(bytes)
  readFields(reader, tag => {
    if (tag === FIRST) readHeaders(reader.nested(), message)
    else if (tag === SECOND) message.body = readBody(reader.nested())
    else return false
    return true
  })
  if (message.type === '') throw new TypeError('an envelope has no type')
  return message
}
