// Messages as plain objects to bytes and back, from the schema table that is made of the .proto files.
//
// Messages are known by their full names, as `fs.FS`.
import { messages } from 'messages'
import { Reader } from './reader.js'
import { Writer } from './writer.js'

/// How deep messages may lie in each other.
const depthLimit = 32

const LENGTH_DELIMITED = 2

const wrong = (field, expected) => new TypeError(`${field} is not ${expected}`)

const whole = (low, high) => (value, field) => {
  if (!Number.isSafeInteger(value) || value < low || value > high) throw wrong(field, 'a whole number in range')
  return value
}

/// A scalar type: its wire type, its default, how it is checked and written, and how it is read.
const number = (low, high, read) => {
  const check = whole(low, high)
  return {
    wireType: 0, none: () => 0,
    write: (writer, value, field) => writer.varint(check(value, field)),
    read: (reader, field) => check(read(reader.varint()), field),
  }
}
const same = value => value
const scalars = {
  __proto__: null,
  bool: {
    wireType: 0, none: () => false,
    write(writer, value, field) {
      if (typeof value !== 'boolean') throw wrong(field, 'a boolean')
      writer.varint(value ? 1 : 0)
    },
    read: reader => reader.varint() !== 0,
  },
  int32: number(-(2 ** 31), 2 ** 31 - 1, value => value | 0),
  uint32: number(0, 2 ** 32 - 1, value => value >>> 0),
  int64: number(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, same),
  uint64: number(0, Number.MAX_SAFE_INTEGER, same),
  string: {
    wireType: LENGTH_DELIMITED, none: () => '',
    write(writer, value, field) {
      if (typeof value !== 'string') throw wrong(field, 'a string')
      writer.string(value)
    },
    read: reader => reader.string(),
  },
  bytes: {
    wireType: LENGTH_DELIMITED, none: () => new Uint8Array(0),
    write(writer, value, field) {
      if (!(value instanceof Uint8Array)) throw wrong(field, 'an Uint8Array')
      writer.bytes(value)
    },
    read: reader => reader.bytes(),
  },
}

const nestedType = name => ({
  wireType: LENGTH_DELIMITED, none: () => undefined,
  write(writer, value, field) {
    if (typeof value !== 'object' || value === null) throw wrong(field, 'an object')
    writer.nested(codecOf(name).write, value)
  },
  read: (reader, field, depth) => codecOf(name).read(reader.nested(), depth + 1),
})

/// What is known of one field: everything that can be is found out once.
class Field {
  constructor(message, number, name, presence, type) {
    this.name = name
    this.fullName = `${message}.${name}`
    this.type = scalars[type] ?? nestedType(type)
    this.tag = number * 8 + this.type.wireType
    this.isRequired = presence === '!'
    this.isRepeated = presence === '*'
    // Repeated numbers, which only proto3 schemas have, share one field; readers take both forms.
    this.isPacked = this.isRepeated && this.type.wireType === 0
    this.hasDefault = presence === ':'
  }

  get missing() {
    if (this.isRepeated) return []
    return this.hasDefault ? this.type.none() : undefined
  }

  write(writer, value) {
    if (this.isRepeated) return this.#writeAll(writer, value ?? [])
    if (value === undefined || value === null) {
      if (this.isRequired) throw new TypeError(`${this.fullName} is missing`)
      return
    }
    writer.varint(this.tag)
    this.type.write(writer, value, this.fullName)
  }

  #writeAll(writer, values) {
    if (!Array.isArray(values)) throw wrong(this.fullName, 'an array')
    if (this.isPacked) {
      if (values.length === 0) return
      writer.varint(this.tag - this.type.wireType + LENGTH_DELIMITED)
      return writer.nested(inner => values.forEach(value => this.type.write(inner, value, this.fullName)))
    }
    for (const value of values) {
      writer.varint(this.tag)
      this.type.write(writer, value, this.fullName)
    }
  }

  read(reader, message, wireType, depth) {
    const { name, type } = this
    if (this.isRepeated && type.wireType === 0 && wireType === LENGTH_DELIMITED) {
      const packed = reader.nested()
      while (!packed.isAtEnd) message[name].push(type.read(packed, this.fullName, depth))
      return
    }
    if (wireType !== type.wireType) throw new TypeError(`${this.fullName} has wire type ${wireType}`)
    const value = type.read(reader, this.fullName, depth)
    if (this.isRepeated) message[name].push(value)
    else message[name] = value
  }
}

const codecs = new Map()

const codecOf = name => {
  let codec = codecs.get(name)
  if (!codec) codecs.set(name, codec = makeCodec(name, fieldsOf(name)))
  return codec
}

/// The fields that the table has for a message: number, name, presence (`!` required, `?` optional, `*` repeated, `:` implicit)
/// and type of each.
const fieldsOf = name => {
  const start = messages.search(`\\|${name.replaceAll('.', '\\.')}[ |]`) + 1
  if (start === 0) throw new TypeError(`there is no message ${name}`)
  const entry = messages.slice(start + name.length, messages.indexOf('|', start))
  return Array.from(entry.matchAll(/(\d+)(\w+)([!?*:])(\S+)/g),
    ([, number, field, presence, type]) => new Field(name, Number(number), field, presence, type))
}

const makeCodec = (name, fields) => {
  const byNumber = new Map(fields.map(field => [field.tag >>> 3, field]))
  return {
    write(writer, value) {
      for (const field of fields) field.write(writer, value[field.name])
    },
    read(reader, depth) {
      if (depth > depthLimit) throw new RangeError(`${name} lies too deep`)
      const message = {}
      for (const field of fields) message[field.name] = field.missing
      while (!reader.isAtEnd) {
        const tag = reader.varint()
        if (tag < 8) throw new RangeError('a field of the message has no number')
        const field = byNumber.get(tag >>> 3)
        if (field) field.read(reader, message, tag & 7, depth)
        else reader.skip(tag & 7)
      }
      for (const field of fields) {
        if (field.isRequired && message[field.name] === undefined) throw new TypeError(`${field.fullName} is missing`)
      }
      return message
    },
  }
}

let spare

/// The bytes of a message. Fields that are undefined or null are not written; a required one must be there.
export const encode = (name, value) => {
  // Reading a value may run code that encodes as well.
  const writer = spare ?? new Writer()
  spare = undefined
  try {
    codecOf(name).write(writer, value)
    return writer.take()
  } finally {
    writer.clear()
    spare = writer
  }
}

/// The message in `bytes`, with every field of the schema.
export const decode = (name, bytes) => codecOf(name).read(new Reader(bytes), 0)
