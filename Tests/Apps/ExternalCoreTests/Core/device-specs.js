// What a device's file system has to do for a core, function by function and error by error.

const deviceSpecs = {}
const spec = (name, run) => { deviceSpecs[name] = run }

const check = (isTrue, what) => { if (!isTrue) throw new Error(what) }
const same = (found, expected) =>
  check(JSON.stringify(found) === JSON.stringify(expected), `${JSON.stringify(found)} is not ${JSON.stringify(expected)}`)

/// The call has to fail with a file exception of this code, flag and path.
const fails = async (promise, code, flag, path) => {
  const error = await promise.then(() => check(false, `${code} was expected`), error => error)
  check(error.runtimeException === true && error.type === 'file', `no file exception: ${error}`)
  same([error.code, error[flag], error.path], [code, true, path])
}

/// Files have text, folders are objects.
const make = async (fs, dir, tree) => {
  for (const [name, item] of Object.entries(tree)) {
    if (typeof item === 'string') await fs.writeFile(`${dir}/${name}`, item)
    else {
      await fs.mkdir(`${dir}/${name}`)
      await make(fs, `${dir}/${name}`, item)
    }
  }
}

spec('readFile: text', async (fs, d) => { await make(fs, d, { f: 'hé' }); same(await fs.readFile(`${d}/f`, 'utf8'), 'hé') })
spec('readFile: bytes', async (fs, d) => { await make(fs, d, { f: 'a' }); same([...await fs.readFile(`${d}/f`)], [97]) })
spec('readFile: bytes have their text', async (fs, d) => {
  await make(fs, d, { f: 'hé' })
  same((await fs.readFile(`${d}/f`)).toString(), 'hé')
  same((await fs.readFile(`${d}/f`)).toString('utf-8'), 'hé')
})
spec('readFile: empty', async (fs, d) => { await make(fs, d, { f: '' }); same((await fs.readFile(`${d}/f`)).length, 0) })
spec('readFile: large', async (fs, d) => {
  const bytes = new Uint8Array(200_000).map((_, index) => index * 7)
  await fs.writeFile(`${d}/f`, bytes)
  const read = await fs.readFile(`${d}/f`)
  check(read.length === bytes.length && read.every((byte, index) => byte === bytes[index]), 'other bytes')
})
spec('readFile: missing', (fs, d) => fails(fs.readFile(`${d}/f`), 'ENOENT', 'notFound', `${d}/f`))
spec('readFile: missing folder', (fs, d) => fails(fs.readFile(`${d}/g/f`), 'ENOENT', 'notFound', `${d}/g/f`))
spec('readFile: folder', (fs, d) => fails(fs.readFile(d), 'EISDIR', 'isDirectory', d))
spec('readFile: below a file', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.readFile(`${d}/f/g`), 'ENOTDIR', 'notDirectory', `${d}/f/g`)
})
spec('writeFile: replaces', async (fs, d) => {
  await make(fs, d, { f: 'long content' })
  await fs.writeFile(`${d}/f`, 'short')
  same(await fs.readFile(`${d}/f`, 'utf8'), 'short')
})
spec('writeFile: wx makes', async (fs, d) => {
  await fs.writeFile(`${d}/f`, '1', { flag: 'wx' })
  await fails(fs.writeFile(`${d}/f`, '2', { flag: 'wx' }), 'EEXIST', 'alreadyExists', `${d}/f`)
  same(await fs.readFile(`${d}/f`, 'utf8'), '1')
})
spec('writeFile: r+ keeps the rest', async (fs, d) => {
  await make(fs, d, { f: 'hello' })
  await fs.writeFile(`${d}/f`, 'J', { flag: 'r+' })
  same(await fs.readFile(`${d}/f`, 'utf8'), 'Jello')
})
spec('writeFile: r+ needs the file', (fs, d) =>
  fails(fs.writeFile(`${d}/f`, '', { flag: 'r+' }), 'ENOENT', 'notFound', `${d}/f`))
spec('writeFile: folder', (fs, d) => fails(fs.writeFile(d, ''), 'EISDIR', 'isDirectory', d))
spec('writeFile: missing folder', (fs, d) => fails(fs.writeFile(`${d}/g/f`, ''), 'ENOENT', 'notFound', `${d}/g/f`))
spec('appendFile: makes and appends', async (fs, d) => {
  await fs.appendFile(`${d}/f`, 'a')
  await fs.appendFile(`${d}/f`, new Uint8Array([98]))
  same(await fs.readFile(`${d}/f`, 'utf8'), 'ab')
})
spec('appendFile: missing folder', (fs, d) => fails(fs.appendFile(`${d}/g/f`, ''), 'ENOENT', 'notFound', `${d}/g/f`))
spec('copyFile: copies', async (fs, d) => {
  await make(fs, d, { f: '1', g: '22' })
  await fs.copyFile(`${d}/f`, `${d}/h`)
  await fs.copyFile(`${d}/f`, `${d}/g`, true)
  same(await fs.readFile(`${d}/g`, 'utf8'), '1')
})
spec('copyFile: overwrites nothing unless told', async (fs, d) => {
  await make(fs, d, { f: '1', g: '2' })
  await fails(fs.copyFile(`${d}/f`, `${d}/g`), 'EEXIST', 'alreadyExists', `${d}/f`)
})
spec('copyFile: missing', (fs, d) => fails(fs.copyFile(`${d}/f`, `${d}/g`), 'ENOENT', 'notFound', `${d}/f`))
spec('copyFile: folder', (fs, d) => fails(fs.copyFile(d, `${d}/g`), 'EISDIR', 'isDirectory', d))
spec('stat: file', async (fs, d) => {
  const before = Date.now()
  await make(fs, d, { f: '12345' })
  const stats = await fs.stat(`${d}/f`)
  same([stats.isFile(), stats.isDirectory(), stats.isSymbolicLink(), stats.size], [true, false, false, 5])
  check(Math.abs(stats.mtimeMs - before) < 60_000 && stats.mtime instanceof Date && stats.blksize > 0, 'other times or blocks')
})
spec('stat: folder', async (fs, d) => same((await fs.stat(d)).isDirectory(), true))
spec('stat: missing', (fs, d) => fails(fs.stat(`${d}/f`), 'ENOENT', 'notFound', `${d}/f`))
spec('lstat: does not follow', async (fs, d) => {
  await make(fs, d, { f: '123' })
  await fs.symlink(`${d}/f`, `${d}/l`)
  same([(await fs.lstat(`${d}/l`)).isSymbolicLink(), (await fs.stat(`${d}/l`)).isFile()], [true, true])
})
spec('lstat: dangling', async (fs, d) => {
  await fs.symlink(`${d}/f`, `${d}/l`)
  same((await fs.lstat(`${d}/l`)).isSymbolicLink(), true)
  await fails(fs.stat(`${d}/l`), 'ENOENT', 'notFound', `${d}/l`)
})
spec('mkdir: one', async (fs, d) => { await fs.mkdir(`${d}/g`); same(await fs.readdir(d), ['g']) })
spec('mkdir: exists', (fs, d) => fails(fs.mkdir(d), 'EEXIST', 'alreadyExists', d))
spec('mkdir: no parent', (fs, d) => fails(fs.mkdir(`${d}/a/b`), 'ENOENT', 'notFound', `${d}/a/b`))
spec('mkdir: recursive', async (fs, d) => {
  await fs.mkdir(`${d}/a/b/c`, { recursive: true })
  await fs.mkdir(`${d}/a/b/c`, { recursive: true })
  same(await fs.readdir(`${d}/a/b`), ['c'])
})
spec('mkdir: over a file', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.mkdir(`${d}/f`, { recursive: true }), 'EEXIST', 'alreadyExists', `${d}/f`)
})
spec('readdir: all kinds', async (fs, d) => {
  await make(fs, d, { f: '', g: { h: '' }, '.hidden': '', 'ü ☀️': '' })
  same((await fs.readdir(d)).sort(), ['.hidden', 'f', 'g', 'ü ☀️'])
})
spec('readdir: file', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.readdir(`${d}/f`), 'ENOTDIR', 'notDirectory', `${d}/f`)
})
spec('readdir: missing', (fs, d) => fails(fs.readdir(`${d}/g`), 'ENOENT', 'notFound', `${d}/g`))
spec('rmdir: empty', async (fs, d) => { await make(fs, d, { g: {} }); await fs.rmdir(`${d}/g`); same(await fs.readdir(d), []) })
spec('rmdir: full', async (fs, d) => {
  await make(fs, d, { g: { f: '' } })
  await fails(fs.rmdir(`${d}/g`), 'ENOTEMPTY', 'notEmpty', `${d}/g`)
  await fs.rmdir(`${d}/g`, { recursive: true })
  same(await fs.readdir(d), [])
})
spec('rmdir: file', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.rmdir(`${d}/f`), 'ENOTDIR', 'notDirectory', `${d}/f`)
})
spec('rmdir: missing', (fs, d) => fails(fs.rmdir(`${d}/g`), 'ENOENT', 'notFound', `${d}/g`))
spec('rename: file', async (fs, d) => {
  await make(fs, d, { f: '1', g: {} })
  await fs.rename(`${d}/f`, `${d}/g/h`)
  same([await fs.readdir(d), await fs.readFile(`${d}/g/h`, 'utf8')], [['g'], '1'])
})
spec('rename: replaces', async (fs, d) => {
  await make(fs, d, { f: '1', g: '2' })
  await fs.rename(`${d}/f`, `${d}/g`)
  same([await fs.readdir(d), await fs.readFile(`${d}/g`, 'utf8')], [['g'], '1'])
})
spec('rename: folder with content', async (fs, d) => {
  await make(fs, d, { g: { f: '1' } })
  await fs.rename(`${d}/g`, `${d}/h`)
  same(await fs.readFile(`${d}/h/f`, 'utf8'), '1')
})
spec('rename: over a full folder', async (fs, d) => {
  await make(fs, d, { g: {}, h: { f: '' } })
  await fails(fs.rename(`${d}/g`, `${d}/h`), 'ENOTEMPTY', 'notEmpty', `${d}/g`)
})
spec('rename: missing', (fs, d) => fails(fs.rename(`${d}/f`, `${d}/g`), 'ENOENT', 'notFound', `${d}/f`))
spec('unlink: file', async (fs, d) => { await make(fs, d, { f: '' }); await fs.unlink(`${d}/f`); same(await fs.readdir(d), []) })
spec('unlink: link, not its target', async (fs, d) => {
  await make(fs, d, { f: '1' })
  await fs.symlink(`${d}/f`, `${d}/l`)
  await fs.unlink(`${d}/l`)
  same(await fs.readdir(d), ['f'])
})
spec('unlink: folder', async (fs, d) => {
  await make(fs, d, { g: {} })
  await fails(fs.unlink(`${d}/g`), 'EISDIR', 'isDirectory', `${d}/g`)
})
spec('unlink: missing', (fs, d) => fails(fs.unlink(`${d}/f`), 'ENOENT', 'notFound', `${d}/f`))
spec('symlink: file', async (fs, d) => {
  await make(fs, d, { f: '1' })
  await fs.symlink(`${d}/f`, `${d}/l`)
  same([await fs.readFile(`${d}/l`, 'utf8'), await fs.readlink(`${d}/l`)], ['1', `${d}/f`])
})
spec('symlink: folder', async (fs, d) => {
  await make(fs, d, { g: { f: '1' } })
  await fs.symlink(`${d}/g`, `${d}/l`)
  same(await fs.readFile(`${d}/l/f`, 'utf8'), '1')
})
spec('symlink: name is taken', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.symlink(`${d}/g`, `${d}/f`), 'EEXIST', 'alreadyExists', `${d}/f`)
})
spec('symlink: outside', (fs, d) => fails(fs.symlink('/etc/passwd', `${d}/l`), 'EPERM', 'opNotPermitted', `${d}/l`))
spec('readlink: no link', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.readlink(`${d}/f`), 'EIO', 'ioError', `${d}/f`)
})
spec('readlink: missing', (fs, d) => fails(fs.readlink(`${d}/l`), 'ENOENT', 'notFound', `${d}/l`))
spec('truncate: shorter and longer', async (fs, d) => {
  await make(fs, d, { f: '12345' })
  await fs.truncate(`${d}/f`, 2)
  same(await fs.readFile(`${d}/f`, 'utf8'), '12')
  await fs.truncate(`${d}/f`, 4)
  same([...await fs.readFile(`${d}/f`)], [49, 50, 0, 0])
  await fs.truncate(`${d}/f`)
  same((await fs.stat(`${d}/f`)).size, 0)
})
spec('truncate: missing', (fs, d) => fails(fs.truncate(`${d}/f`), 'ENOENT', 'notFound', `${d}/f`))
spec('open: reads in parts', async (fs, d) => {
  await make(fs, d, { f: 'hello' })
  const file = await fs.open(`${d}/f`, 'r')
  const buffer = new Uint8Array(10)
  same((await file.read(buffer, 1, 3, 1)).bytesRead, 3)
  same([...buffer.subarray(0, 5)], [0, 101, 108, 108, 0])
  same((await file.read(buffer, 0, 10, 3)).bytesRead, 2)
  same((await file.read(buffer, 0, 10, 5)).bytesRead, 0)
  await file.close()
})
spec('open: writes in parts', async (fs, d) => {
  const file = await fs.open(`${d}/f`, 'wx+')
  const bytes = new TextEncoder().encode('abc')
  same((await file.write(bytes, 0, 2, 3)).bytesWritten, 2)
  await file.write(bytes, 2, 1, 0)
  await file.sync()
  same((await file.stat()).size, 5)
  await file.truncate(4)
  await file.close()
  same([...await fs.readFile(`${d}/f`)], [99, 0, 0, 97])
})
spec('open: r+ needs the file', (fs, d) => fails(fs.open(`${d}/f`, 'r+'), 'ENOENT', 'notFound', `${d}/f`))
spec('open: wx wants it new', async (fs, d) => {
  await make(fs, d, { f: '' })
  await fails(fs.open(`${d}/f`, 'wx'), 'EEXIST', 'alreadyExists', `${d}/f`)
})
spec('open: w empties', async (fs, d) => {
  await make(fs, d, { f: '123' })
  await (await fs.open(`${d}/f`, 'w')).close()
  same((await fs.stat(`${d}/f`)).size, 0)
})
spec('open: a appends', async (fs, d) => {
  await make(fs, d, { f: '123' })
  const file = await fs.open(`${d}/f`, 'a')
  await file.write(new Uint8Array([52]))
  await file.close()
  same(await fs.readFile(`${d}/f`, 'utf8'), '1234')
})
spec('open: writing what is read', async (fs, d) => {
  await make(fs, d, { f: '1' })
  const file = await fs.open(`${d}/f`, 'r')
  await fails(file.write(new Uint8Array([1]), 0, 1, 0), 'EPERM', 'opNotPermitted', `${d}/f`)
  await fails(file.truncate(0), 'EPERM', 'opNotPermitted', `${d}/f`)
})
spec('open: reading what is written', async (fs, d) => {
  const file = await fs.open(`${d}/f`, 'w')
  await fails(file.read(new Uint8Array(1), 0, 1, 0), 'EPERM', 'opNotPermitted', `${d}/f`)
})
spec('open: after closing', async (fs, d) => {
  const file = await fs.open(`${d}/f`, 'w+')
  await file.close()
  await file.close()
  await fails(file.read(new Uint8Array(1), 0, 1, 0), 'ENOENT', 'notFound', `${d}/f`)
  await fails(file.stat(), 'ENOENT', 'notFound', `${d}/f`)
  await fails(file.sync(), 'ENOENT', 'notFound', `${d}/f`)
})
spec('open: missing folder', (fs, d) => fails(fs.open(`${d}/g/f`, 'w'), 'ENOENT', 'notFound', `${d}/g/f`))
spec('open: folder for writing', (fs, d) => fails(fs.open(d, 'r+'), 'EISDIR', 'isDirectory', d))
spec('open: unknown flag', async (fs, d) => {
  const error = await fs.open(`${d}/f`, 'q').catch(error => error)
  check(error instanceof Error && !error.runtimeException, 'no plain error')
})
spec('many at once', async (fs, d) => {
  const names = Array.from({ length: 100 }, (_, index) => `${d}/${index}`)
  await Promise.all(names.map(name => fs.writeFile(name, name)))
  same(await Promise.all(names.map(name => fs.readFile(name, 'utf8'))), names)
})
spec('outside: absolute', (fs, d) => fails(fs.readFile('/etc/passwd'), 'EPERM', 'opNotPermitted', '/etc/passwd'))
spec('outside: upwards', (fs, d) =>
  fails(fs.writeFile(`${d}/../../../../x`, ''), 'EPERM', 'opNotPermitted', `${d}/../../../../x`))

/// Runs each in a folder of its own. Returns names with what went wrong, or null.
const runDeviceSpecs = async (fs, dataDir) => {
  const results = {}
  for (const [index, [name, run]] of Object.entries(deviceSpecs).entries()) {
    const folder = `${dataDir}/spec-${index}`
    await fs.mkdir(folder)
    results[name] = await run(fs, folder).then(() => null, error => String(error.message ?? JSON.stringify(error)))
    await fs.rmdir(folder, { recursive: true })
  }
  return results
}
