// Globals of the web platform, for engines that come without them.
import { defineMissing } from './define.js'

/// @param {import('../ports/ports.js').NativePorts} native
export const addMissingGlobals = native => {
  defineMissing('queueMicrotask', () => queueMicrotask)
  defineMissing('performance', () => makePerformance(native.now ?? Date.now))
  if (native.random) defineMissing('crypto', () => makeCrypto(native.random))
}

const queueMicrotask = callback => {
  if (typeof callback !== 'function') throw new TypeError('The callback is not a function')
  Promise.resolve().then(() => { callback() })
}

const makePerformance = now => {
  const timeOrigin = now()
  return { timeOrigin, now: () => now() - timeOrigin }
}

const makeCrypto = random => ({
  getRandomValues(array) {
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    if (view.length > 65536) throw new RangeError('More than 65536 bytes were asked for')
    view.set(random(view.length))
    return array
  },
  randomUUID() {
    const bytes = this.getRandomValues(new Uint8Array(16))
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
})
