// Files by reference: what can be read of one, written to it, and, where it has versions, asked about these.
import { late } from '../groups.js'
import { ask, bytesOf, given, message, present, some, text, value, watch } from '../typed.js'
import { byteSink, byteSource } from './bytes.js'
import {
  adoptOptions, attribute, attributeChanges, difference, diffOptions, event, json, jsonOf, parsed, readFlags, stats, syncStatus,
  uploadOptions, versions,
} from './shapes.js'

const range = ([start, end]) => ({ start: some(start), end: some(end) })
const names = message('common.StringArrayValue', ({ values }) => values)
const number = value('common.UInt64Value')
const source = message('common.ObjectReference', (reference, client) => byteSource(client, reference))
const sink = message('common.ObjectReference', (reference, client) => byteSink(client, reference))

const reads = late(() => ({
  stat: ask(undefined, undefined, message('file.StatsMsg', stats)),
  getXAttr: ask('file.GetXAttrRequestBody', ([xaName]) => ({ xaName }), message('file.XAttrValue', attribute)),
  listXAttrs: ask(undefined, undefined, names),
  readBytes: ask('file.ReadBytesRequestBody', range, message('file.ReadBytesReplyBody', ({ bytes }) => given(bytes))),
  readTxt: ask(undefined, undefined, text),
  readJSON: ask(undefined, undefined, jsonOf),
  getByteSource: ask(undefined, undefined, source),
  watch: watch(undefined, undefined, event),
}))

const copied = ([file], client) => ({ file: client.reference(file, 'FileImpl') })

/// Writing, which answers with a version or with nothing.
const writes = reply => ({
  updateXAttrs: ask('file.UpdateXAttrsRequestBody', ([changes]) => ({ changes: attributeChanges(changes) }), reply),
  writeBytes: ask('file.WriteBytesRequestBody', ([bytes]) => ({ bytes: bytesOf(bytes) }), reply),
  writeTxt: ask('file.WriteTxtRequestBody', ([txt]) => ({ txt }), reply),
  writeJSON: ask('file.WriteJsonRequestBody', ([value]) => ({ json: json(value) }), reply),
  copy: ask('file.CopyRequestBody', copied, reply),
})

const plainWrites = late(() => ({
  ...writes(),
  getByteSink: ask('file.GetByteSinkRequestBody', ([truncate]) => ({ truncateFile: some(truncate) }), sink),
}))

const withFlags = ([flags]) => ({ flags: readFlags(flags) })

const versionedReads = late(() => ({
  getXAttr: ask('file.VersionedGetXAttrRequestBody', ([xaName, flags]) => ({ xaName, flags: readFlags(flags) }),
    message('file.VersionedGetXAttrReplyBody', reply => ({ attr: attribute(reply), version: reply.version }))),
  listXAttrs: ask('file.RequestWithVersionedReadFlags', withFlags,
    message('file.VersionedListXAttrsReplyBody', ({ xaNames, version }) => ({ lst: xaNames, version }))),
  readBytes: ask('file.VersionedReadBytesRequestBody',
    ([start, end, flags]) => ({ ...range([start, end]), flags: readFlags(flags) }),
    message('file.VersionedReadBytesReplyBody', ({ bytes, version }) => present({ bytes: given(bytes), version }))),
  readTxt: ask('file.RequestWithVersionedReadFlags', withFlags, message('file.VersionedReadTxtReplyBody')),
  readJSON: ask('file.RequestWithVersionedReadFlags', withFlags,
    message('file.VersionedReadJsonReplyBody', ({ json, version }) => ({ json: parsed(json), version }))),
  getByteSource: ask('file.RequestWithVersionedReadFlags', withFlags, message('file.VersionedGetByteSourceReplyBody',
    ({ src, version }, client) => ({ src: byteSource(client, src), version }))),
  listVersions: ask(undefined, undefined, message('file.ListVersionsReplyBody', versions)),
}))

const versionedWrites = late(() => ({
  ...writes(number),
  getByteSink: ask('file.VersionedGetByteSinkRequestBody',
    ([truncate, current]) => ({ truncateFile: some(truncate), currentVersion: some(current) }),
    message('file.VersionedGetByteSinkReplyBody', ({ sink, version }, client) => ({ sink: byteSink(client, sink), version }))),
  archiveCurrent: ask('file.ArchiveCurrentRequestBody', ([version]) => ({ version: some(version) }), number),
}))

const upload = ([opts]) => ({ opts: uploadOptions(opts) })

const syncReads = late(() => ({
  whenConnected: ask(),
  status: ask(undefined, undefined, message('file.SyncStatusMsg', syncStatus)),
  isRemoteVersionOnDisk: ask('file.FileSyncIsOnDiskRequestBody', ([version]) => ({ version }),
    message('file.FileSyncIsOnDiskReplyBody', ({ status }) => status)),
  startDownload: ask('file.FileSyncStartDownloadRequestBody', ([version]) => ({ version }),
    message('file.FileSyncStartDownloadReplyBody', ({ startedDownload }) => startedDownload)),
  adoptRemote: ask('file.AdoptRemoteRequestBody', ([opts]) => ({ opts: adoptOptions(opts) })),
  diffCurrentAndRemoteVersions: ask('file.DiffCurrentAndRemoteRequestBody', ([opts]) => ({ opts: diffOptions(opts) }),
    message('file.DiffCurrentAndRemoteReplyBody', ({ diff }) => difference(diff))),
}))

const syncWrites = late(() => ({
  startUpload: ask('file.FileSyncUploadRequestBody', upload,
    message('file.FileSyncStartUploadReplyBody', ({ startedUpload }) => startedUpload)),
  upload: ask('file.FileSyncUploadRequestBody', upload,
    message('file.FileSyncUploadReplyBody', ({ uploadedVersion }) => given(uploadedVersion))),
}))

/// A file, as the other side describes it.
export const fileFrom = (client, { writable, isVersioned, isSynced, name, isNew, impl }) => {
  const { path } = impl
  const file = { name, writable, versioned: isVersioned, isNew }
  Object.assign(file, client.methods(writable ? { ...reads(), ...plainWrites() } : reads(), path, file))
  if (isVersioned) {
    const methods = writable ? { ...versionedReads(), ...versionedWrites() } : versionedReads()
    file.v = client.methods(methods, [...path, 'v'], file)
    const ofSync = writable ? { ...syncReads(), ...syncWrites() } : syncReads()
    if (isSynced) file.v.sync = client.methods(ofSync, [...path, 'v', 'sync'], file)
  }
  return client.adopt(impl, file)
}
