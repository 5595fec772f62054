// `w3n.system`: apps, the platform, and what a person sets up.
import { jsonCall, jsonObservable, jsonProgress } from './client.js'
import { calls, late } from './groups.js'

const apps = () => ({
  opener: calls('listCurrentApps getAppManifestOfCurrent getAppFileBytesOfCurrent openApp executeCommand'
    + ' triggerAllStartupLaunchers closeAppsAfterUpdate'),
  downloader: { ...calls('getAppChannels getLatestAppVersion getAppVersionFilesList'), downloadWebApp: jsonObservable },
  installer: {
    ...calls('listBundledApps listAllAppsPacks listAppPacks installApp removeAppPack uninstallApp removeAppData'
      + ' getAppManifest getAppFileBytes'),
    addPackFromBundledApps: jsonObservable, addAppPackFromFolder: jsonObservable, addAppPackFromZipFile: jsonObservable,
    watchApps: jsonObservable,
  },
})

export const system = late(() => ({
  apps: apps(),
  platform: {
    ...calls('getCurrentVersion getChannels getLatestVersion downloadUpdate quitAndInstall wipeFromThisDevice'),
    setupUpdater: jsonObservable,
  },
  monitor: calls('listProcs listConnectionsToAppServices'),
  logout: jsonCall(),
  userLogin: { ...calls('isAutoLoginSet removeAutoLogin isAutoLoginAvailable'), setAutoLogin: jsonProgress },
  autoStartup: calls('isAutoStartupAvailable isAutoStartupSet setAutoStartup'),
}))
