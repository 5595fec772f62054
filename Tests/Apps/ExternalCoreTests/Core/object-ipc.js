// The least of the object IPC that an app's `w3n.log` needs: calls of functions with JSON arguments.

const varint = value => {
  const bytes = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 | 128)
  return [...bytes, value]
}
const field = (number, bytes) => [number << 3 | 2, ...varint(bytes.length), ...bytes]

/// The fields of a message: `[number, value]`, where a value is a number or bytes.
const fieldsOf = bytes => {
  const fields = []
  let at = 0
  const number = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = number()
    if ((key & 7) === 0) fields.push([key >> 3, number()])
    else {
      const length = number()
      fields.push([key >> 3, bytes.subarray(at, at += length)])
    }
  }
  return fields
}
const one = (bytes, number) => fieldsOf(bytes).find(([found]) => found === number)?.[1]
const all = (bytes, number) => fieldsOf(bytes).filter(([found]) => found === number).map(([, value]) => value)

const serveObjects = (port, w3n) => port.onMessage(bytes => {
  const text = bytes => new TextDecoder().decode(bytes)
  const [headers, body] = [one(bytes, 1), one(bytes, 2)]
  if (text(one(headers, 1)) !== 'start') return
  const call = one(one(headers, 2), 1)
  const name = text(all(headers, 3).at(-1))
  const values = all(one(body, 1) ?? [], 1).map(value => one(value, 1)).map(json => json && JSON.parse(text(json)))
  w3n[name](values.join(': '))
  const end = [...field(1, new TextEncoder().encode('end')), ...field(2, [8, ...varint(call)])]
  port.send(Uint8Array.from(field(1, end)))
})
