// `globalThis.platform`: everything of the host that a core is wired to.
import { decode } from '../wire/codec.js'
import { nativeCryptor } from './cryptor.js'
import { deviceFS } from './device-fs.js'
import { txtResolver } from './dns.js'
import { aboutPath } from './file-errors.js'
import { httpRequest } from './http.js'
import { nativeFunctions } from './native.js'
import { openWebSocket } from './websocket.js'

const online = 'online_80%'
const offline = 'offline_99%'

const windows = native => {
  const start = native('ui_startAppActivity', 'components.ComponentEntrypointArgs')
  const close = native('ui_closeAppActivity', 'components.ConnectorIdArgs')
  const focus = native('ui_focusAppActivity', 'components.ConnectorIdArgs')
  const showErrorBox = native('ui_showSystemErrorBox', 'components.SystemErrBoxArgs')
  const exitAll = native('ui_exitAll')
  return {
    startAppActivity: (connectorId, appDomain, entrypoint) => start({ connectorId, appDomain, entrypoint }).then(() => {}),
    closeAppActivity: connectorId => close({ connectorId }).then(() => {}),
    focusAppActivity: connectorId => focus({ connectorId }).then(() => {}),
    showSystemErrorBox: (title, content) => showErrorBox({ title, content }).then(() => {}),
    exitAll: () => exitAll().then(() => {}),
  }
}

const bundledFiles = native => {
  const read = native('assets_readBytes', 'fs_op.ReadFromAssetsPathArgs')
  const list = native('assets_listFolder', 'fs_op.AssetsPathArgs', 'fs_op.AssetsFolderListing')
  return {
    readBytes: (fromPacks, path, start, end) => aboutPath(path, read({ fromPacks, path, start, end })),
    listFolder: (fromPacks, path) => aboutPath(path, list({ fromPacks, path })).then(({ items }) => items),
  }
}

const keys = native => {
  const encrypt = native('keystore_encrypt', 'keystore_op.CryptArgs')
  const decrypt = native('keystore_decrypt', 'keystore_op.CryptArgs')
  return {
    encrypt: (keyName, data) => encrypt({ keyName, data }), decrypt: (keyName, data) => decrypt({ keyName, data }),
  }
}

const onlineCheck = native => {
  const check = native('connectivity_isOnline', undefined, 'connectivity.OnlineStatus')
  return { isOnline: async () => (await check()).status === 'network-present' ? online : offline }
}

/// @param {import('../ports/ports.js').Ports} ports
export const makePlatform = (ports, nextTick) => {
  const native = nativeFunctions(ports)
  const request = httpRequest(native)
  const random = native('crypto_random', 'random_op.NumOfBytesArgs')
  const startComponent = native('js_startComponent', 'components.ComponentEntrypointArgs')
  const openExternal = native('open_external', 'fn_calls.StringValue')
  const scan = native('scan_url_qr', 'fn_calls.StringArrayValue')
  return {
    device_fs: deviceFS(native),
    httpRequest: request,
    openWebSocket: openWebSocket(native, ports),
    resolveTxt: txtResolver(request),
    random: numOfBytes => random({ numOfBytes }),
    keystore: keys(native),
    cryptor: nativeCryptor(native, ports),
    connectivity: onlineCheck(native),
    ui: windows(native),
    startComponent: (connectorId, appDomain, entrypoint) => startComponent({ connectorId, appDomain, entrypoint }).then(() => {}),
    assets: bundledFiles(native),
    openExternal: url => openExternal({ value: url }).then(() => {}),
    async scanUrlQR(prefixes) {
      const found = await scan({ values: prefixes })
      return found.length > 0 ? decode('fn_calls.StringValue', found).value : undefined
    },
    nextTick,
  }
}
