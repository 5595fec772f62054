// Goes second in the context of a core: what the core's bundle needs before it, and its wiring after it.
//
// The bundle may bring its own wiring and find ports at `android.getNamedPort`, or leave the wiring to us: then it defines
// `core3NWeb`, or `module.exports`, with the function `init({dataDir}, platform)`.
import { define, takeGlobal } from './common/define.js'
import { serveCore } from './core/functions.js'
import { namedPorts } from './core/message-ports.js'
import { makePlatform } from './core/platform.js'

const { ports } = takeGlobal('_preload_')
const { getNamedPort, hasOpened } = namedPorts(ports)
const platform = makePlatform(ports, setImmediate)
const module = { exports: {} }

/// Is called by the host when the bundle was evaluated, with what it defined.
const startCore = core => {
  for (const name of ['_startCore_', 'module', 'exports']) delete globalThis[name]
  const { init } = core ?? module.exports
  if (typeof init === 'function') {
    delete globalThis.android
    return serveCore(ports, options => init(options, platform))
  }
  if (!hasOpened('fns-for-android')) {
    throw new Error('the bundle is not a core: it defines no function core3NWeb.init, and does not serve fns-for-android')
  }
}

define({
  platform, module, exports: module.exports, android: { getNamedPort }, _startCore_: startCore, _awaitPreloadInit: async () => {},
})
