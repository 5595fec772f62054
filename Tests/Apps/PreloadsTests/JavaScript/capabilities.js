// Every method of `w3n`: what goes over for it, and what it makes of the answer.
import { encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { ObjectConnection } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/connection.js'
import { packEnvelope, unpackEnvelope } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/envelope.js'
import { packValues, unpackValues } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/values.js'
import { decode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'
import { componentCapabilities } from '../../../../Sources/Apps/Preloads/JavaScript/w3n/capabilities.js'
import { Client } from '../../../../Sources/Apps/Preloads/JavaScript/w3n/client.js'
import { startupCapabilities } from '../../../../Sources/Apps/Preloads/JavaScript/w3n/startup.js'
import { buildW3N } from '../../../../Sources/Apps/Preloads/JavaScript/w3n/w3n.js'
import { files } from './kit/file-methods.js'
import { bytes, equal, offer, settle, thrown, truly } from './kit/expect.js'

/// Everything is granted.
const everything = tree => path => {
  let entry = tree
  for (const name of path.slice(1)) entry = entry?.[name]
  return typeof entry === 'object' ? Object.keys(entry) : []
}

/// A client whose other end is the test: `sent` has what it said.
const makeClient = (tree = componentCapabilities) => {
  const sent = []
  const connection = new ObjectConnection({ send: bytes => sent.push(unpackEnvelope(bytes)) })
  const client = new Client(connection)
  const say = (type, body) => connection.receive(packEnvelope(type, sent.at(-1).number, undefined, body))
  return { client, sent, say, w3n: buildW3N(client, tree, everything(tree)) }
}

const at = (w3n, path) => path.split('.').reduce((object, name) => object[name], w3n)
const reference = { objType: 'FSImpl', path: ['1'] }
const json = (...values) => packValues(values, object => object?.objType ? object : undefined)
const unpacked = bytes => unpackValues(bytes, reference => reference)

/// Functions that answer once, of JSON values.
const jsonCalls = `log closeSelf myVersion ui.uiFormFactor mailerid.getUserId mailerid.login mailerid.sign mailerid.verifySignature
  mail.config.getOnServer mail.config.setOnServer keyrings.getCorrespondentKeys keyrings.introKeyOnASMailServer.getCurrent
  keyrings.introKeyOnASMailServer.makeAndPublishNew keyrings.introKeyOnASMailServer.remove connectivity.isOnline
  shell.startAppWithParams shell.getStartedCmd shell.openDashboard shell.openFile shell.openFolder shell.openInMounted
  shell.openURL shell.moveDevFSItemToTrash shell.userNotifications.addNotification shell.userNotifications.removeNotification
  shell.clipboard.readText shell.clipboard.writeText shell.clipboard.readHTML shell.clipboard.writeHTML shell.clipboard.readRTF
  shell.clipboard.writeRTF shell.mounts.mountFolder shell.mounts.mountFile shell.mounts.unmountPath shell.mounts.unmountFolder
  shell.mounts.unmountFile mediaDevices.isAudioCaptureAvailable mediaDevices.ensureDeviceAllowsScreenCapture
  system.apps.opener.listCurrentApps system.apps.opener.getAppManifestOfCurrent system.apps.opener.getAppFileBytesOfCurrent
  system.apps.opener.openApp system.apps.opener.executeCommand system.apps.opener.triggerAllStartupLaunchers
  system.apps.opener.closeAppsAfterUpdate system.apps.downloader.getAppChannels system.apps.downloader.getLatestAppVersion
  system.apps.downloader.getAppVersionFilesList system.apps.installer.listBundledApps system.apps.installer.listAllAppsPacks
  system.apps.installer.listAppPacks system.apps.installer.installApp system.apps.installer.removeAppPack
  system.apps.installer.uninstallApp system.apps.installer.removeAppData system.apps.installer.getAppManifest
  system.apps.installer.getAppFileBytes system.platform.getCurrentVersion system.platform.getChannels
  system.platform.getLatestVersion system.platform.downloadUpdate system.platform.quitAndInstall
  system.platform.wipeFromThisDevice system.monitor.listProcs system.monitor.listConnectionsToAppServices system.logout
  system.userLogin.isAutoLoginSet system.userLogin.removeAutoLogin system.userLogin.isAutoLoginAvailable
  system.autoStartup.isAutoStartupAvailable system.autoStartup.isAutoStartupSet system.autoStartup.setAutoStartup testStand.log
  testStand.record testStand.exitAll testStand.staticTestInfo testStand.idOfTestUser testStand.focusThisWindow http.request`

const jsonObservables = `connectivity.watch shell.watchStartCmds shell.userNotifications.watch system.apps.downloader.downloadWebApp
  system.apps.installer.addPackFromBundledApps system.apps.installer.addAppPackFromFolder
  system.apps.installer.addAppPackFromZipFile system.apps.installer.watchApps system.platform.setupUpdater`

const startupCalls = `signIn.getUsersOnDisk signIn.startLoginToRemoteStorage signUp.setSignUpServer signUp.getAvailableDomains
  signUp.getAvailableAddresses signUp.addUser signUp.isActivated provider.openInExternal provider.openSiteInChildWindow
  provider.closeSite provider.getSignupToken enableAutoLogin scanUrlQR testStand.log`

const words = text => text.split(/\s+/)

const checkCalls = async (paths, tree) => {
  for (const path of words(paths)) {
    const { w3n, sent, say } = makeClient(tree)
    const reply = at(w3n, path)('a', { b: bytes('09') }, undefined)
    equal(sent[0].path, ['w3n', ...path.split('.')], path)
    equal(unpacked(sent[0].body), ['a', { b: bytes('09') }, undefined], path)
    say('end', json({ c: [bytes('08')] }))
    equal(await reply, { c: [bytes('08')] }, path)
    const nothing = at(w3n, path)()
    equal(sent[1].body, new Uint8Array(0), path)
    say('end')
    equal(await nothing, undefined, path)
  }
}

const checkObservables = async (paths, tree) => {
  for (const path of words(paths)) {
    const { w3n, sent, say } = makeClient(tree)
    const seen = []
    const stop = at(w3n, path)('a', { next: value => seen.push(value) })
    equal(sent[0].path, ['w3n', ...path.split('.')], path)
    equal(unpacked(sent[0].body), ['a'], path)
    say('interim', json({ d: 1 }))
    equal(stop(), undefined)
    say('interim', json({ d: 2 }))
    equal(seen, [{ d: 1 }], path)
    equal(sent[1].type, 'cancel', path)
    truly(await thrown(() => at(w3n, path)('no observer')) instanceof TypeError, path)
  }
}

const checkProgress = async (paths, tree) => {
  for (const path of words(paths)) {
    const { w3n, sent, say } = makeClient(tree)
    const seen = []
    const reply = at(w3n, path)('pass', value => seen.push(value))
    equal(unpacked(sent[0].body), ['pass'], path)
    for (const event of [1, { p: 50 }, { p: 100, decrResult: false }]) say('interim', json(event))
    say('end')
    equal([await reply, seen], [false, [1, 50, 100]], path)
  }
}

offer({
  'functions of JSON': () => checkCalls(jsonCalls),
  'functions that emit JSON': () => checkObservables(jsonObservables),
  'functions that tell their progress': () => checkProgress('system.userLogin.setAutoLogin'),
  async 'all of the startup page'() {
    await checkCalls(startupCalls, startupCapabilities)
    await checkObservables('signIn.watchBoot signUp.watchBoot', startupCapabilities)
    await checkProgress('signIn.useExistingStorage signIn.completeLoginAndLocalSetup signUp.createUserParams', startupCapabilities)
  },
  async 'functions with messages of their own'() {
    for (const [path, args, request, reply, result] of files) {
      const { client, w3n, sent, say } = makeClient()
      const made = args(client)
      const answer = at(typeof path === 'string' ? w3n : path.on(client), path.name ?? path)(...made)
      const what = path.name ?? path
      equal(sent[0].path, path.path ?? ['w3n', ...path.split('.')], what)
      if (request) equal(sent[0].body, encode(...request), what)
      else equal(sent[0].body, undefined, what)
      say('end', typeof reply === 'string' ? utf8(reply) : reply && encode(...reply))
      const expected = typeof result === 'function' ? result : value => equal(value, result, what)
      await expected(await answer)
    }
  },
  async 'functions with messages of their own that emit'() {
    const stringValue = value => ['common.StringValue', { value: JSON.stringify(value) }]
    const rows = [
      ['mail.inbox.subscribe', ['message'], ['asmail.SubscribeStartCallBody', { event: 'message' }],
        ['asmail.IncomingMessageMsg', { msgId: 'm', sender: 's' }], ({ msgId, sender }) => equal([msgId, sender], ['m', 's'])],
      ['mail.delivery.observeDelivery', ['d'], ['asmail.ObserveDeliveryRequestBody', { id: 'd' }],
        ['asmail.DeliveryProgressMsg', { msgSize: 4 }], value => equal(value, { msgSize: 4, recipients: {} })],
      ['mail.delivery.observeAllDeliveries', [], undefined, ['asmail.DeliveryNotificationWithId', { id: 'd', progress: { msgSize: 1 } }],
        value => equal(value, { id: 'd', progress: { msgSize: 1, recipients: {} } })],
      ['rpc.exposeService', ['srv'], ['rpc.ExposeSrvRequestBody', { service: 'srv' }],
        ['common.ObjectReference', { objType: 'IncomingConnection', path: ['9'] }],
        value => equal(Object.keys(value), ['close', 'send', 'watch'])],
    ]
    for (const [path, args, request, event, check] of rows) {
      const { w3n, sent, say } = makeClient()
      const seen = []
      at(w3n, path)(...args, { next: value => seen.push(value) })
      equal(sent[0].body, request && encode(...request), path)
      say('interim', encode(...event))
      equal(seen.length, 1, path)
      check(seen[0])
    }
    const { w3n, sent, say } = makeClient()
    const seen = []
    w3n.testStand.observeMsgsFromOtherLocalTestProcess({ next: value => seen.push(value) }, 1, 'app')
    equal(decode('test_stand.ObserveOtherTestProcessRequestBody', sent[0].body).userNum.value, 1)
    say('interim', encode(...stringValue({ x: 1 })))
    equal(seen, [{ x: 1 }])
  },
  async 'only what is listed appears, and log always'() {
    const { client } = makeClient()
    const listing = { w3n: ['ui', 'rpc', 'bogus', 'constructor'], 'w3n/ui': ['uiFormFactor', '__proto__'], 'w3n/rpc': ['thisApp'] }
    const w3n = buildW3N(client, componentCapabilities, path => listing[path.join('/')] ?? [])
    equal(Object.keys(w3n), ['ui', 'rpc', 'log', 'appRPC'])
    equal(Object.keys(w3n.ui), ['uiFormFactor'])
    equal(await w3n.log('info', 'unheard'), undefined)
    truly(w3n.appRPC === w3n.rpc.thisApp)
  },
  async 'a callback that the other side calls'() {
    const { client, w3n, sent, say } = makeClient()
    const set = w3n.mediaDevices.setSelectDisplayMediaForCaptureHandler(async screens => ({ chosen: screens[0] }))
    const [{ objType, path }] = unpacked(sent[0].body)
    equal(objType, 'JsonCallFn')
    say('end')
    await set
    client.connection.receive(packEnvelope('start', 77, path, json([{ id: 1 }])))
    await settle()
    equal([sent.at(-1).type, sent.at(-1).number, unpacked(sent.at(-1).body)], ['end', 77, [{ chosen: { id: 1 } }]])
    truly(await thrown(() => w3n.mediaDevices.setSelectDisplayMediaForCaptureHandler('x')) instanceof TypeError)
  },
  async 'objects that did not come from w3n are refused'() {
    const { client, w3n, sent, say } = makeClient()
    const opened = w3n.storage.getAppLocalFS()
    say('end', encode('fs.FS', { type: 'local', writable: true, name: 'n', impl: reference }))
    const fs = await opened
    for (const forged of [{}, fs.stat, null, { objType: 'FSImpl', path: ['1'] }, Object.create(fs)]) {
      truly(await thrown(() => fs.saveFolder(forged, 'x')) instanceof TypeError)
    }
    truly(await thrown(() => fs.saveFile(fs, 'x')) instanceof TypeError, 'a folder for a file')
    equal(sent.length, 1)
    const open = w3n.shell.openFolder(fs)
    equal(unpacked(sent[1].body), [reference])
    say('end')
    await open
    equal(client.referenceOf(fs), reference)
  },
})
