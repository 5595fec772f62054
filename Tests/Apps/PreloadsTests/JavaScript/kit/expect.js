// What tests in JavaScript say: they are named functions, and throw when something is not as it should be.

export const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
export const bytes = text => Uint8Array.from(text.match(/../g) ?? [], pair => parseInt(pair, 16))

/// A value as text, with bytes, dates and what is undefined.
const shown = value => JSON.stringify(value, function (key) {
  const inner = this[key]
  if (inner instanceof Uint8Array) return `<${hex(inner)}>`
  if (inner instanceof Date) return `date ${+inner}`
  if (inner instanceof Map) return [...inner]
  return inner === undefined ? '<undefined>' : typeof inner === 'function' ? '<function>' : inner
})

export const equal = (actual, expected, what = '') => {
  if (shown(actual) !== shown(expected)) throw new Error(`${what}: ${shown(actual)} is not ${shown(expected)}`)
}

export const truly = (value, what = 'a condition') => { if (!value) throw new Error(`${what} does not hold`) }

/// What a function or promise throws.
export const thrown = async action => {
  try {
    await (typeof action === 'function' ? action() : action)
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/// Lets all that is due happen.
export const settle = async () => { for (let turn = 0; turn < 50; turn++) await null }

/// Runs tests one after the other; returns what failed as text, by name.
export const offer = tests => {
  globalThis.runTests = async () => {
    const failures = []
    for (const name of Object.keys(tests)) {
      try {
        await tests[name]()
      } catch (error) {
        failures.push(`${name}: ${error?.stack ? `${error.message} ${error.stack}` : JSON.stringify(error)}`)
      }
    }
    return { count: Object.keys(tests).length, failures }
  }
}
