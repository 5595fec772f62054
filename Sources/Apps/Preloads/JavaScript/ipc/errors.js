// Errors between the two ends of the object IPC.
import { describe, errorFrom, exception, exceptionText, isException } from '../ports/exceptions.js'
import { decode, encode } from '../wire/codec.js'

/// An exception of the connection itself.
export const ipcException = (flag, more) => exception('ipc', { [flag]: true, ...more })

/// What was thrown, as a message.
export const errorValue = error => {
  if (isException(error)) return { runtimeExcJson: exceptionText(error) }
  return { err: typeof error === 'object' && error !== null ? describe(error) : JSON.stringify(error) ?? String(error) }
}

/// What the other side threw: exceptions as the plain objects that they were, everything else as an `Error`.
export const errorOf = ({ runtimeExcJson, err }) => {
  return errorFrom(runtimeExcJson || err || 'the other side failed without saying why')
}

export const packError = error => encode('common.ErrorValue', errorValue(error))
export const unpackError = bytes => errorOf(decode('common.ErrorValue', bytes))
