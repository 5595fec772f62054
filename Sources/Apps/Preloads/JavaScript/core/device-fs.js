// `platform.device_fs`: the file system as node has it, over the file ports.
import { readUTF8, utf8 } from '../wire/utf8.js'
import { aboutPath } from './file-errors.js'
import { nodeStats } from './node-stats.js'
import { openFiles } from './open-file.js'

const bytesOf = data => typeof data === 'string' ? utf8(data) : data
const encodingOf = options => typeof options === 'string' ? options : options?.encoding

/// What node gives without an encoding: bytes whose text can be asked for.
class FileBytes extends Uint8Array {
  static get [Symbol.species]() { return Uint8Array }

  toString(encoding = 'utf8') { return textOf(this, encoding) }
}

const textOf = (bytes, encoding) => {
  if (!/^utf-?8$/i.test(encoding)) throw new TypeError(`files are not read in the encoding ${encoding}, only in utf8`)
  return readUTF8(bytes)
}

const contentOf = (bytes, encoding) =>
  encoding ? textOf(bytes, encoding) : new FileBytes(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const flagOf = options => typeof options === 'object' && options !== null ? options.flag : undefined

/// Files are written with one of three flags; every other one means the same as one of these.
const writeFlag = (flag = 'w') => flag.includes('x') ? 'wx' : flag.startsWith('r') ? 'r+' : 'w'

/// @param {import('./native.js').Native} native
export const deviceFS = native => {
  const appendFile = native('fs_appendFile', 'fs_op.AppendFileArgs')
  const copyFile = native('fs_copyFile', 'fs_op.CopyFileArgs')
  const lstat = native('fs_lstat', 'fs_op.PathArgs', 'fs_op.Stats')
  const mkdir = native('fs_mkdir', 'fs_op.DirRecursiveArgs')
  const open = native('fs_open', 'fs_op.OpenFileArgs', 'fn_calls.IntValue')
  const readdir = native('fs_readdir', 'fs_op.PathArgs', 'fn_calls.StringArrayValue')
  const readFile = native('fs_readFile', 'fs_op.PathArgs')
  const readlink = native('fs_readlink', 'fs_op.PathArgs', 'fn_calls.StringValue')
  const rename = native('fs_rename', 'fs_op.RenameArgs')
  const rmdir = native('fs_rmdir', 'fs_op.DirRecursiveArgs')
  const stat = native('fs_stat', 'fs_op.PathArgs', 'fs_op.Stats')
  const symlink = native('fs_symlink', 'fs_op.SymLinkCreateArgs')
  const truncate = native('fs_truncate', 'fs_op.TruncateFileArgs')
  const unlink = native('fs_unlink', 'fs_op.PathArgs')
  const writeFile = native('fs_writeFile', 'fs_op.WriteFileArgs')
  const openFile = openFiles(native)

  const done = (path, result) => aboutPath(path, result).then(() => {})
  const value = (path, result, map) => aboutPath(path, result).then(map)

  return {
    appendFile: (path, data) => done(path, appendFile({ path, chunk: bytesOf(data) })),
    copyFile: (src, dst, overwrite = false) => done(src, copyFile({ src, dst, overwrite: overwrite === true })),
    lstat: path => value(path, lstat({ path }), nodeStats),
    mkdir: (path, options) => done(path, mkdir({ path, recursive: options?.recursive === true })),
    open: (path, flags = 'r') => value(path, open({ path, openFlag: flags }), ({ value }) => openFile(value, path, flags)),
    readdir: path => value(path, readdir({ path }), ({ values }) => values),
    readFile: (path, options) =>
      value(path, readFile({ path }), bytes => contentOf(bytes, encodingOf(options))),
    readlink: path => value(path, readlink({ path }), ({ value }) => value),
    rename: (oldPath, newPath) => done(oldPath, rename({ oldPath, newPath })),
    rmdir: (path, options) => done(path, rmdir({ path, recursive: options?.recursive === true })),
    stat: path => value(path, stat({ path }), nodeStats),
    symlink: (target, path) => done(path, symlink({ path, target })),
    truncate: (path, len = 0) => done(path, truncate({ path, len })),
    unlink: path => done(path, unlink({ path })),
    writeFile: (path, data, options) =>
      done(path, writeFile({ path, writeFlag: writeFlag(flagOf(options)), content: bytesOf(data) })),
  }
}
