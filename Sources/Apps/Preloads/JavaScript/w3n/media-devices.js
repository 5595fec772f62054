// `w3n.mediaDevices`: what the platform lets a page capture.
import { jsonCall } from './client.js'
import { calls, late } from './groups.js'

/// The handler is a function of ours that the other side calls.
const setHandler = (client, path) => {
  const set = jsonCall()(client, path)
  return handler => set(client.exposeFunction(handler))
}

export const mediaDevices = late(() => ({
  ...calls('isAudioCaptureAvailable ensureDeviceAllowsScreenCapture'), setSelectDisplayMediaForCaptureHandler: setHandler,
}))
