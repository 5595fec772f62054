// Goes ahead in every bare context, of cores and of components: ports, and the globals that the engine lacks.
import { wrapConsole } from './common/console.js'
import { define, takeGlobal } from './common/define.js'
import { addMissingGlobals } from './common/globals.js'
import { makeTimers } from './common/timers.js'
import { Ports } from './ports/ports.js'

const native = takeGlobal('_ports_')
const ports = new Ports(native)

define({ self: globalThis, ...makeTimers(ports, globalThis) })
addMissingGlobals(native)
if (typeof console === 'object') wrapConsole(console)

// For the preload that follows, which takes it away.
define({ _preload_: { ports, capabilities: native.capabilities } })
