// The console of bare engines prints objects poorly, or not at all: here they become text first.
import { describe } from '../ports/exceptions.js'

const levels = ['debug', 'log', 'info', 'warn', 'error']

const printable = value => typeof value === 'object' && value !== null ? describe(value) : value

/// The console, with levels that print errors with stack and cause, and other objects as JSON.
export const describing = console => {
  for (const level of levels) {
    const print = console[level]
    if (typeof print === 'function') console[level] = (...values) => print.apply(console, values.map(printable))
  }
  return console
}
