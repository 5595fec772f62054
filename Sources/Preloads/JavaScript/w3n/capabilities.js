// All capabilities there are, as a tree: who makes the function of each name.
//
// Most pack their values as JSON; these are listed by name only. Everything else says how it is made.

/// A function of JSON values; one that emits them; one that tells its progress.
const call = (client, path) => client.json(path)
const observe = (client, path) => client.jsonObservable(path)
const progress = (client, path) => client.jsonProgress(path)

/// A group in which each name is made by the same.
const group = (names, more = {}) => ({ ...Object.fromEntries(names.split(' ').map(name => [name, call])), ...more })

const apps = {
  opener: group('listCurrentApps getAppManifestOfCurrent getAppFileBytesOfCurrent openApp executeCommand'
    + ' triggerAllStartupLaunchers closeAppsAfterUpdate'),
  downloader: group('getAppChannels getLatestAppVersion getAppVersionFilesList', { downloadWebApp: observe }),
  installer: group('listBundledApps listAllAppsPacks listAppPacks installApp removeAppPack uninstallApp removeAppData'
    + ' getAppManifest getAppFileBytes', {
    addPackFromBundledApps: observe, addAppPackFromFolder: observe, addAppPackFromZipFile: observe, watchApps: observe,
  }),
}

const system = {
  apps,
  platform: group('getCurrentVersion getChannels getLatestVersion downloadUpdate quitAndInstall wipeFromThisDevice',
    { setupUpdater: observe }),
  monitor: group('listProcs listConnectionsToAppServices'),
  logout: call,
  userLogin: group('isAutoLoginSet removeAutoLogin isAutoLoginAvailable', { setAutoLogin: progress }),
  autoStartup: group('isAutoStartupAvailable isAutoStartupSet setAutoStartup'),
}

const shell = {
  ...group('startAppWithParams getStartedCmd openDashboard openFile openFolder openInMounted openURL moveDevFSItemToTrash',
    { watchStartCmds: observe }),
  userNotifications: group('addNotification removeNotification', { watch: observe }),
  clipboard: group('readText writeText readHTML writeHTML readRTF writeRTF'),
  mounts: group('mountFolder mountFile unmountPath unmountFolder unmountFile'),
}

const mediaDevices = group('isAudioCaptureAvailable ensureDeviceAllowsScreenCapture', {
  setSelectDisplayMediaForCaptureHandler: (client, path) => {
    const set = client.json(path)
    return handler => set(client.exposeFunction(handler))
  },
})

/// What components get.
export const componentCapabilities = {
  ...group('log closeSelf myVersion'),
  ui: group('uiFormFactor'),
  mailerid: group('getUserId login sign verifySignature'),
  keyrings: { getCorrespondentKeys: call, introKeyOnASMailServer: group('getCurrent makeAndPublishNew remove') },
  connectivity: { isOnline: call, watch: observe },
  http: group('request'),
  shell, system, mediaDevices,
}

/// What the page gets that signs people in and up.
export const startupCapabilities = {
  signIn: group('getUsersOnDisk startLoginToRemoteStorage',
    { useExistingStorage: progress, completeLoginAndLocalSetup: progress, watchBoot: observe }),
  signUp: group('setSignUpServer getAvailableDomains getAvailableAddresses addUser isActivated',
    { createUserParams: progress, watchBoot: observe }),
  provider: group('openInExternal openSiteInChildWindow closeSite getSignupToken'),
  ...group('enableAutoLogin scanUrlQR'),
}
