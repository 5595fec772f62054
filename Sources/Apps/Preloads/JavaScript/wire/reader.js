// Protobuf's wire format, read from bytes that somebody else wrote.
import { readUTF8 } from './utf8.js'

const cutOff = () => new RangeError('the message is cut off')

export class Reader {
  #bytes
  #position
  #end

  constructor(bytes, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#position = start
    this.#end = end
  }

  get isAtEnd() { return this.#position === this.#end }

  /// An unsigned number of at most 53 bits, or a negative one in ten bytes.
  varint() {
    const bytes = this.#bytes
    let value = 0
    let scale = 1
    for (let count = 0; count < 10; count++) {
      if (this.#position >= this.#end) throw cutOff()
      const byte = bytes[this.#position++]
      if (byte < 0x80) {
        if (count === 9) return this.#negative()
        value += byte * scale
        if (value > Number.MAX_SAFE_INTEGER) throw new RangeError('a number of the message has more than 53 bits')
        return value
      }
      value += (byte & 0x7f) * scale
      scale *= 128
    }
    throw new RangeError('a number of the message does not end')
  }

  /// The ten bytes before the position as a number of 64 bits in two's complement.
  #negative() {
    let value = 0n
    for (let index = 1; index <= 10; index++) value = value << 7n | BigInt(this.#bytes[this.#position - index] & 0x7f)
    const number = Number(BigInt.asIntN(64, value))
    if (value >> 64n !== 0n || !Number.isSafeInteger(number)) {
      throw new RangeError('a number of the message has more than 53 bits')
    }
    return number
  }

  #span() {
    const length = this.varint()
    if (length < 0 || length > this.#end - this.#position) throw cutOff()
    const start = this.#position
    this.#position += length
    return start
  }

  /// A copy of a field's bytes.
  bytes() {
    const start = this.#span()
    return this.#bytes.slice(start, this.#position)
  }

  string() {
    const start = this.#span()
    return readUTF8(this.#bytes, start, this.#position)
  }

  /// A reader of the field's bytes only.
  nested() {
    const start = this.#span()
    return new Reader(this.#bytes, start, this.#position)
  }

  skip(wireType) {
    if (wireType === 0) this.#skipVarint()
    else if (wireType === 2) this.#span()
    else if (wireType === 1 || wireType === 5) this.#skipFixed(wireType === 1 ? 8 : 4)
    else throw new TypeError(`wire type ${wireType} is not used`)
  }

  #skipVarint() {
    for (let count = 0; count < 10; count++) {
      if (this.#position >= this.#end) throw cutOff()
      if (this.#bytes[this.#position++] < 0x80) return
    }
    throw new RangeError('a number of the message does not end')
  }

  #skipFixed(size) {
    if (size > this.#end - this.#position) throw cutOff()
    this.#position += size
  }
}
