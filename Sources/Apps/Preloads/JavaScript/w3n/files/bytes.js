// Byte sources and sinks: files that are read and written piece by piece.
import { errorValue } from '../../ipc/errors.js'
import { late } from '../groups.js'
import { ask, given, message, present, some, value } from '../typed.js'
import { bytesOrNothing } from './shapes.js'

const read = message('bytes.ReadReplyBody', ({ bytes }) => given(bytes))

const sourceMethods = late(() => ({
  readNext: ask('bytes.ReadNextRequestBody', ([len]) => ({ len: some(len) }), read),
  readAt: ask('bytes.ReadAtRequestBody', ([pos, len]) => ({ pos, len: some(len) }), read),
  getSize: ask(undefined, undefined, value('common.UInt64Value')),
  seek: ask('bytes.SeekRequestBody', ([offset]) => ({ offset })),
  getPosition: ask(undefined, undefined, value('common.UInt64Value')),
}))

const layout = ({ base, sections }) => present({ base: given(base), sections })

const sinkMethods = late(() => ({
  getSize: ask(undefined, undefined, value('common.UInt64Value')),
  splice: ask('bytes.SpliceRequestBody', ([pos, del, bytes]) => ({ pos, del, bytes: bytesOrNothing(bytes) })),
  truncate: ask('bytes.TruncateRequestBody', ([size]) => ({ size })),
  showLayout: ask(undefined, undefined, message('bytes.FileLayoutMsg', layout)),
  done: ask('bytes.DoneRequestBody', ([error]) => ({ err: error === undefined ? undefined : errorValue(error) })),
}))

const proxy = (client, reference, methods) => {
  const object = {}
  Object.assign(object, client.methods(methods(), reference.path, object))
  return client.adopt(reference, object)
}

export const byteSource = (client, reference) => proxy(client, reference, sourceMethods)
export const byteSink = (client, reference) => proxy(client, reference, sinkMethods)
