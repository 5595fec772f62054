// The methods whose messages are their own: path, arguments, request, reply, result.
import { collection } from '../../../../../Sources/Apps/Preloads/JavaScript/w3n/files/select.js'
import { byteSink, byteSource } from '../../../../../Sources/Apps/Preloads/JavaScript/w3n/files/bytes.js'
import { fileFrom } from '../../../../../Sources/Apps/Preloads/JavaScript/w3n/files/file.js'
import { fsFrom } from '../../../../../Sources/Apps/Preloads/JavaScript/w3n/files/fs.js'
import { linkFrom } from '../../../../../Sources/Apps/Preloads/JavaScript/w3n/files/link.js'
import { bytes, equal } from './expect.js'

const impl = (objType, id) => ({ objType, path: [id] })
const fsMessage = { type: 'synced', isVersioned: true, isSynced: true, writable: true, name: 'n', impl: impl('FSImpl', '10') }
const fileMessage = { name: 'f', isVersioned: true, isSynced: true, writable: true, isNew: false, impl: impl('FileImpl', '20') }
const makeFS = client => fsFrom(client, fsMessage)
const makeFile = client => fileFrom(client, fileMessage)

/// A method of an object that a client has.
const method = (id, make) => (name, ...row) => [{ name, on: make, path: [id, ...name.split('.')] }, ...row]
const fs = method('10', makeFS)
const file = method('20', makeFile)
const source = method('30', client => byteSource(client, impl('FileByteSource', '30')))
const sink = method('31', client => byteSink(client, impl('FileByteSink', '31')))
const items = method('40', client => collection(client, impl('FSCollection', '40')))
const link = ([name, ...row]) => [{ name, path: ['50'],
  on: client => linkFrom(client, { readonly: true, isFile: { value: true }, impl: impl('SymLinkImpl', '50') }) }, ...row]

const args = (...values) => () => values
const path = ['fs.PathOnlyRequestBody', { path: 'p' }]
const versioned = ['fs.PathAndFlagsRequestBody', { path: 'p', flags: { remoteVersion: { value: 3 } } }]
const fileFlags = ['file.RequestWithVersionedReadFlags', { flags: { archivedVersion: { value: 2 } } }]
const remote = { remoteVersion: 3 }
const archived = { archivedVersion: 2 }
const number = value => ['common.UInt64Value', { value }]
const flag = value => ['common.BooleanValue', { value }]
const stats = ['file.StatsMsg', { isFile: { value: true }, writable: true, size: { value: 5 }, mtime: { value: 1000 }, version: { value: 2 } }]
const statsResult = { isFile: true, writable: true, size: 5, mtime: new Date(1000), version: 2 }
const isFS = value => equal([value.type, value.name, value.writable], ['synced', 'n', true])
const isFile = value => equal([value.name, value.writable, value.versioned], ['f', true, true])
const isSource = value => equal(Object.keys(value), ['readNext', 'readAt', 'getSize', 'seek', 'getPosition'])
const isSink = value => equal(Object.keys(value), ['getSize', 'splice', 'truncate', 'showLayout', 'done'])
const refSource = ['common.ObjectReference', impl('FileByteSource', '32')]
const refSink = ['common.ObjectReference', impl('FileByteSink', '33')]
const entries = [{ name: 'a', isFile: { value: true } }, { name: 'b', isFolder: { value: true } }]
const listing = [{ name: 'a', isFile: true }, { name: 'b', isFolder: true }]
const nine = bytes('09')
const change = { set: { t: 'text', b: nine, j: { k: 1 } }, remove: ['old'] }
const changes = {
  set: [{ xaName: 't', str: { value: 'text' } }, { xaName: 'b', bytes: { value: nine } }, { xaName: 'j', json: { value: '{"k":1}' } }],
  remove: ['old'],
}
const writeFlags = { create: { value: true }, exclusive: { value: false } }
const diff = { currentVersion: 2, isCurrentLocal: true, remoteVersion: { value: 3 }, mtime: { current: 1, remote: 2, synced: 3 } }
const isDiff = value => equal([value.currentVersion, value.remoteVersion, value.mtime.remote], [2, 3, new Date(2)])

const folders = [
  fs('checkFilePresence', args('p', true), ['fs.CheckPresenceRequestBody', { path: 'p', throwIfMissing: { value: true } }], flag(true), true),
  fs('checkFolderPresence', args('p'), ['fs.CheckPresenceRequestBody', { path: 'p' }], flag(false), false),
  fs('checkLinkPresence', args('p'), ['fs.CheckPresenceRequestBody', { path: 'p' }], flag(true), true),
  fs('close', args(), undefined, undefined, undefined),
  fs('getByteSource', args('p'), path, refSource, isSource),
  fs('getXAttr', args('p', 'x'), ['fs.GetXAttrRequestBody', { path: 'p', xaName: 'x' }], ['file.XAttrValue', { json: { value: '[1]' } }], [1]),
  fs('listXAttrs', args('p'), path, ['common.StringArrayValue', { values: ['x'] }], ['x']),
  fs('listFolder', args('p'), path, ['fs.ListFolderReplyBody', { entries }], listing),
  fs('readBytes', args('p', 1, 9), ['fs.ReadBytesRequestBody', { path: 'p', start: { value: 1 }, end: { value: 9 } }],
    ['file.ReadBytesReplyBody', { bytes: { value: nine } }], nine),
  fs('readBytes', args('p'), ['fs.ReadBytesRequestBody', { path: 'p' }], ['file.ReadBytesReplyBody', {}], undefined),
  fs('readLink', args('p'), path, ['fs.SymLink', { readonly: true, isFolder: { value: true }, impl: impl('SymLinkImpl', '51') }],
    value => equal([value.readonly, value.isFolder, value.isFile, typeof value.target], [true, true, undefined, 'function'])),
  fs('readJSONFile', args('p'), path, '{"a":1}', { a: 1 }),
  fs('readTxtFile', args('p'), path, 'tëxt', 'tëxt'),
  fs('readonlyFile', args('p'), path, ['file.File', fileMessage], isFile),
  fs('readonlySubRoot', args('p'), path, ['fs.FS', fsMessage], isFS),
  fs('stat', args('p'), path, stats, statsResult),
  fs('copyFile', args('a', 'b', true), ['fs.CopyFileRequestBody', { src: 'a', dst: 'b', overwrite: { value: true } }]),
  fs('copyFolder', args('a', 'b'), ['fs.CopyFolderRequestBody', { src: 'a', dst: 'b' }]),
  fs('deleteFile', args('p'), path),
  fs('deleteFolder', args('p', true), ['fs.DeleteFolderRequestBody', { path: 'p', removeContent: { value: true } }]),
  fs('deleteLink', args('p'), path),
  fs('getByteSink', args('p', { create: true, exclusive: false }), ['fs.PathAndOptFileFlags', { path: 'p', flags: writeFlags }], refSink, isSink),
  fs('link', client => ['p', makeFile(client)], ['fs.LinkRequestBody', { path: 'p', target: impl('FileImpl', '20') }]),
  fs('makeFolder', args('p', true), ['fs.MakeFolderRequestBody', { path: 'p', exclusive: { value: true } }]),
  fs('move', args('a', 'b'), ['fs.MoveRequestBody', { src: 'a', dst: 'b' }]),
  fs('saveFile', client => [makeFile(client), 'd'], ['fs.SaveFileRequestBody', { file: impl('FileImpl', '20'), dst: 'd' }]),
  fs('saveFolder', client => [makeFS(client), 'd', true],
    ['fs.SaveFolderRequestBody', { folder: impl('FSImpl', '10'), dst: 'd', mergeAndOverwrite: { value: true } }]),
  fs('updateXAttrs', args('p', change), ['fs.UpdateXAttrsRequestBody', { path: 'p', changes }]),
  fs('writableFile', args('p'), ['fs.PathAndOptFileFlags', { path: 'p' }], ['file.File', fileMessage], isFile),
  fs('writableSubRoot', args('p', {}), ['fs.PathAndOptFileFlags', { path: 'p', flags: {} }], ['fs.FS', fsMessage], isFS),
  fs('writeBytes', args('p', nine), ['fs.WriteBytesRequestBody', { path: 'p', bytes: nine }]),
  fs('writeJSONFile', args('p', { a: 1 }), ['fs.WriteJsonFileRequestBody', { path: 'p', json: '{"a":1}' }]),
  fs('writeTxtFile', args('p', 't', { create: true, exclusive: false }), ['fs.WriteTxtFileRequestBody', { path: 'p', txt: 't', flags: writeFlags }]),
]

const versionsOfFolders = [
  fs('v.getByteSource', args('p', remote), versioned, ['file.VersionedGetByteSourceReplyBody', { version: 3, src: impl('FileByteSource', '34') }],
    ({ src, version }) => (isSource(src), equal(version, 3))),
  fs('v.stat', args('p', remote), versioned, stats, statsResult),
  fs('v.getXAttr', args('p', 'x', remote), ['fs.VersionedGetXAttrRequestBody', { path: 'p', xaName: 'x', flags: { remoteVersion: { value: 3 } } }],
    ['file.VersionedGetXAttrReplyBody', { version: 3, str: { value: 's' } }], { attr: 's', version: 3 }),
  fs('v.listXAttrs', args('p', remote), versioned, ['file.VersionedListXAttrsReplyBody', { version: 3, xaNames: ['x'] }], { lst: ['x'], version: 3 }),
  fs('v.listFolder', args('p', remote), versioned, ['fs.VersionedListFolderReplyBody', { version: 3, entries }], { lst: listing, version: 3 }),
  fs('v.readBytes', args('p', 1), ['fs.VersionedReadBytesRequestBody', { path: 'p', start: { value: 1 } }],
    ['file.VersionedReadBytesReplyBody', { version: 3, bytes: { value: nine } }], { bytes: nine, version: 3 }),
  fs('v.readJSONFile', args('p', remote), versioned, ['file.VersionedReadJsonReplyBody', { version: 3, json: '[]' }], { json: [], version: 3 }),
  fs('v.readTxtFile', args('p', remote), versioned, ['file.VersionedReadTxtReplyBody', { version: 3, txt: 't' }], { version: 3, txt: 't' }),
  fs('v.listVersions', args('p'), path, ['file.ListVersionsReplyBody', { current: { value: 3 }, archived: [1] }], { current: 3, archived: [1] }),
  fs('v.getByteSink', args('p', { currentVersion: 2 }), ['fs.VersionedGetByteSinkRequestBody', { path: 'p', flags: { currentVersion: { value: 2 } } }],
    ['file.VersionedGetByteSinkReplyBody', { version: 3, sink: impl('FileByteSink', '35') }], ({ sink, version }) => (isSink(sink), equal(version, 3))),
  fs('v.writeBytes', args('p', nine), ['fs.VersionedWriteBytesRequestBody', { path: 'p', bytes: nine }], number(4), 4),
  fs('v.writeJSONFile', args('p', 1), ['fs.VersionedWriteJsonFileRequestBody', { path: 'p', json: '1' }], number(4), 4),
  fs('v.writeTxtFile', args('p', 't'), ['fs.VersionedWriteTxtFileRequestBody', { path: 'p', txt: 't' }], number(4), 4),
  fs('v.updateXAttrs', args('p', change), ['fs.UpdateXAttrsRequestBody', { path: 'p', changes }], number(4), 4),
  fs('v.archiveCurrent', args('p', 2), ['fs.ArchiveCurrentRequestBody', { path: 'p', version: { value: 2 } }], number(2), 2),
  fs('v.sync.whenConnected', args(), undefined),
  fs('v.sync.status', args('p', true), ['fs.FSSyncStatusRequestBody', { path: 'p', skipServerCheck: true }],
    ['file.SyncStatusMsg', { state: 'synced', synced: { latest: { value: 2 } } }], { state: 'synced', synced: { latest: 2 } }),
  fs('v.sync.isRemoteVersionOnDisk', args('p', 2), ['fs.FSSyncIsOnDiskRequestBody', { path: 'p', version: 2 }],
    ['fs.FSSyncIsOnDiskReplyBody', { status: 'partial' }], 'partial'),
  fs('v.sync.startDownload', args('p', 2), ['fs.FSSyncStartDownloadRequestBody', { path: 'p', version: 2 }],
    ['file.FileSyncStartDownloadReplyBody', { startedDownload: { downloadTaskId: 7 } }], { downloadTaskId: 7 }),
  fs('v.sync.adoptRemote', args('p', { dropLocalVer: true }), ['fs.AdoptRemoteRequestBody', { path: 'p', opts: { dropLocalVer: { value: true } } }]),
  fs('v.sync.diffCurrentAndRemoteFolderVersions', args('p', 3),
    ['fs.DiffCurrentAndRemoteFolderVersionsRequestBody', { path: 'p', remoteVersion: { value: 3 } }],
    ['fs.DiffCurrentAndRemoteFolderVersionsReplyBody', { diff }], isDiff),
  fs('v.sync.diffCurrentAndRemoteFileVersions', args('p', remote),
    ['fs.DiffCurrentAndRemoteFileVersionsRequestBody', { path: 'p', opts: { remoteVersion: { value: 3 } } }],
    ['file.DiffCurrentAndRemoteReplyBody', { diff }], isDiff),
  fs('v.sync.statRemoteItem', args('p', 'i', 3), ['fs.RemoteChildRequestBody', { path: 'p', remoteItemName: 'i', remoteVersion: { value: 3 } }],
    stats, statsResult),
  fs('v.sync.listRemoteFolderItem', args('p', 'i'), ['fs.RemoteChildRequestBody', { path: 'p', remoteItemName: 'i' }],
    ['fs.VersionedListFolderReplyBody', { version: 3, entries }], { lst: listing, version: 3 }),
  fs('v.sync.getRemoteFileItem', args('p', 'i'), ['fs.RemoteChildRequestBody', { path: 'p', remoteItemName: 'i' }], ['file.File', fileMessage], isFile),
  fs('v.sync.getRemoteFolderItem', args('p', 'i'), ['fs.RemoteChildRequestBody', { path: 'p', remoteItemName: 'i' }], ['fs.FS', fsMessage], isFS),
  fs('v.sync.startUpload', args('p', { localVersion: 2 }), ['fs.FSSyncUploadRequestBody', { path: 'p', opts: { localVersion: { value: 2 } } }],
    ['file.FileSyncStartUploadReplyBody', { startedUpload: { uploadVersion: 3, uploadTaskId: 8 } }], { uploadVersion: 3, uploadTaskId: 8 }),
  fs('v.sync.upload', args('p'), ['fs.FSSyncUploadRequestBody', { path: 'p' }],
    ['file.FileSyncUploadReplyBody', { uploadedVersion: { value: 3 } }], 3),
  fs('v.sync.adoptRemoteFolderItem', args('p', 'i', { newItemName: 'k' }),
    ['fs.AdoptRemoteFolderItemRequestBody', { path: 'p', itemName: 'i', opts: { newItemName: { value: 'k' } } }]),
  fs('v.sync.absorbRemoteFolderChanges', args('p', { postfixForNameOverlaps: '~' }),
    ['fs.AbsorbRemoteFolderChangesRequestBody', { path: 'p', opts: { postfixForNameOverlaps: { value: '~' } } }],
    ['fs.AbsorbRemoteFolderChangesReplyBody', { newVersion: { value: 5 } }], 5),
]

const singleFiles = [
  file('stat', args(), undefined, stats, statsResult),
  file('getXAttr', args('x'), ['file.GetXAttrRequestBody', { xaName: 'x' }], ['file.XAttrValue', { bytes: { value: nine } }], nine),
  file('listXAttrs', args(), undefined, ['common.StringArrayValue', { values: ['x'] }], ['x']),
  file('readBytes', args(undefined, 9), ['file.ReadBytesRequestBody', { end: { value: 9 } }], ['file.ReadBytesReplyBody', { bytes: { value: nine } }], nine),
  file('readTxt', args(), undefined, 't', 't'),
  file('readJSON', args(), undefined, '{"a":[]}', { a: [] }),
  file('getByteSource', args(), undefined, refSource, isSource),
  file('updateXAttrs', args(change), ['file.UpdateXAttrsRequestBody', { changes }]),
  file('writeBytes', args(nine), ['file.WriteBytesRequestBody', { bytes: nine }]),
  file('writeTxt', args('t'), ['file.WriteTxtRequestBody', { txt: 't' }]),
  file('writeJSON', args([1]), ['file.WriteJsonRequestBody', { json: '[1]' }]),
  file('copy', client => [makeFile(client)], ['file.CopyRequestBody', { file: impl('FileImpl', '20') }]),
  file('getByteSink', args(false), ['file.GetByteSinkRequestBody', { truncateFile: { value: false } }], refSink, isSink),
  file('v.getXAttr', args('x', archived), ['file.VersionedGetXAttrRequestBody', { xaName: 'x', flags: { archivedVersion: { value: 2 } } }],
    ['file.VersionedGetXAttrReplyBody', { version: 2 }], { attr: undefined, version: 2 }),
  file('v.listXAttrs', args(archived), fileFlags, ['file.VersionedListXAttrsReplyBody', { version: 2, xaNames: ['x'] }], { lst: ['x'], version: 2 }),
  file('v.readBytes', args(1, 2, archived), ['file.VersionedReadBytesRequestBody', { start: { value: 1 }, end: { value: 2 }, flags: { archivedVersion: { value: 2 } } }],
    ['file.VersionedReadBytesReplyBody', { version: 2 }], { version: 2 }),
  file('v.readTxt', args(archived), fileFlags, ['file.VersionedReadTxtReplyBody', { version: 2, txt: 't' }], { version: 2, txt: 't' }),
  file('v.readJSON', args(archived), fileFlags, ['file.VersionedReadJsonReplyBody', { version: 2, json: '1' }], { json: 1, version: 2 }),
  file('v.getByteSource', args(archived), fileFlags, ['file.VersionedGetByteSourceReplyBody', { version: 2, src: impl('FileByteSource', '36') }],
    ({ src, version }) => (isSource(src), equal(version, 2))),
  file('v.listVersions', args(), undefined, ['file.ListVersionsReplyBody', { archived: [1, 2] }], { archived: [1, 2] }),
  file('v.writeTxt', args('t'), ['file.WriteTxtRequestBody', { txt: 't' }], number(3), 3),
  file('v.writeBytes', args(nine), ['file.WriteBytesRequestBody', { bytes: nine }], number(3), 3),
  file('v.writeJSON', args(1), ['file.WriteJsonRequestBody', { json: '1' }], number(3), 3),
  file('v.updateXAttrs', args(change), ['file.UpdateXAttrsRequestBody', { changes }], number(3), 3),
  file('v.copy', client => [makeFile(client)], ['file.CopyRequestBody', { file: impl('FileImpl', '20') }], number(3), 3),
  file('v.getByteSink', args(true, 2), ['file.VersionedGetByteSinkRequestBody', { truncateFile: { value: true }, currentVersion: { value: 2 } }],
    ['file.VersionedGetByteSinkReplyBody', { version: 3, sink: impl('FileByteSink', '37') }], ({ sink, version }) => (isSink(sink), equal(version, 3))),
  file('v.archiveCurrent', args(), ['file.ArchiveCurrentRequestBody', {}], number(3), 3),
  file('v.sync.whenConnected', args(), undefined),
  file('v.sync.status', args(), undefined, ['file.SyncStatusMsg', { state: 'behind', remote: { latest: { value: 4 }, archived: [1] } }],
    { state: 'behind', remote: { latest: 4, archived: [1] } }),
  file('v.sync.isRemoteVersionOnDisk', args(4), ['file.FileSyncIsOnDiskRequestBody', { version: 4 }], ['file.FileSyncIsOnDiskReplyBody', { status: 'none' }], 'none'),
  file('v.sync.startDownload', args(4), ['file.FileSyncStartDownloadRequestBody', { version: 4 }], ['file.FileSyncStartDownloadReplyBody', {}], undefined),
  file('v.sync.adoptRemote', args(remote), ['file.AdoptRemoteRequestBody', { opts: { remoteVersion: { value: 3 } } }]),
  file('v.sync.diffCurrentAndRemoteVersions', args({ compareContentIfSameMTime: true }),
    ['file.DiffCurrentAndRemoteRequestBody', { opts: { compareContentIfSameMTime: { value: true } } }], ['file.DiffCurrentAndRemoteReplyBody', { diff }], isDiff),
  file('v.sync.startUpload', args(), ['file.FileSyncUploadRequestBody', {}], ['file.FileSyncStartUploadReplyBody', {}], undefined),
  file('v.sync.upload', args({ uploadVersion: 5 }), ['file.FileSyncUploadRequestBody', { opts: { uploadVersion: { value: 5 } } }],
    ['file.FileSyncUploadReplyBody', { uploadedVersion: { value: 5 } }], 5),
]

const streams = [
  source('readNext', args(4), ['bytes.ReadNextRequestBody', { len: { value: 4 } }], ['bytes.ReadReplyBody', { bytes: { value: nine } }], nine),
  source('readAt', args(2, 4), ['bytes.ReadAtRequestBody', { pos: 2, len: { value: 4 } }], ['bytes.ReadReplyBody', {}], undefined),
  source('getSize', args(), undefined, number(9), 9),
  source('seek', args(3), ['bytes.SeekRequestBody', { offset: 3 }]),
  source('getPosition', args(), undefined, number(3), 3),
  sink('getSize', args(), undefined, number(9), 9),
  sink('splice', args(1, 2, nine), ['bytes.SpliceRequestBody', { pos: 1, del: 2, bytes: { value: nine } }]),
  sink('splice', args(1, 2), ['bytes.SpliceRequestBody', { pos: 1, del: 2 }]),
  sink('truncate', args(5), ['bytes.TruncateRequestBody', { size: 5 }]),
  sink('showLayout', args(), undefined, ['bytes.FileLayoutMsg', { base: { value: 1 }, sections: [{ src: 'new', ofs: 0, len: 4 }] }],
    { base: 1, sections: [{ src: 'new', ofs: 0, len: 4 }] }),
  sink('done', args(), ['bytes.DoneRequestBody', {}]),
  sink('done', args('bad'), ['bytes.DoneRequestBody', { err: { err: '"bad"' } }]),
]

const found = { isFile: { value: true }, item: { file: fileMessage }, location: { fs: fsMessage, path: 'q' } }
const isFound = value => {
  equal([value.isFile, value.isFolder, value.location.path], [true, undefined, 'q'])
  isFile(value.item)
  isFS(value.location.fs)
}

const collections = [
  link(['target', args(), undefined, ['fs.SymLinkTargetReplyBody', { file: fileMessage }], isFile]),
  link(['target', args(), undefined, ['fs.SymLinkTargetReplyBody', { fs: fsMessage }], isFS]),
  items('get', args('k'), ['fs.FSCGetRequestBody', { name: 'k' }], ['fs.FSCGetReplyBody', { item: found }], isFound),
  items('get', args('k'), ['fs.FSCGetRequestBody', { name: 'k' }], ['fs.FSCGetReplyBody', {}], undefined),
  items('getAll', args(), undefined, ['fs.FSCGetAllReplyBody', { items: [{ name: 'k', item: found }] }],
    ([[name, item]]) => (equal(name, 'k'), isFound(item))),
  items('entries', args(), undefined, ['common.ObjectReference', impl('FSItemsIter', '41')],
    iterator => equal([typeof iterator.next, iterator[Symbol.asyncIterator]() === iterator], ['function', true])),
]

const dialog = { title: 't', btnLabel: 'b', filters: [{ name: 'n', extensions: ['x'] }] }
const filters = [{ name: 'n', extensions: ['x'] }]

const capabilities = [
  ['storage.getAppLocalFS', args(), ['storage.GetAppLocalFSRequestBody', {}], ['fs.FS', fsMessage], isFS],
  ['storage.getAppSyncedFS', args('a.b'), ['storage.GetAppSyncedFSRequestBody', { appName: { value: 'a.b' } }], ['fs.FS', fsMessage], isFS],
  ['storage.getUserFS', args('synced', '/p'), ['storage.GetUserFSRequestBody', { type: 'synced', path: { value: '/p' } }], ['fs.FS', fsMessage], isFS],
  ['storage.getSysFS', args('local'), ['storage.GetSysFSRequestBody', { type: 'local' }], ['fs.FS', fsMessage], isFS],
  ['rpc.thisApp', args('s'), ['rpc.AppRPCRequestBody', { service: 's' }], ['common.ObjectReference', impl('RPCConnection', '60')],
    value => equal(Object.keys(value), ['close', 'makeRequestReplyCall', 'startObservableCall'])],
  ['rpc.otherAppsRPC', args('a', 's'), ['rpc.OtherAppsRPCRequestBody', { appDomain: 'a', service: 's' }],
    ['common.ObjectReference', impl('RPCConnection', '60')], value => equal(Object.keys(value).length, 3)],
  ['mail.getUserId', args(), undefined, 'bob@x', 'bob@x'],
  ['mail.delivery.preFlight', args('a@b'), ['asmail.PreFlightRequestBody', { toAddress: 'a@b' }], number(500), 500],
  ['mail.delivery.addMsg', client => [['a@b'], {
    msgType: 'mail', subject: 's', plainTxtBody: 'p', jsonBody: { j: 1 },
    attachments: { files: { f: makeFile(client) }, folders: { d: makeFS(client) } },
  }, 'id', { sendImmediately: true, localMeta: { m: 1 }, retryRecipient: { numOfAttempts: 2, timeBetweenAttempts: 3 } }],
  ['asmail.AddMsgRequestBody', {
    recipients: ['a@b'], id: 'id', sendImmediately: { value: true }, localMeta: { type: 'json', json: { value: '{"m":1}' } },
    retryRecipient: { numOfAttempts: 2, timeBetweenAttempts: 3 },
    msg: {
      msgType: 'mail', subject: { value: 's' }, plainTxtBody: { value: 'p' }, jsonBody: { value: '{"j":1}' },
      attachments: { files: [{ name: 'f', item: impl('FileImpl', '20') }], folders: [{ name: 'd', item: impl('FSImpl', '10') }] },
    },
  }]],
  ['mail.delivery.listMsgs', args(), undefined, ['asmail.ListMsgsDeliveryReplyBody', { msgs: [{ id: 'i', info: {
    allDone: { value: 'all-ok' }, msgSize: 5, localMeta: { type: 'json', json: { value: '1' } },
    recipients: [{ address: 'a@b', info: { done: true, bytesSent: 5, idOnDelivery: { value: 'x' } } }],
  } }] }], [{ id: 'i', info: { allDone: 'all-ok', msgSize: 5, localMeta: 1, recipients: { 'a@b': { done: true, idOnDelivery: 'x', bytesSent: 5 } } } }]],
  ['mail.delivery.currentState', args('i'), ['asmail.CurrentStateRequestBody', { id: 'i' }], undefined, undefined],
  ['mail.delivery.rmMsg', args('i', true), ['asmail.RmMsgRequestBody', { id: 'i', cancelSending: { value: true } }]],
  ['mail.inbox.listMsgs', args(7), ['asmail.ListMsgsRequestBody', { fromTS: { value: 7 } }],
    ['asmail.ListMsgsInboxReplyBody', { infos: [{ msgId: 'm', deliveryTS: 8, msgType: 'mail' }] }], [{ msgId: 'm', deliveryTS: 8, msgType: 'mail' }]],
  ['mail.inbox.removeMsg', args('m'), ['asmail.RemoveMsgRequestBody', { msgId: 'm' }]],
  ['mail.inbox.getMsg', args('m'), ['asmail.GetMsgRequestBody', { msgId: 'm' }], ['asmail.IncomingMessageMsg', {
    msgId: 'm', deliveryTS: 8, sender: 's', establishedSenderKeyChain: true, msgType: 'mail', recipients: ['r'], subject: { value: 'hi' },
    jsonBody: { value: '{}' }, attachments: { ...fsMessage, type: 'asmail-msg' },
  }], value => equal([value.subject, value.jsonBody, value.recipients, value.attachments.type, value.carbonCopy, value.deliveryTS],
    ['hi', {}, ['r'], 'asmail-msg', undefined, 8])],
  ['shell.getFSResource', args(null, 'r'), ['shell_fs_resource.GetFSResourceRequestBody', { resourceName: 'r' }],
    ['shell_fs_resource.GetFSResourceReplyBody', { folder: fsMessage }], isFS],
  ['shell.getFSResource', args('a', 'r'), ['shell_fs_resource.GetFSResourceRequestBody', { appDomain: { value: 'a' }, resourceName: 'r' }],
    ['shell_fs_resource.GetFSResourceReplyBody', { file: fileMessage }], isFile],
  ['shell.fileDialogs.openFileDialog', args('t', 'b', true, filters), ['file_dialogs.OpenDialogArgs', { ...dialog, multiSelections: true }],
    ['file_dialogs.OpenFileDialogReplyBody', { files: [fileMessage] }], ([value]) => isFile(value)],
  ['shell.fileDialogs.openFolderDialog', args('t', 'b', false), ['file_dialogs.OpenDialogArgs', { title: 't', btnLabel: 'b', multiSelections: false }],
    ['file_dialogs.OpenFolderDialogReplyBody', {}], undefined],
  ['shell.fileDialogs.saveFileDialog', args('t', 'b', 'd', filters), ['file_dialogs.SaveDialogArgs', { ...dialog, defaultPath: 'd' }],
    ['file_dialogs.SaveFileDialogReplyBody', { file: fileMessage }], isFile],
  ['shell.fileDialogs.saveFolderDialog', args('t', 'b', 'd'), ['file_dialogs.SaveDialogArgs', { title: 't', btnLabel: 'b', defaultPath: 'd' }],
    ['file_dialogs.SaveFolderDialogReplyBody', { folder: fsMessage }], isFS],
  ['shell.deviceFiles.standardFileToDeviceFile', args('/x'), ['json_ipc.ValuesSequence', { values: [{ json: '"/x"' }] }], ['file.File', fileMessage], isFile],
  ['shell.deviceFiles.standardFileToDeviceFolder', args('/x'), ['json_ipc.ValuesSequence', { values: [{ json: '"/x"' }] }], ['fs.FS', fsMessage], isFS],
  ['shell.deviceFiles.statStandardItem', args('/x'), ['json_ipc.ValuesSequence', { values: [{ json: '"/x"' }] }], stats, statsResult],
  ['testStand.sendMsgToOtherLocalTestProcess', args(2, 'a', undefined, { m: 1 }),
    ['test_stand.SendMsgToOtherLocalTestProcessRequestBody', { userNum: { value: 2 }, appDomain: { value: 'a' }, msgJson: '{"m":1}' }]],
]

export const files = [...capabilities, ...folders, ...versionsOfFolders, ...singleFiles, ...streams, ...collections]
