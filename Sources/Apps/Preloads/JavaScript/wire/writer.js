// Protobuf's wire format, written into memory that grows.
import { utf8Length, writeUTF8 } from './utf8.js'
import { putVarint, varintLength } from './varint.js'

/// The most bytes of one message.
export const messageLimit = 64 << 20

/// What memory is kept for the next message.
const kept = 65536
/// Lengths around bytes are written after them, and move them a little.
const slack = 64
const longestStep = 4 << 20

export class Writer {
  #bytes = new Uint8Array(512)
  #end = 0

  /// Makes room for `count` more bytes.
  #reserve(count) {
    const needed = this.#end + count
    if (needed <= this.#bytes.length) return
    if (needed > messageLimit) throw new RangeError(`a message may have ${messageLimit} bytes`)
    const { length } = this.#bytes
    const larger = new Uint8Array(Math.max(needed + slack, length + Math.min(length, longestStep)))
    larger.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = larger
  }

  /// A whole number: negative ones take ten bytes, in two's complement of 64 bits.
  varint(number) {
    this.#reserve(10)
    if (number >= 0) this.#end = putVarint(number, this.#bytes, this.#end)
    else this.#negative(number)
  }

  #negative(number) {
    let rest = BigInt.asUintN(64, BigInt(number))
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#end++] = Number(rest & 0x7fn) | 0x80
    this.#bytes[this.#end++] = Number(rest)
  }

  bytes(value) {
    this.varint(value.length)
    this.#reserve(value.length)
    this.#bytes.set(value, this.#end)
    this.#end += value.length
  }

  string(value) {
    const length = utf8Length(value)
    this.varint(length)
    this.#reserve(length)
    this.#end = writeUTF8(value, this.#bytes, this.#end)
  }

  /// What `write` writes, after its length.
  nested(write, value) {
    this.#reserve(1)
    // Most lengths take one byte; what is longer is moved.
    const start = ++this.#end
    write(this, value)
    const length = this.#end - start
    const more = varintLength(length) - 1
    if (more > 0) {
      this.#reserve(more)
      this.#bytes.copyWithin(start + more, start, this.#end)
      this.#end += more
    }
    putVarint(length, this.#bytes, start - 1)
  }

  /// All that was written, as bytes of their own. The writer is empty after that.
  take() {
    // Memory that is not kept need not be copied.
    const message = this.#bytes.length > kept ? this.#bytes.subarray(0, this.#end) : this.#bytes.slice(0, this.#end)
    this.clear()
    return message
  }

  clear() {
    this.#end = 0
    if (this.#bytes.length > kept) this.#bytes = new Uint8Array(512)
  }
}
