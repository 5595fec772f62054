// Folder trees by reference. Versions are in fs-versions.js.
import { late } from '../groups.js'
import { ask, bytesOf, given, message, some, text, value, watch } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import { fileFrom } from './file.js'
import { versionMethods } from './fs-versions.js'
import { select } from './select.js'
import { attribute, attributeChanges, event, json, jsonOf, listed, stats, writeFlags } from './shapes.js'
import { linkFrom } from './link.js'

const pathOnly = ([path]) => ({ path })
const onPath = reply => ask('fs.PathOnlyRequestBody', pathOnly, reply)
const checkPresence = ask('fs.CheckPresenceRequestBody',
  ([path, throwIfMissing]) => ({ path, throwIfMissing: some(throwIfMissing) }), value('common.BooleanValue'))
const watchPath = watch('fs.PathOnlyRequestBody', pathOnly, event)
const file = message('file.File', (file, client) => fileFrom(client, file))
const folder = message('fs.FS', (fs, client) => fsFrom(client, fs))
const sink = message('common.ObjectReference', (reference, client) => byteSink(client, reference))

const reads = late(() => ({
  checkFilePresence: checkPresence,
  checkFolderPresence: checkPresence,
  checkLinkPresence: checkPresence,
  close: ask(),
  getByteSource: onPath(message('common.ObjectReference', (reference, client) => byteSource(client, reference))),
  getXAttr: ask('fs.GetXAttrRequestBody', ([path, xaName]) => ({ path, xaName }), message('file.XAttrValue', attribute)),
  listXAttrs: onPath(message('common.StringArrayValue', ({ values }) => values)),
  listFolder: onPath(message('fs.ListFolderReplyBody', ({ entries }) => entries.map(listed))),
  readBytes: ask('fs.ReadBytesRequestBody', ([path, start, end]) => ({ path, start: some(start), end: some(end) }),
    message('file.ReadBytesReplyBody', ({ bytes }) => given(bytes))),
  readLink: onPath(message('fs.SymLink', (link, client) => linkFrom(client, link))),
  readJSONFile: onPath(jsonOf),
  readTxtFile: onPath(text),
  readonlyFile: onPath(file),
  readonlySubRoot: onPath(folder),
  select,
  stat: onPath(message('file.StatsMsg', stats)),
  watchFolder: watchPath,
  watchFile: watchPath,
  watchTree: watch('fs.WatchTreeRequestBody', ([path, depth]) => ({ path, depth: some(depth) }), event),
}))

const withFlags = ([path, flags]) => ({ path, flags: writeFlags(flags) })

const writes = late(() => ({
  copyFile: ask('fs.CopyFileRequestBody', ([src, dst, overwrite]) => ({ src, dst, overwrite: some(overwrite) })),
  copyFolder: ask('fs.CopyFolderRequestBody', ([src, dst, merge]) => ({ src, dst, mergeAndOverwrite: some(merge) })),
  deleteFile: onPath(),
  deleteFolder: ask('fs.DeleteFolderRequestBody', ([path, removeContent]) => ({ path, removeContent: some(removeContent) })),
  deleteLink: onPath(),
  getByteSink: ask('fs.PathAndOptFileFlags', withFlags, sink),
  link: ask('fs.LinkRequestBody', ([path, target], client) => ({ path, target: client.reference(target, 'FileImpl', 'FSImpl') })),
  makeFolder: ask('fs.MakeFolderRequestBody', ([path, exclusive]) => ({ path, exclusive: some(exclusive) })),
  move: ask('fs.MoveRequestBody', ([src, dst]) => ({ src, dst })),
  saveFile: ask('fs.SaveFileRequestBody',
    ([file, dst, overwrite], client) => ({ file: client.reference(file, 'FileImpl'), dst, overwrite: some(overwrite) })),
  saveFolder: ask('fs.SaveFolderRequestBody',
    ([folder, dst, merge], client) => ({ folder: client.reference(folder, 'FSImpl'), dst, mergeAndOverwrite: some(merge) })),
  updateXAttrs: ask('fs.UpdateXAttrsRequestBody', ([path, changes]) => ({ path, changes: attributeChanges(changes) })),
  writableFile: ask('fs.PathAndOptFileFlags', withFlags, file),
  writableSubRoot: ask('fs.PathAndOptFileFlags', withFlags, folder),
  writeBytes: ask('fs.WriteBytesRequestBody',
    ([path, bytes, flags]) => ({ path, bytes: bytesOf(bytes), flags: writeFlags(flags) })),
  writeJSONFile: ask('fs.WriteJsonFileRequestBody',
    ([path, value, flags]) => ({ path, json: json(value), flags: writeFlags(flags) })),
  writeTxtFile: ask('fs.WriteTxtFileRequestBody', ([path, txt, flags]) => ({ path, txt, flags: writeFlags(flags) })),
}))

/// A folder tree, as the other side describes it.
export const fsFrom = (client, { type, isVersioned, isSynced, writable, name, impl }) => {
  const fs = { type, name, versioned: isVersioned, writable }
  Object.assign(fs, client.methods(writable ? { ...reads(), ...writes() } : reads(), impl.path, fs))
  if (isVersioned) fs.v = versionMethods(client, impl.path, fs, writable, isSynced)
  return client.adopt(impl, fs)
}
