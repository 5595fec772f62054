// Goes ahead in every bare context, of cores and of components: ports, and the globals that the engine lacks.
import { describing } from './common/console.js'
import { define, defineLate, enginesGlobal, takeGlobal } from './common/define.js'
import { delayedTimers } from './common/delayed-timers.js'
import { addMissingGlobals } from './common/globals.js'
import { makeTimers, timerNames } from './common/timers.js'
import { Ports } from './ports/ports.js'

const native = takeGlobal('_ports_')
const ports = new Ports(native)

const [setTimeout, setInterval, clearTimeout, console] =
  ['setTimeout', 'setInterval', 'clearTimeout', 'console'].map(enginesGlobal)
defineLate(timerNames, () => makeTimers(
  setTimeout ? { setTimeout: setTimeout(), setInterval: setInterval(), clearTimeout: clearTimeout() } : delayedTimers(ports)))
if (console) defineLate(['console'], () => ({ console: describing(console()) }))
addMissingGlobals(native)

// For the preload that follows, which takes it away.
define({ self: globalThis, _preload_: { ports, capabilities: native.capabilities } })
