// Small things that files and folders have in common: statistics, attributes, events, flags.
import { exception } from '../../ports/exceptions.js'
import { decode } from '../../wire/codec.js'
import { bytesOf, given, present, some, text } from '../typed.js'

const date = wrapped => wrapped && new Date(wrapped.value)
const flag = wrapped => wrapped?.value ? true : undefined

export const stats = ({
  isFile, isFolder, isLink, writable, size, mtime, ctime, version, bytesNeedDownload, versionSyncBranch,
}) =>
  present({
    isFile: flag(isFile), isFolder: flag(isFolder), isLink: flag(isLink), writable, size: given(size), mtime: date(mtime),
    ctime: date(ctime), version: given(version), bytesNeedDownload: given(bytesNeedDownload),
    versionSyncBranch: given(versionSyncBranch),
  })

export const listed = ({ name, isFile, isFolder, isLink }) =>
  present({ name, isFile: flag(isFile), isFolder: flag(isFolder), isLink: flag(isLink) })

/// The value of an attribute: text, bytes or any JSON.
export const attribute = ({ str, json, bytes }) =>
  str ? str.value : bytes ? bytes.value : json ? JSON.parse(json.value) : undefined

const attributeMessage = (xaName, value) => {
  if (typeof value === 'string') return { xaName, str: { value } }
  if (value instanceof Uint8Array) return { xaName, bytes: { value } }
  return { xaName, json: { value: json(value) } }
}

/// `{set: {name: value}, remove: [name]}`
export const attributeChanges = ({ set = {}, remove = [] }) =>
  ({ set: Object.keys(set).map(name => attributeMessage(name, set[name])), remove })

export const json = value => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('the value has no JSON')
  return text
}

/// The JSON in a file's text.
export const parsed = (text, path) => {
  try {
    return JSON.parse(text)
  } catch ({ message }) {
    throw exception('file', { path, parsingError: true, cause: { message } })
  }
}

export const jsonOf = (body, client, [path]) => parsed(text(body), typeof path === 'string' ? path : undefined)

/// An event of a watched file or folder, which is JSON.
export const event = body => JSON.parse(decode('common.StringValue', body).value)

export const writeFlags = flags => flags && {
  truncate: some(flags.truncate), create: some(flags.create), exclusive: some(flags.exclusive),
  currentVersion: some(flags.currentVersion),
}

export const readFlags = flags => flags && {
  archivedVersion: some(flags.archivedVersion), remoteVersion: some(flags.remoteVersion),
}

export const syncStatus = ({ state, local, synced, remote, existsInSyncedParent, uploading }) => present({
  state, local: branch(local), synced: branch(synced), remote: branch(remote),
  existsInSyncedParent: given(existsInSyncedParent), uploading,
})

const branch = versions => versions && present({
  latest: given(versions.latest), archived: versions.archived.length > 0 ? versions.archived : undefined,
  isArchived: flag(versions.isArchived),
})

export const versions = ({ current, archived }) =>
  present({ current: given(current), archived: archived.length > 0 ? archived : undefined })

export const uploadOptions = options => options && {
  localVersion: some(options.localVersion), uploadVersion: some(options.uploadVersion),
}

export const adoptOptions = options => options && {
  dropLocalVer: some(options.dropLocalVer), remoteVersion: some(options.remoteVersion),
}

export const diffOptions = options => options && {
  remoteVersion: some(options.remoteVersion), compareContentIfSameMTime: some(options.compareContentIfSameMTime),
}

const timesDiff = diff =>
  diff && { current: new Date(diff.current), remote: new Date(diff.remote), synced: new Date(diff.synced) }

/// What two versions of a file or folder differ in.
export const difference = diff => diff && present({
  ...diff, remoteVersion: given(diff.remoteVersion), syncedVersion: given(diff.syncedVersion),
  ctime: timesDiff(diff.ctime), mtime: timesDiff(diff.mtime),
  xattrs: diff.xattrs.length > 0 ? diff.xattrs.map(attributeDifference) : undefined,
})

const attributeDifference = ({ name, addedIn, removedIn, changedIn }) =>
  present({ name, addedIn: given(addedIn), removedIn: given(removedIn), changedIn: given(changedIn) })

export const bytesOrNothing = value => value === undefined ? undefined : { value: bytesOf(value) }
