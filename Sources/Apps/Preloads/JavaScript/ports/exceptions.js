// Runtime exceptions: plain objects that an app can act on, with `runtimeException: true`, a type and flags.

/// @param {string} type
/// @param {object} fields
export const exception = (type, fields) => ({ runtimeException: true, type, ...fields })

export const isException = value => typeof value === 'object' && value !== null && value.runtimeException === true

/// The exception in the text of an error, or an `Error` with the text.
/// @param {string} text
export const errorFrom = text => {
  if (text[0] === '{') {
    try {
      const value = JSON.parse(text)
      if (isException(value)) return value
    } catch { /* It is only text. */ }
  }
  return new Error(text)
}

/// A value as JSON can carry it: errors within it become their message, stack and cause.
const plain = (value, depth) => {
  if (!(value instanceof Error)) return value
  const { message, stack, cause } = value
  return { message, stack, cause: depth > 8 ? undefined : plain(cause, depth + 1) }
}

/// The JSON text of an exception.
export const exceptionText = value => JSON.stringify(value, (_, member) => plain(member, 0))

/// What a thing that was thrown says, for people.
export const describe = value => {
  if (typeof value === 'string') return value
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    const text = [`${name}: ${message}`, stack].filter(Boolean).join('\n')
    return cause === undefined ? text : `${text}\nCaused by ${describe(cause)}`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return exceptionText(value) ?? String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
