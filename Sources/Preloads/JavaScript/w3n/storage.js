// `w3n.storage`: where all folder trees come from.
import {
  fs_FS, storage_GetAppLocalFSRequestBody, storage_GetAppSyncedFSRequestBody, storage_GetSysFSRequestBody,
  storage_GetUserFSRequestBody,
} from 'messages'
import { fsFrom } from './files/fs.js'
import { ask, message, some } from './typed.js'

const folder = message(fs_FS, (fs, client) => fsFrom(client, fs))
const ofApp = ([appName]) => ({ appName: some(appName) })
const ofType = ([type, path]) => ({ type, path: some(path) })

export const storage = {
  getAppLocalFS: ask(storage_GetAppLocalFSRequestBody, ofApp, folder),
  getAppSyncedFS: ask(storage_GetAppSyncedFSRequestBody, ofApp, folder),
  getUserFS: ask(storage_GetUserFSRequestBody, ofType, folder),
  getSysFS: ask(storage_GetSysFSRequestBody, ofType, folder),
}
