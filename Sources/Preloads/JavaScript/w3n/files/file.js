// Files by reference: what can be read of one, written to it, and, where it has versions, asked about these.
import {
  common_ObjectReference, common_StringArrayValue, common_UInt64Value, file_AdoptRemoteRequestBody,
  file_ArchiveCurrentRequestBody, file_CopyRequestBody, file_DiffCurrentAndRemoteReplyBody, file_DiffCurrentAndRemoteRequestBody,
  file_FileSyncIsOnDiskReplyBody, file_FileSyncIsOnDiskRequestBody, file_FileSyncStartDownloadReplyBody,
  file_FileSyncStartDownloadRequestBody, file_FileSyncStartUploadReplyBody, file_FileSyncUploadReplyBody,
  file_FileSyncUploadRequestBody, file_GetByteSinkRequestBody, file_GetXAttrRequestBody, file_ListVersionsReplyBody,
  file_ReadBytesReplyBody, file_ReadBytesRequestBody, file_RequestWithVersionedReadFlags, file_StatsMsg, file_SyncStatusMsg,
  file_UpdateXAttrsRequestBody, file_VersionedGetByteSinkReplyBody, file_VersionedGetByteSinkRequestBody,
  file_VersionedGetByteSourceReplyBody, file_VersionedGetXAttrReplyBody, file_VersionedGetXAttrRequestBody,
  file_VersionedListXAttrsReplyBody, file_VersionedReadBytesReplyBody, file_VersionedReadBytesRequestBody,
  file_VersionedReadJsonReplyBody, file_VersionedReadTxtReplyBody, file_WriteBytesRequestBody, file_WriteJsonRequestBody,
  file_WriteTxtRequestBody, file_XAttrValue,
} from 'messages'
import { ask, bytesOf, given, message, present, some, text, value, watch } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import {
  adoptOptions, attribute, attributeChanges, difference, diffOptions, event, json, jsonOf, parsed, readFlags, stats, syncStatus,
  uploadOptions, versions,
} from './shapes.js'

const range = ([start, end]) => ({ start: some(start), end: some(end) })
const names = message(common_StringArrayValue, ({ values }) => values)
const number = value(common_UInt64Value)
const source = message(common_ObjectReference, (reference, client) => byteSource(client, reference))
const sink = message(common_ObjectReference, (reference, client) => byteSink(client, reference))

const reads = {
  stat: ask(undefined, undefined, message(file_StatsMsg, stats)),
  getXAttr: ask(file_GetXAttrRequestBody, ([xaName]) => ({ xaName }), message(file_XAttrValue, attribute)),
  listXAttrs: ask(undefined, undefined, names),
  readBytes: ask(file_ReadBytesRequestBody, range, message(file_ReadBytesReplyBody, ({ bytes }) => given(bytes))),
  readTxt: ask(undefined, undefined, text),
  readJSON: ask(undefined, undefined, jsonOf),
  getByteSource: ask(undefined, undefined, source),
  watch: watch(undefined, undefined, event),
}

const copied = ([file], client) => ({ file: client.reference(file, 'FileImpl') })

/// Writing, which answers with a version or with nothing.
const writes = reply => ({
  updateXAttrs: ask(file_UpdateXAttrsRequestBody, ([changes]) => ({ changes: attributeChanges(changes) }), reply),
  writeBytes: ask(file_WriteBytesRequestBody, ([bytes]) => ({ bytes: bytesOf(bytes) }), reply),
  writeTxt: ask(file_WriteTxtRequestBody, ([txt]) => ({ txt }), reply),
  writeJSON: ask(file_WriteJsonRequestBody, ([value]) => ({ json: json(value) }), reply),
  copy: ask(file_CopyRequestBody, copied, reply),
})

const plainWrites = {
  ...writes(),
  getByteSink: ask(file_GetByteSinkRequestBody, ([truncate]) => ({ truncateFile: some(truncate) }), sink),
}

const withFlags = ([flags]) => ({ flags: readFlags(flags) })

const versionedReads = {
  getXAttr: ask(file_VersionedGetXAttrRequestBody, ([xaName, flags]) => ({ xaName, flags: readFlags(flags) }),
    message(file_VersionedGetXAttrReplyBody, reply => ({ attr: attribute(reply), version: reply.version }))),
  listXAttrs: ask(file_RequestWithVersionedReadFlags, withFlags,
    message(file_VersionedListXAttrsReplyBody, ({ xaNames, version }) => ({ lst: xaNames, version }))),
  readBytes: ask(file_VersionedReadBytesRequestBody, ([start, end, flags]) => ({ ...range([start, end]), flags: readFlags(flags) }),
    message(file_VersionedReadBytesReplyBody, ({ bytes, version }) => present({ bytes: given(bytes), version }))),
  readTxt: ask(file_RequestWithVersionedReadFlags, withFlags, message(file_VersionedReadTxtReplyBody)),
  readJSON: ask(file_RequestWithVersionedReadFlags, withFlags,
    message(file_VersionedReadJsonReplyBody, ({ json, version }) => ({ json: parsed(json), version }))),
  getByteSource: ask(file_RequestWithVersionedReadFlags, withFlags, message(file_VersionedGetByteSourceReplyBody,
    ({ src, version }, client) => ({ src: byteSource(client, src), version }))),
  listVersions: ask(undefined, undefined, message(file_ListVersionsReplyBody, versions)),
}

const versionedWrites = {
  ...writes(number),
  getByteSink: ask(file_VersionedGetByteSinkRequestBody,
    ([truncate, current]) => ({ truncateFile: some(truncate), currentVersion: some(current) }),
    message(file_VersionedGetByteSinkReplyBody, ({ sink, version }, client) => ({ sink: byteSink(client, sink), version }))),
  archiveCurrent: ask(file_ArchiveCurrentRequestBody, ([version]) => ({ version: some(version) }), number),
}

const upload = ([opts]) => ({ opts: uploadOptions(opts) })

const syncReads = {
  whenConnected: ask(),
  status: ask(undefined, undefined, message(file_SyncStatusMsg, syncStatus)),
  isRemoteVersionOnDisk: ask(file_FileSyncIsOnDiskRequestBody, ([version]) => ({ version }),
    message(file_FileSyncIsOnDiskReplyBody, ({ status }) => status)),
  startDownload: ask(file_FileSyncStartDownloadRequestBody, ([version]) => ({ version }),
    message(file_FileSyncStartDownloadReplyBody, ({ startedDownload }) => startedDownload)),
  adoptRemote: ask(file_AdoptRemoteRequestBody, ([opts]) => ({ opts: adoptOptions(opts) })),
  diffCurrentAndRemoteVersions: ask(file_DiffCurrentAndRemoteRequestBody, ([opts]) => ({ opts: diffOptions(opts) }),
    message(file_DiffCurrentAndRemoteReplyBody, ({ diff }) => difference(diff))),
}

const syncWrites = {
  startUpload: ask(file_FileSyncUploadRequestBody, upload,
    message(file_FileSyncStartUploadReplyBody, ({ startedUpload }) => startedUpload)),
  upload: ask(file_FileSyncUploadRequestBody, upload,
    message(file_FileSyncUploadReplyBody, ({ uploadedVersion }) => given(uploadedVersion))),
}

/// A file, as the other side describes it.
export const fileFrom = (client, { writable, isVersioned, isSynced, name, isNew, impl }) => {
  const { path } = impl
  const file = { name, writable, versioned: isVersioned, isNew }
  Object.assign(file, client.methods(writable ? { ...reads, ...plainWrites } : reads, path, file))
  if (isVersioned) {
    const methods = writable ? { ...versionedReads, ...versionedWrites } : versionedReads
    file.v = client.methods(methods, [...path, 'v'], file)
    if (isSynced) file.v.sync = client.methods(writable ? { ...syncReads, ...syncWrites } : syncReads, [...path, 'v', 'sync'], file)
  }
  return client.adopt(impl, file)
}
