// The members `v` and `v.sync` of folder trees whose files have versions.
import {
  common_UInt64Value, file_DiffCurrentAndRemoteReplyBody, file_File, file_FileSyncStartDownloadReplyBody,
  file_FileSyncStartUploadReplyBody, file_FileSyncUploadReplyBody, file_ListVersionsReplyBody, file_StatsMsg, file_SyncStatusMsg,
  file_VersionedGetByteSinkReplyBody, file_VersionedGetByteSourceReplyBody, file_VersionedGetXAttrReplyBody,
  file_VersionedListXAttrsReplyBody, file_VersionedReadBytesReplyBody, file_VersionedReadJsonReplyBody,
  file_VersionedReadTxtReplyBody, fs_AbsorbRemoteFolderChangesReplyBody, fs_AbsorbRemoteFolderChangesRequestBody,
  fs_AdoptRemoteFolderItemRequestBody, fs_AdoptRemoteRequestBody, fs_ArchiveCurrentRequestBody,
  fs_DiffCurrentAndRemoteFileVersionsRequestBody, fs_DiffCurrentAndRemoteFolderVersionsReplyBody,
  fs_DiffCurrentAndRemoteFolderVersionsRequestBody, fs_FS, fs_FSSyncIsOnDiskReplyBody, fs_FSSyncIsOnDiskRequestBody,
  fs_FSSyncStartDownloadRequestBody, fs_FSSyncStatusRequestBody, fs_FSSyncUploadRequestBody, fs_PathAndFlagsRequestBody,
  fs_PathOnlyRequestBody, fs_RemoteChildRequestBody, fs_UpdateXAttrsRequestBody, fs_VersionedGetByteSinkRequestBody,
  fs_VersionedGetXAttrRequestBody, fs_VersionedListFolderReplyBody, fs_VersionedReadBytesRequestBody,
  fs_VersionedWriteBytesRequestBody, fs_VersionedWriteJsonFileRequestBody, fs_VersionedWriteTxtFileRequestBody,
} from 'messages'
import { ask, bytesOf, given, message, present, some, value } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import { fileFrom } from './file.js'
import { fsFrom } from './fs.js'
import {
  adoptOptions, attribute, attributeChanges, difference, diffOptions, json, listed, parsed, readFlags, stats, syncStatus,
  uploadOptions, versions, writeFlags,
} from './shapes.js'

const read = reply => ask(fs_PathAndFlagsRequestBody, ([path, flags]) => ({ path, flags: readFlags(flags) }), reply)
const number = value(common_UInt64Value)

const reads = {
  getByteSource: read(message(file_VersionedGetByteSourceReplyBody,
    ({ src, version }, client) => ({ src: byteSource(client, src), version }))),
  stat: read(message(file_StatsMsg, stats)),
  getXAttr: ask(fs_VersionedGetXAttrRequestBody, ([path, xaName, flags]) => ({ path, xaName, flags: readFlags(flags) }),
    message(file_VersionedGetXAttrReplyBody, reply => ({ attr: attribute(reply), version: reply.version }))),
  listXAttrs: read(message(file_VersionedListXAttrsReplyBody, ({ xaNames, version }) => ({ lst: xaNames, version }))),
  listFolder: read(message(fs_VersionedListFolderReplyBody, ({ entries, version }) => ({ lst: entries.map(listed), version }))),
  readBytes: ask(fs_VersionedReadBytesRequestBody,
    ([path, start, end, flags]) => ({ path, start: some(start), end: some(end), flags: readFlags(flags) }),
    message(file_VersionedReadBytesReplyBody, ({ bytes, version }) => present({ bytes: given(bytes), version }))),
  readJSONFile: read(message(file_VersionedReadJsonReplyBody, ({ json, version }) => ({ json: parsed(json), version }))),
  readTxtFile: read(message(file_VersionedReadTxtReplyBody)),
  listVersions: ask(fs_PathOnlyRequestBody, ([path]) => ({ path }), message(file_ListVersionsReplyBody, versions)),
}

const writes = {
  getByteSink: ask(fs_VersionedGetByteSinkRequestBody, ([path, flags]) => ({ path, flags: writeFlags(flags) }),
    message(file_VersionedGetByteSinkReplyBody, ({ sink, version }, client) => ({ sink: byteSink(client, sink), version }))),
  writeBytes: ask(fs_VersionedWriteBytesRequestBody,
    ([path, bytes, flags]) => ({ path, bytes: bytesOf(bytes), flags: writeFlags(flags) }), number),
  writeJSONFile: ask(fs_VersionedWriteJsonFileRequestBody,
    ([path, value, flags]) => ({ path, json: json(value), flags: writeFlags(flags) }), number),
  writeTxtFile: ask(fs_VersionedWriteTxtFileRequestBody,
    ([path, txt, flags]) => ({ path, txt, flags: writeFlags(flags) }), number),
  updateXAttrs: ask(fs_UpdateXAttrsRequestBody, ([path, changes]) => ({ path, changes: attributeChanges(changes) }), number),
  archiveCurrent: ask(fs_ArchiveCurrentRequestBody, ([path, version]) => ({ path, version: some(version) }), number),
}

/// `(path, remote_item_name, remote_version)`
const remoteChild = reply => ask(fs_RemoteChildRequestBody,
  ([path, remoteItemName, version]) => ({ path, remoteItemName, remoteVersion: some(version) }), reply)
const upload = ([path, opts]) => ({ path, opts: uploadOptions(opts) })

const syncReads = {
  whenConnected: ask(),
  status: ask(fs_FSSyncStatusRequestBody, ([path, skip]) => ({ path, skipServerCheck: skip }), message(file_SyncStatusMsg, syncStatus)),
  isRemoteVersionOnDisk: ask(fs_FSSyncIsOnDiskRequestBody, ([path, version]) => ({ path, version }),
    message(fs_FSSyncIsOnDiskReplyBody, ({ status }) => status)),
  startDownload: ask(fs_FSSyncStartDownloadRequestBody, ([path, version]) => ({ path, version }),
    message(file_FileSyncStartDownloadReplyBody, ({ startedDownload }) => startedDownload)),
  adoptRemote: ask(fs_AdoptRemoteRequestBody, ([path, opts]) => ({ path, opts: adoptOptions(opts) })),
  diffCurrentAndRemoteFolderVersions: ask(fs_DiffCurrentAndRemoteFolderVersionsRequestBody,
    ([path, version]) => ({ path, remoteVersion: some(version) }),
    message(fs_DiffCurrentAndRemoteFolderVersionsReplyBody, ({ diff }) => difference(diff))),
  diffCurrentAndRemoteFileVersions: ask(fs_DiffCurrentAndRemoteFileVersionsRequestBody,
    ([path, opts]) => ({ path, opts: diffOptions(opts) }),
    message(file_DiffCurrentAndRemoteReplyBody, ({ diff }) => difference(diff))),
  statRemoteItem: remoteChild(message(file_StatsMsg, stats)),
  listRemoteFolderItem: remoteChild(message(fs_VersionedListFolderReplyBody,
    ({ entries, version }) => ({ lst: entries.map(listed), version }))),
  getRemoteFileItem: remoteChild(message(file_File, (file, client) => fileFrom(client, file))),
  getRemoteFolderItem: remoteChild(message(fs_FS, (fs, client) => fsFrom(client, fs))),
}

const syncWrites = {
  startUpload: ask(fs_FSSyncUploadRequestBody, upload,
    message(file_FileSyncStartUploadReplyBody, ({ startedUpload }) => startedUpload)),
  upload: ask(fs_FSSyncUploadRequestBody, upload,
    message(file_FileSyncUploadReplyBody, ({ uploadedVersion }) => given(uploadedVersion))),
  adoptRemoteFolderItem: ask(fs_AdoptRemoteFolderItemRequestBody, ([path, itemName, opts]) => ({
    path, itemName, opts: opts && {
      localVersion: some(opts.localVersion), uploadVersion: some(opts.uploadVersion),
      replaceLocalItem: some(opts.replaceLocalItem), newItemName: some(opts.newItemName),
    },
  })),
  absorbRemoteFolderChanges: ask(fs_AbsorbRemoteFolderChangesRequestBody, ([path, opts]) => ({
    path, opts: opts && {
      localVersion: some(opts.localVersion), postfixForNameOverlaps: some(opts.postfixForNameOverlaps),
      remoteVersion: some(opts.remoteVersion),
    },
  }), message(fs_AbsorbRemoteFolderChangesReplyBody, ({ newVersion }) => given(newVersion))),
}

/// @returns the member `v` of a folder tree, with `sync` where it is synced
export const versionMethods = (client, path, fs, writable, isSynced) => {
  const v = client.methods(writable ? { ...reads, ...writes } : reads, [...path, 'v'], fs)
  if (isSynced) v.sync = client.methods(writable ? { ...syncReads, ...syncWrites } : syncReads, [...path, 'v', 'sync'], fs)
  return v
}
