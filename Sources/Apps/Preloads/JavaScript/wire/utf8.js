// UTF-8 without the engine's help: most texts here are short, and a call of a native coder costs more than they do.

/// Throws for bytes that are no UTF-8: overlong forms, halves of surrogate pairs, and what is cut off.
const malformed = () => new TypeError('the bytes are not UTF-8')

/// How many bytes `text` takes. Halves of surrogate pairs count as U+FFFD.
export const utf8Length = text => {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    length += unit < 0x800 ? 1 : 2
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(index + 1))) index++
  }
  return length
}

const isLow = unit => unit >= 0xdc00 && unit < 0xe000

/// Writes `text` at `position` of `bytes`, which has room for it, and returns the position after it.
export const writeUTF8 = (text, bytes, position) => {
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index)
    if (code < 0x80) {
      bytes[position++] = code
      continue
    }
    if (code < 0x800) {
      bytes[position++] = code >> 6 | 0xc0
    } else {
      if (code >= 0xd800 && code < 0xe000) {
        const low = text.charCodeAt(index + 1)
        if (code < 0xdc00 && isLow(low)) code = 0x10000 + (code - 0xd800 << 10) + low - 0xdc00, index++
        else code = 0xfffd
      }
      if (code < 0x10000) {
        bytes[position++] = code >> 12 | 0xe0
      } else {
        bytes[position++] = code >> 18 | 0xf0
        bytes[position++] = code >> 12 & 0x3f | 0x80
      }
      bytes[position++] = code >> 6 & 0x3f | 0x80
    }
    bytes[position++] = code & 0x3f | 0x80
  }
  return position
}

/// The bytes of `text`.
export const utf8 = text => {
  const bytes = new Uint8Array(utf8Length(text))
  writeUTF8(text, bytes, 0)
  return bytes
}

/// The text in `bytes` from `start` to `end`.
export const readUTF8 = (bytes, start = 0, end = bytes.length) => {
  let text = ''
  // As many units at once as a call may have arguments.
  for (let units = []; start < end; units = []) {
    while (start < end && units.length < 8192) start = readCharacter(bytes, start, end, units)
    text += String.fromCharCode.apply(null, units)
  }
  return text
}

const readCharacter = (bytes, position, end, units) => {
  const first = bytes[position++]
  if (first < 0x80) return units.push(first), position
  const more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0
  if (more === 0 || position + more > end) throw malformed()
  let code = first & 0x3f >> more
  for (let count = more; count > 0; count--) {
    const next = bytes[position++]
    if ((next & 0xc0) !== 0x80) throw malformed()
    code = code << 6 | next & 0x3f
  }
  if (more === 2 && (code < 0x800 || code >= 0xd800 && code < 0xe000)) throw malformed()
  if (more === 3 && (code < 0x10000 || code > 0x10ffff)) throw malformed()
  if (code < 0x10000) units.push(code)
  else units.push((code - 0x10000 >> 10) + 0xd800, (code & 0x3ff) + 0xdc00)
  return position
}
