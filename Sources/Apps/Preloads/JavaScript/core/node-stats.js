// Statistics of a file, as node has them.

export const nodeStats = ({ isFile, isDirectory, isSymbolicLink, birthtimeMs, mtimeMs, atimeMs, size, blocks, blksize }) => ({
  isFile: () => isFile, isDirectory: () => isDirectory, isSymbolicLink: () => isSymbolicLink,
  isBlockDevice: () => false, isCharacterDevice: () => false, isFIFO: () => false, isSocket: () => false,
  size, blocks, blksize, dev: 1, ino: 1, nlink: 1, mode: 0, uid: 1000, gid: 1000, rdev: 0,
  birthtimeMs, mtimeMs, atimeMs, ctimeMs: mtimeMs,
  birthtime: new Date(birthtimeMs), mtime: new Date(mtimeMs), atime: new Date(atimeMs), ctime: new Date(mtimeMs),
})
