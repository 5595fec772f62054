// `w3n.storage`: where all folder trees come from.
import { fsFrom } from './files/fs.js'
import { late } from './groups.js'
import { ask, message, some } from './typed.js'

const folder = message('fs.FS', (fs, client) => fsFrom(client, fs))
const ofApp = ([appName]) => ({ appName: some(appName) })
const ofType = ([type, path]) => ({ type, path: some(path) })

export const storage = late(() => ({
  getAppLocalFS: ask('storage.GetAppLocalFSRequestBody', ofApp, folder),
  getAppSyncedFS: ask('storage.GetAppSyncedFSRequestBody', ofApp, folder),
  getUserFS: ask('storage.GetUserFSRequestBody', ofType, folder),
  getSysFS: ask('storage.GetSysFSRequestBody', ofType, folder),
}))
