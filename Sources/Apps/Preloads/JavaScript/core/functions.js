// What a core does for its host: `init`, and the ten functions that take its place.
import { serveHost } from '../ports/calls.js'
import { decode, encode } from '../wire/codec.js'

const value = entry => value => encode(entry, { value })
const nothing = () => undefined

/// Schema of the arguments, how the core's function is called with them, and how its result is packed.
const table = ports => ({
  attachComponentPortToConnector: ['init.ConnectorIdArgs',
    (f, { connectorId }) => f(connectorId, ports.open(`c-${connectorId}`)), nothing],
  listObjPathInConnector: ['init.ConnectorAndObjPathArgs', (f, { connectorId, objPath }) => f(connectorId, objPath),
    values => values && encode('fn_calls.StringArrayValue', { values })],
  getSignedUserIdEventually: [undefined, f => f(), value('fn_calls.StringValue')],
  isBundledApp: ['components.AppDomainArgs', (f, { appDomain }) => f(appDomain), value('fn_calls.BooleanValue')],
  onComponentClosedInAndroid: ['components.ConnectorIdArgs', (f, { connectorId }) => f(connectorId), nothing],
  getFileSizeInAppCodeFS: ['components.ConnectorAndPathArgs', (f, { connectorId, path }) => f(connectorId, path),
    (size = -1) => encode('fn_calls.IntValue', { value: size })],
  readBytesFromFileInAppCodeFS: ['components.FileReadArgs',
    (f, { connectorId, path, start, end }) => f(connectorId, path, start, end), bytes => bytes],
  launchAppFromAndroid: ['components.AppDomainArgs', (f, { appDomain }) => f(appDomain),
    ({ connectorId, entrypoint }) => encode('components.ConnectorAndEntrypoint', { connectorId, entrypoint })],
  processURL: ['init.UrlArgs', (f, { url }) => f(url), nothing],
  processURLBeforeLogin: ['init.UrlArgs', (f, { url }) => f(url),
    (found = '') => encode('fn_calls.StringValue', { value: found })],
})

/// Exposes `init` alone; when it is done, the ten others are.
/// @param {import('../ports/ports.js').Ports} ports
/// @param {(options: {dataDir: string}) => Promise<object>|object} init returns the core's functions, by name
export const serveCore = (ports, init) => {
  const exposed = new Map()
  exposed.set('init', async bytes => {
    exposed.delete('init')
    const core = await init(decode('init.DataDirArgs', bytes))
    for (const [name, [entry, call, pack]] of Object.entries(table(ports))) {
      const function_ = core?.[name]
      if (typeof function_ !== 'function') throw new TypeError(`the core has no function ${name}`)
      exposed.set(name, async bytes => pack(await call(function_.bind(core), entry && decode(entry, bytes))))
    }
  })
  serveHost(ports.open('fns-for-android'), exposed)
}
