// All capabilities there are, as a tree: what makes the function of each name.
import { jsonCall, jsonObservable } from './client.js'
import { calls } from './groups.js'
import { mail } from './mail.js'
import { mediaDevices } from './media-devices.js'
import { rpc } from './rpc.js'
import { shell } from './shell.js'
import { storage } from './storage.js'
import { system } from './system.js'
import { testStand } from './test-stand.js'

const call = jsonCall()

/// What components get.
export const componentCapabilities = {
  ...calls('log closeSelf myVersion'),
  ui: calls('uiFormFactor'),
  mailerid: calls('getUserId login sign verifySignature'),
  get mail() { return mail() },
  keyrings: { getCorrespondentKeys: call, introKeyOnASMailServer: calls('getCurrent makeAndPublishNew remove') },
  get storage() { return storage() },
  get rpc() { return rpc() },
  connectivity: { isOnline: call, watch: jsonObservable },
  get shell() { return shell() },
  get mediaDevices() { return mediaDevices() },
  get system() { return system() },
  get testStand() { return testStand() },
  http: calls('request'),
}
