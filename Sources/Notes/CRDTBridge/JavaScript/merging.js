// Several updates as one, without a document.
import * as Y from 'yjs'
import { Failure } from './failure.js'

/// Yjs looks at all readers for every struct, so many updates are merged in groups, and then the groups.
const groupSize = 64

export const merge = updates => {
  while (updates.length > 1) {
    const groups = []
    for (let i = 0; i < updates.length; i += groupSize) groups.push(Y.mergeUpdates(updates.slice(i, i + groupSize)))
    updates = groups
  }
  return updates.length === 1 ? updates[0] : new Uint8Array([0, 0])
}

/// Splits what the Swift side put into one buffer: each part behind its length as a little-endian uint32.
export const unpack = packed => {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const parts = []
  let position = 0
  while (position < packed.length) {
    const start = position + 4
    position = start + view.getUint32(position, true)
    parts.push(packed.subarray(start, position))
  }
  return parts
}

export const mergePacked = packed => {
  try {
    return merge(unpack(packed))
  } catch (error) {
    throw new Failure('damagedUpdate', String(error && error.message))
  }
}

/// The client ids whose operations are in an update.
export const clients = update => {
  try {
    return Array.from(Y.parseUpdateMeta(update).to.keys())
  } catch (error) {
    throw new Failure('damagedUpdate', String(error && error.message))
  }
}
