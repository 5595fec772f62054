// Open files, as node has them.
import { aboutPath } from './file-errors.js'
import { nodeStats } from './node-stats.js'

/// @param {import('./native.js').Native} native
/// @returns makes the object for a descriptor that is open
export const openFiles = native => {
  const close = native('fh_close', 'fs_op.FdArgs')
  const read = native('fh_read', 'fs_op.ReadFdPosArg')
  const stat = native('fh_stat', 'fs_op.FdArgs', 'fs_op.Stats')
  const sync = native('fh_sync', 'fs_op.FdArgs')
  const truncate = native('fh_truncate', 'fs_op.FdTruncateArgs')
  const write = native('fh_write', 'fs_op.WriteAtFdPosArgs')
  const isPosition = value => value !== undefined && value !== null

  return (fd, path, flags) => {
    const appends = flags.startsWith('a')
    // The host reads only at positions: what is read or written without one goes on from here.
    let position = 0
    const about = result => aboutPath(path, result)
    return {
      fd,
      close: () => about(close({ fd })).then(() => {}),
      stat: () => about(stat({ fd })).then(nodeStats),
      sync: () => about(sync({ fd })).then(() => {}),
      truncate: (len = 0) => about(truncate({ fd, len })).then(() => {}),
      async read(buffer, offset = 0, length = buffer.length - offset, at) {
        const readPos = isPosition(at) ? at : position
        const bytes = await about(read({ fd, readPos, len: length })).catch(atEnd)
        buffer.set(bytes, offset)
        if (!isPosition(at)) position += bytes.length
        return { bytesRead: bytes.length, buffer }
      },
      async write(buffer, offset = 0, length = buffer.length - offset, at) {
        const chunk = buffer.subarray(offset, offset + length)
        const writePos = appends ? undefined : isPosition(at) ? at : position
        await about(write({ fd, writePos, chunk }))
        if (!isPosition(at)) position += chunk.length
        return { bytesWritten: chunk.length, buffer }
      },
    }
  }
}

/// Node reads nothing at the end of a file.
const atEnd = error => {
  if (error.code === 'EEOF') return new Uint8Array(0)
  throw error
}
