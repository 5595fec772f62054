// Byte sources and sinks: files that are read and written piece by piece.
import {
  bytes_DoneRequestBody, bytes_FileLayoutMsg, bytes_ReadAtRequestBody, bytes_ReadNextRequestBody, bytes_ReadReplyBody,
  bytes_SeekRequestBody, bytes_SpliceRequestBody, bytes_TruncateRequestBody, common_UInt64Value,
} from 'messages'
import { errorValue } from '../../ipc/errors.js'
import { ask, given, message, present, some, value } from '../typed.js'
import { bytesOrNothing } from './shapes.js'

const read = message(bytes_ReadReplyBody, ({ bytes }) => given(bytes))

const sourceMethods = {
  readNext: ask(bytes_ReadNextRequestBody, ([len]) => ({ len: some(len) }), read),
  readAt: ask(bytes_ReadAtRequestBody, ([pos, len]) => ({ pos, len: some(len) }), read),
  getSize: ask(undefined, undefined, value(common_UInt64Value)),
  seek: ask(bytes_SeekRequestBody, ([offset]) => ({ offset })),
  getPosition: ask(undefined, undefined, value(common_UInt64Value)),
}

const layout = ({ base, sections }) => present({ base: given(base), sections })

const sinkMethods = {
  getSize: ask(undefined, undefined, value(common_UInt64Value)),
  splice: ask(bytes_SpliceRequestBody, ([pos, del, bytes]) => ({ pos, del, bytes: bytesOrNothing(bytes) })),
  truncate: ask(bytes_TruncateRequestBody, ([size]) => ({ size })),
  showLayout: ask(undefined, undefined, message(bytes_FileLayoutMsg, layout)),
  done: ask(bytes_DoneRequestBody, ([error]) => ({ err: error === undefined ? undefined : errorValue(error) })),
}

const proxy = (client, reference, methods) => {
  const object = {}
  Object.assign(object, client.methods(methods, reference.path, object))
  return client.adopt(reference, object)
}

export const byteSource = (client, reference) => proxy(client, reference, sourceMethods)
export const byteSink = (client, reference) => proxy(client, reference, sinkMethods)
