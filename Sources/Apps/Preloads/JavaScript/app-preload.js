// Goes second in the context of a headless component: `w3n`, over the port `core-ipc`.
import { define, takeGlobal } from './common/define.js'
import { ObjectConnection } from './ipc/connection.js'
import { hostFunction } from './ports/calls.js'
import { componentCapabilities } from './w3n/capabilities.js'
import { Client } from './w3n/client.js'
import { makeFetch } from './w3n/fetch.js'
import { askedListing, knownListing } from './w3n/listing.js'
import { buildW3N } from './w3n/w3n.js'

const { ports, capabilities } = takeGlobal('_preload_')

const pipe = ports.open('core-ipc')
const disconnect = hostFunction(ports.open('ipc_disconnectFromCore'))
const connection = new ObjectConnection({ send: pipe.send, close: () => { disconnect().catch(() => {}) } })
pipe.onMessage(bytes => connection.receive(bytes))

const ready = list => {
  const w3n = buildW3N(new Client(connection), componentCapabilities, list)
  define({ w3n, ...w3n.http?.request && { fetch: makeFetch(w3n.http.request) } })
}

let loading
if (capabilities) ready(knownListing(capabilities))
else loading = askedListing(ports.open('ipc_listCoreObjPath'), componentCapabilities).then(ready)

define({ _awaitPreloadInit: async () => { await loading }, Deno: {}, ipc: undefined })
