// What a core does for its host: `init`, and the ten functions that take its place.
import {
  components_AppDomainArgs, components_ConnectorAndEntrypoint, components_ConnectorIdArgs, components_ConnectorAndPathArgs,
  components_FileReadArgs, fn_calls_BooleanValue, fn_calls_IntValue, fn_calls_StringArrayValue, fn_calls_StringValue,
  init_ConnectorAndObjPathArgs, init_ConnectorIdArgs, init_DataDirArgs, init_UrlArgs,
} from 'messages'
import { serveHost } from '../ports/calls.js'
import { decode, encode } from '../wire/codec.js'

const value = entry => value => encode(entry, { value })
const nothing = () => undefined

/// Schema of the arguments, how the core's function is called with them, and how its result is packed.
const table = ports => ({
  attachComponentPortToConnector: [init_ConnectorIdArgs,
    (f, { connectorId }) => f(connectorId, ports.open(`c-${connectorId}`)), nothing],
  listObjPathInConnector: [init_ConnectorAndObjPathArgs, (f, { connectorId, objPath }) => f(connectorId, objPath),
    values => values && encode(fn_calls_StringArrayValue, { values })],
  getSignedUserIdEventually: [undefined, f => f(), value(fn_calls_StringValue)],
  isBundledApp: [components_AppDomainArgs, (f, { appDomain }) => f(appDomain), value(fn_calls_BooleanValue)],
  onComponentClosedInAndroid: [components_ConnectorIdArgs, (f, { connectorId }) => f(connectorId), nothing],
  getFileSizeInAppCodeFS: [components_ConnectorAndPathArgs, (f, { connectorId, path }) => f(connectorId, path),
    (size = -1) => encode(fn_calls_IntValue, { value: size })],
  readBytesFromFileInAppCodeFS: [components_FileReadArgs,
    (f, { connectorId, path, start, end }) => f(connectorId, path, start, end), bytes => bytes],
  launchAppFromAndroid: [components_AppDomainArgs, (f, { appDomain }) => f(appDomain),
    ({ connectorId, entrypoint }) => encode(components_ConnectorAndEntrypoint, { connectorId, entrypoint })],
  processURL: [init_UrlArgs, (f, { url }) => f(url), nothing],
  processURLBeforeLogin: [init_UrlArgs, (f, { url }) => f(url), (found = '') => encode(fn_calls_StringValue, { value: found })],
})

/// Exposes `init` alone; when it is done, the ten others are.
/// @param {import('../ports/ports.js').Ports} ports
/// @param {(options: {dataDir: string}) => Promise<object>|object} init returns the core's functions, by name
export const serveCore = (ports, init) => {
  const exposed = new Map()
  exposed.set('init', async bytes => {
    exposed.delete('init')
    const core = await init(decode(init_DataDirArgs, bytes))
    for (const [name, [entry, call, pack]] of Object.entries(table(ports))) {
      const function_ = core?.[name]
      if (typeof function_ !== 'function') throw new TypeError(`the core has no function ${name}`)
      exposed.set(name, async bytes => pack(await call(function_.bind(core), entry && decode(entry, bytes))))
    }
  })
  serveHost(ports.open('fns-for-android'), exposed)
}
