// `w3n.rpc`: calls between components and apps, with bytes and with objects that came from `w3n`.
import { errorValue } from '../ipc/errors.js'
import { byteSink, byteSource } from './files/bytes.js'
import { fileFrom } from './files/file.js'
import { fsFrom } from './files/fs.js'
import { collection } from './files/select.js'
import { late } from './groups.js'
import { ask, bytesOf, message, present, watch } from './typed.js'

const passable = ['FSImpl', 'FileImpl', 'FileByteSource', 'FileByteSink', 'SymLinkImpl', 'FSCollection']

/// `{bytes?, passedByReference?}`
const datumMessage = (datum, client) => datum && {
  bytes: datum.bytes === undefined ? undefined : bytesOf(datum.bytes),
  passedObjs: datum.passedByReference?.map(object => ({ ref: client.reference(object, ...passable) })),
}

const passedFrom = (client, { ref, fs, file }) => {
  if (fs) return fsFrom(client, fs)
  if (file) return fileFrom(client, file)
  switch (ref?.objType) {
    case 'FileByteSource': return byteSource(client, ref)
    case 'FileByteSink': return byteSink(client, ref)
    case 'FSCollection': return collection(client, ref)
    default: throw new TypeError(`an object of type ${ref?.objType} was passed`)
  }
}

const datumFrom = (datum, client) => datum && present({
  bytes: datum.bytes.length > 0 ? datum.bytes : undefined,
  passedByReference: datum.passedObjs.length > 0 ? datum.passedObjs.map(object => passedFrom(client, object)) : undefined,
})

const reply = (body, client) => body && message('rpc.PassedDatum', datumFrom)(body, client)
const callStart = ([method, datum], client) => ({ method, req: datumMessage(datum, client) })

const connectionMethods = late(() => ({
  close: ask(),
  makeRequestReplyCall: ask('rpc.CallStartRequestBody', callStart, reply),
  startObservableCall: watch('rpc.CallStartRequestBody', callStart, reply),
}))

const incomingMethods = late(() => ({
  close: ask(),
  send: ask('rpc.OutgoingMsg', ([{ callNum, callStatus, data, err }], client) =>
    ({ callNum, callStatus, data: datumMessage(data, client), err: err === undefined ? undefined : errorValue(err) })),
  watch: watch(undefined, undefined, message('rpc.IncomingMsg', ({ msgType, callNum, method, data }, client) =>
    present({ msgType, callNum, method: method || undefined, data: datumFrom(data, client) }))),
}))

const proxy = methods => message('common.ObjectReference', (reference, client) => {
  const object = {}
  Object.assign(object, client.methods(methods(), reference.path, object))
  return client.adopt(reference, object)
})

export const rpc = late(() => ({
  thisApp: ask('rpc.AppRPCRequestBody', ([service]) => ({ service }), proxy(connectionMethods)),
  otherAppsRPC: ask('rpc.OtherAppsRPCRequestBody', ([appDomain, service]) => ({ appDomain, service }), proxy(connectionMethods)),
  exposeService: watch('rpc.ExposeSrvRequestBody', ([service]) => ({ service }), proxy(incomingMethods)),
}))
