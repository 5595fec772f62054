// Errors of the file ports as file exceptions.
import { exception, isException } from '../ports/exceptions.js'

const flags = {
  __proto__: null,
  ENOENT: 'notFound', EEXIST: 'alreadyExists', ENOTDIR: 'notDirectory', ENOTFILE: 'notFile', EISDIR: 'isDirectory',
  ENOTEMPTY: 'notEmpty', EEOF: 'endOfFile', EPERM: 'opNotPermitted', EBUSY: 'busy', EIO: 'ioError', ENOSYS: 'notImplemented',
}

export const fileException = (code, path, more) => exception('file', { code, path, [flags[code] ?? 'ioError']: true, ...more })

/// The exception that an error of the host means; it knows the code, and we the path.
const fileError = (error, path) => {
  if (!isException(error)) return new Error('a function of the file system failed', { cause: error?.message })
  return fileException(error.code, path)
}

/// The same function, with its errors as exceptions about `path`.
export const aboutPath = (path, result) => result.catch(error => { throw fileError(error, path) })
