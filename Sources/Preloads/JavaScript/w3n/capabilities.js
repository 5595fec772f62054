// All capabilities there are, as a tree: what makes the function of each name.
import { jsonCall, jsonObservable, jsonProgress } from './client.js'
import { calls } from './groups.js'
import { mail } from './mail.js'
import { rpc } from './rpc.js'
import { shell } from './shell.js'
import { storage } from './storage.js'
import { testStand } from './test-stand.js'

const call = jsonCall()

const apps = {
  opener: calls('listCurrentApps getAppManifestOfCurrent getAppFileBytesOfCurrent openApp executeCommand'
    + ' triggerAllStartupLaunchers closeAppsAfterUpdate'),
  downloader: { ...calls('getAppChannels getLatestAppVersion getAppVersionFilesList'), downloadWebApp: jsonObservable },
  installer: {
    ...calls('listBundledApps listAllAppsPacks listAppPacks installApp removeAppPack uninstallApp removeAppData'
      + ' getAppManifest getAppFileBytes'),
    addPackFromBundledApps: jsonObservable, addAppPackFromFolder: jsonObservable, addAppPackFromZipFile: jsonObservable,
    watchApps: jsonObservable,
  },
}

const system = {
  apps,
  platform: {
    ...calls('getCurrentVersion getChannels getLatestVersion downloadUpdate quitAndInstall wipeFromThisDevice'),
    setupUpdater: jsonObservable,
  },
  monitor: calls('listProcs listConnectionsToAppServices'),
  logout: call,
  userLogin: { ...calls('isAutoLoginSet removeAutoLogin isAutoLoginAvailable'), setAutoLogin: jsonProgress },
  autoStartup: calls('isAutoStartupAvailable isAutoStartupSet setAutoStartup'),
}

/// The handler is a function of ours that the other side calls.
const setHandler = (client, path) => {
  const set = call(client, path)
  return handler => set(client.exposeFunction(handler))
}

const mediaDevices = {
  ...calls('isAudioCaptureAvailable ensureDeviceAllowsScreenCapture'), setSelectDisplayMediaForCaptureHandler: setHandler,
}

/// What components get.
export const componentCapabilities = {
  ...calls('log closeSelf myVersion'),
  ui: calls('uiFormFactor'),
  mailerid: calls('getUserId login sign verifySignature'),
  mail,
  keyrings: { getCorrespondentKeys: call, introKeyOnASMailServer: calls('getCurrent makeAndPublishNew remove') },
  storage, rpc,
  connectivity: { isOnline: call, watch: jsonObservable },
  shell, mediaDevices, system, testStand,
  http: calls('request'),
}
