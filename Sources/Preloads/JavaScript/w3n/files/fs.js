// Folder trees by reference. Versions are in fs-versions.js.
import {
  common_BooleanValue, common_ObjectReference, common_StringArrayValue, file_File, file_ReadBytesReplyBody, file_StatsMsg,
  file_XAttrValue, fs_CheckPresenceRequestBody, fs_CopyFileRequestBody, fs_CopyFolderRequestBody, fs_DeleteFolderRequestBody,
  fs_FS, fs_GetXAttrRequestBody, fs_LinkRequestBody, fs_ListFolderReplyBody, fs_MakeFolderRequestBody, fs_MoveRequestBody,
  fs_PathAndOptFileFlags, fs_PathOnlyRequestBody, fs_ReadBytesRequestBody, fs_SaveFileRequestBody, fs_SaveFolderRequestBody,
  fs_SymLink, fs_UpdateXAttrsRequestBody, fs_WatchTreeRequestBody, fs_WriteBytesRequestBody, fs_WriteJsonFileRequestBody,
  fs_WriteTxtFileRequestBody,
} from 'messages'
import { ask, bytesOf, given, message, some, text, value, watch } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import { fileFrom } from './file.js'
import { versionMethods } from './fs-versions.js'
import { select } from './select.js'
import { attribute, attributeChanges, event, json, jsonOf, listed, stats, writeFlags } from './shapes.js'
import { linkFrom } from './link.js'

const pathOnly = ([path]) => ({ path })
const onPath = reply => ask(fs_PathOnlyRequestBody, pathOnly, reply)
const checkPresence = ask(fs_CheckPresenceRequestBody,
  ([path, throwIfMissing]) => ({ path, throwIfMissing: some(throwIfMissing) }), value(common_BooleanValue))
const watchPath = watch(fs_PathOnlyRequestBody, pathOnly, event)
const file = message(file_File, (file, client) => fileFrom(client, file))
const folder = message(fs_FS, (fs, client) => fsFrom(client, fs))
const sink = message(common_ObjectReference, (reference, client) => byteSink(client, reference))

const reads = {
  checkFilePresence: checkPresence,
  checkFolderPresence: checkPresence,
  checkLinkPresence: checkPresence,
  close: ask(),
  getByteSource: onPath(message(common_ObjectReference, (reference, client) => byteSource(client, reference))),
  getXAttr: ask(fs_GetXAttrRequestBody, ([path, xaName]) => ({ path, xaName }), message(file_XAttrValue, attribute)),
  listXAttrs: onPath(message(common_StringArrayValue, ({ values }) => values)),
  listFolder: onPath(message(fs_ListFolderReplyBody, ({ entries }) => entries.map(listed))),
  readBytes: ask(fs_ReadBytesRequestBody, ([path, start, end]) => ({ path, start: some(start), end: some(end) }),
    message(file_ReadBytesReplyBody, ({ bytes }) => given(bytes))),
  readLink: onPath(message(fs_SymLink, (link, client) => linkFrom(client, link))),
  readJSONFile: onPath(jsonOf),
  readTxtFile: onPath(text),
  readonlyFile: onPath(file),
  readonlySubRoot: onPath(folder),
  // The module of searches needs this one first.
  select: (...made) => select(...made),
  stat: onPath(message(file_StatsMsg, stats)),
  watchFolder: watchPath,
  watchFile: watchPath,
  watchTree: watch(fs_WatchTreeRequestBody, ([path, depth]) => ({ path, depth: some(depth) }), event),
}

const withFlags = ([path, flags]) => ({ path, flags: writeFlags(flags) })

const writes = {
  copyFile: ask(fs_CopyFileRequestBody, ([src, dst, overwrite]) => ({ src, dst, overwrite: some(overwrite) })),
  copyFolder: ask(fs_CopyFolderRequestBody, ([src, dst, merge]) => ({ src, dst, mergeAndOverwrite: some(merge) })),
  deleteFile: onPath(),
  deleteFolder: ask(fs_DeleteFolderRequestBody, ([path, removeContent]) => ({ path, removeContent: some(removeContent) })),
  deleteLink: onPath(),
  getByteSink: ask(fs_PathAndOptFileFlags, withFlags, sink),
  link: ask(fs_LinkRequestBody, ([path, target], client) => ({ path, target: client.reference(target, 'FileImpl', 'FSImpl') })),
  makeFolder: ask(fs_MakeFolderRequestBody, ([path, exclusive]) => ({ path, exclusive: some(exclusive) })),
  move: ask(fs_MoveRequestBody, ([src, dst]) => ({ src, dst })),
  saveFile: ask(fs_SaveFileRequestBody,
    ([file, dst, overwrite], client) => ({ file: client.reference(file, 'FileImpl'), dst, overwrite: some(overwrite) })),
  saveFolder: ask(fs_SaveFolderRequestBody,
    ([folder, dst, merge], client) => ({ folder: client.reference(folder, 'FSImpl'), dst, mergeAndOverwrite: some(merge) })),
  updateXAttrs: ask(fs_UpdateXAttrsRequestBody, ([path, changes]) => ({ path, changes: attributeChanges(changes) })),
  writableFile: ask(fs_PathAndOptFileFlags, withFlags, file),
  writableSubRoot: ask(fs_PathAndOptFileFlags, withFlags, folder),
  writeBytes: ask(fs_WriteBytesRequestBody,
    ([path, bytes, flags]) => ({ path, bytes: bytesOf(bytes), flags: writeFlags(flags) })),
  writeJSONFile: ask(fs_WriteJsonFileRequestBody,
    ([path, value, flags]) => ({ path, json: json(value), flags: writeFlags(flags) })),
  writeTxtFile: ask(fs_WriteTxtFileRequestBody, ([path, txt, flags]) => ({ path, txt, flags: writeFlags(flags) })),
}

/// A folder tree, as the other side describes it.
export const fsFrom = (client, { type, isVersioned, isSynced, writable, name, impl }) => {
  const fs = { type, name, versioned: isVersioned, writable }
  Object.assign(fs, client.methods(writable ? { ...reads, ...writes } : reads, impl.path, fs))
  if (isVersioned) fs.v = versionMethods(client, impl.path, fs, writable, isSynced)
  return client.adopt(impl, fs)
}
