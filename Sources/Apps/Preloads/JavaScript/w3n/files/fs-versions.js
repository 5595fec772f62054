// The members `v` and `v.sync` of folder trees whose files have versions.
import { late } from '../groups.js'
import { ask, bytesOf, given, message, present, some, value } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import { fileFrom } from './file.js'
import { fsFrom } from './fs.js'
import {
  adoptOptions, attribute, attributeChanges, difference, diffOptions, json, listed, parsed, readFlags, stats, syncStatus,
  uploadOptions, versions, writeFlags,
} from './shapes.js'

const read = reply => ask('fs.PathAndFlagsRequestBody', ([path, flags]) => ({ path, flags: readFlags(flags) }), reply)
const number = value('common.UInt64Value')

const reads = late(() => ({
  getByteSource: read(message('file.VersionedGetByteSourceReplyBody',
    ({ src, version }, client) => ({ src: byteSource(client, src), version }))),
  stat: read(message('file.StatsMsg', stats)),
  getXAttr: ask('fs.VersionedGetXAttrRequestBody', ([path, xaName, flags]) => ({ path, xaName, flags: readFlags(flags) }),
    message('file.VersionedGetXAttrReplyBody', reply => ({ attr: attribute(reply), version: reply.version }))),
  listXAttrs: read(message('file.VersionedListXAttrsReplyBody', ({ xaNames, version }) => ({ lst: xaNames, version }))),
  listFolder: read(message('fs.VersionedListFolderReplyBody', ({ entries, version }) => ({ lst: entries.map(listed), version }))),
  readBytes: ask('fs.VersionedReadBytesRequestBody',
    ([path, start, end, flags]) => ({ path, start: some(start), end: some(end), flags: readFlags(flags) }),
    message('file.VersionedReadBytesReplyBody', ({ bytes, version }) => present({ bytes: given(bytes), version }))),
  readJSONFile: read(message('file.VersionedReadJsonReplyBody', ({ json, version }) => ({ json: parsed(json), version }))),
  readTxtFile: read(message('file.VersionedReadTxtReplyBody')),
  listVersions: ask('fs.PathOnlyRequestBody', ([path]) => ({ path }), message('file.ListVersionsReplyBody', versions)),
}))

const writes = late(() => ({
  getByteSink: ask('fs.VersionedGetByteSinkRequestBody', ([path, flags]) => ({ path, flags: writeFlags(flags) }),
    message('file.VersionedGetByteSinkReplyBody', ({ sink, version }, client) => ({ sink: byteSink(client, sink), version }))),
  writeBytes: ask('fs.VersionedWriteBytesRequestBody',
    ([path, bytes, flags]) => ({ path, bytes: bytesOf(bytes), flags: writeFlags(flags) }), number),
  writeJSONFile: ask('fs.VersionedWriteJsonFileRequestBody',
    ([path, value, flags]) => ({ path, json: json(value), flags: writeFlags(flags) }), number),
  writeTxtFile: ask('fs.VersionedWriteTxtFileRequestBody',
    ([path, txt, flags]) => ({ path, txt, flags: writeFlags(flags) }), number),
  updateXAttrs: ask('fs.UpdateXAttrsRequestBody', ([path, changes]) => ({ path, changes: attributeChanges(changes) }), number),
  archiveCurrent: ask('fs.ArchiveCurrentRequestBody', ([path, version]) => ({ path, version: some(version) }), number),
}))

/// `(path, remote_item_name, remote_version)`
const remoteChild = reply => ask('fs.RemoteChildRequestBody',
  ([path, remoteItemName, version]) => ({ path, remoteItemName, remoteVersion: some(version) }), reply)
const upload = ([path, opts]) => ({ path, opts: uploadOptions(opts) })

const syncReads = late(() => ({
  whenConnected: ask(),
  status: ask('fs.FSSyncStatusRequestBody', ([path, skip]) => ({ path, skipServerCheck: skip }),
    message('file.SyncStatusMsg', syncStatus)),
  isRemoteVersionOnDisk: ask('fs.FSSyncIsOnDiskRequestBody', ([path, version]) => ({ path, version }),
    message('fs.FSSyncIsOnDiskReplyBody', ({ status }) => status)),
  startDownload: ask('fs.FSSyncStartDownloadRequestBody', ([path, version]) => ({ path, version }),
    message('file.FileSyncStartDownloadReplyBody', ({ startedDownload }) => startedDownload)),
  adoptRemote: ask('fs.AdoptRemoteRequestBody', ([path, opts]) => ({ path, opts: adoptOptions(opts) })),
  diffCurrentAndRemoteFolderVersions: ask('fs.DiffCurrentAndRemoteFolderVersionsRequestBody',
    ([path, version]) => ({ path, remoteVersion: some(version) }),
    message('fs.DiffCurrentAndRemoteFolderVersionsReplyBody', ({ diff }) => difference(diff))),
  diffCurrentAndRemoteFileVersions: ask('fs.DiffCurrentAndRemoteFileVersionsRequestBody',
    ([path, opts]) => ({ path, opts: diffOptions(opts) }),
    message('file.DiffCurrentAndRemoteReplyBody', ({ diff }) => difference(diff))),
  statRemoteItem: remoteChild(message('file.StatsMsg', stats)),
  listRemoteFolderItem: remoteChild(message('fs.VersionedListFolderReplyBody',
    ({ entries, version }) => ({ lst: entries.map(listed), version }))),
  getRemoteFileItem: remoteChild(message('file.File', (file, client) => fileFrom(client, file))),
  getRemoteFolderItem: remoteChild(message('fs.FS', (fs, client) => fsFrom(client, fs))),
}))

const syncWrites = late(() => ({
  startUpload: ask('fs.FSSyncUploadRequestBody', upload,
    message('file.FileSyncStartUploadReplyBody', ({ startedUpload }) => startedUpload)),
  upload: ask('fs.FSSyncUploadRequestBody', upload,
    message('file.FileSyncUploadReplyBody', ({ uploadedVersion }) => given(uploadedVersion))),
  adoptRemoteFolderItem: ask('fs.AdoptRemoteFolderItemRequestBody', ([path, itemName, opts]) => ({
    path, itemName, opts: opts && {
      localVersion: some(opts.localVersion), uploadVersion: some(opts.uploadVersion),
      replaceLocalItem: some(opts.replaceLocalItem), newItemName: some(opts.newItemName),
    },
  })),
  absorbRemoteFolderChanges: ask('fs.AbsorbRemoteFolderChangesRequestBody', ([path, opts]) => ({
    path, opts: opts && {
      localVersion: some(opts.localVersion), postfixForNameOverlaps: some(opts.postfixForNameOverlaps),
      remoteVersion: some(opts.remoteVersion),
    },
  }), message('fs.AbsorbRemoteFolderChangesReplyBody', ({ newVersion }) => given(newVersion))),
}))

/// @returns the member `v` of a folder tree, with `sync` where it is synced
export const versionMethods = (client, path, fs, writable, isSynced) => {
  const v = client.methods(writable ? { ...reads(), ...writes() } : reads(), [...path, 'v'], fs)
  if (isSynced) v.sync = client.methods(writable ? { ...syncReads(), ...syncWrites() } : syncReads(), [...path, 'v', 'sync'], fs)
  return v
}
