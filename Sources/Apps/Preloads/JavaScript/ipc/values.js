// JSON+binary packing: values as JSON, with the bytes and objects within them beside it.
import { decode, encode } from '../wire/codec.js'
import { Writer } from '../wire/writer.js'

const depthLimit = 200

const binary = value => {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

const VALUES = 0x0a
const JSON_TEXT = 0x0a

const writer = new Writer()

/// @param {unknown[]} values
/// @param {(object: object) => ({objType: string, path: string[]}|undefined)} referenceOf
export const packValues = (values, referenceOf) => {
  // Reading values may run code of the app, which may pack values as well: nothing is written before that is over.
  const packed = values.map(value => packValue(value, referenceOf))
  try {
    for (const value of packed) {
      writer.varint(VALUES)
      if (typeof value === 'object') writer.bytes(encode('json_ipc.Value', value))
      else writer.nested(writeText, value)
    }
    return writer.take()
  } finally {
    writer.clear()
  }
}

/// Most values are no more than their JSON.
const writeText = (writer, json) => {
  if (json === undefined) return
  writer.varint(JSON_TEXT)
  writer.string(json)
}

/// The JSON of a value, undefined for undefined, or a message where that is not all.
const packValue = (value, referenceOf) => {
  if (!isObject(value)) return JSON.stringify(value)
  const bytes = binary(value)
  if (bytes) return { arr: { arr: bytes } }
  const objRef = referenceOf(value)
  if (objRef) return { transferred: { objRef } }
  const binaryInJson = []
  const transferredInJson = []
  const json = JSON.stringify(stripped(value, [], referenceOf, binaryInJson, transferredInJson))
  return binaryInJson.length + transferredInJson.length > 0 ? { json, binaryInJson, transferredInJson } : json
}

const isObject = value => typeof value === 'object' && value !== null || typeof value === 'function'

/// The value with null in place of what JSON cannot carry. What has nothing of that kind is returned as it is.
const stripped = (value, location, referenceOf, binaries, objects) => {
  if (!isObject(value) || typeof value.toJSON === 'function') return value
  if (location.length > depthLimit) throw new TypeError('the value lies too deep in itself')
  const arr = binary(value)
  if (arr) return binaries.push({ arr, objLocation: location }), null
  const objRef = referenceOf(value)
  if (objRef) return objects.push({ objRef, objLocation: location }), null
  let copy
  for (const key of Object.keys(value)) {
    const inner = value[key]
    const outer = stripped(inner, [...location, key], referenceOf, binaries, objects)
    if (outer === inner) continue
    copy ??= Array.isArray(value) ? [...value] : { ...value }
    copy[key] = outer
  }
  return copy ?? value
}

/// @param {Uint8Array} bytes
/// @param {(reference: {objType: string, path: string[]}) => object} objectOf
/// @returns {unknown[]}
export const unpackValues = (bytes, objectOf) =>
  decode('json_ipc.ValuesSequence', bytes).values.map(value => unpackValue(value, objectOf))

const unpackValue = ({ json, arr, transferred, binaryInJson, transferredInJson }, objectOf) => {
  if (arr) return arr.arr
  if (transferred) return objectOf(transferred.objRef)
  if (json === '') return undefined
  const value = JSON.parse(json)
  for (const { arr, objLocation } of binaryInJson) place(value, objLocation, arr)
  for (const { objRef, objLocation } of transferredInJson) place(value, objLocation, objectOf(objRef))
  return value
}

/// Puts a thing where the JSON has null for it.
const place = (value, location, thing) => {
  const last = location.length - 1
  let target = value
  for (let level = 0; level <= last; level++) {
    if (!isObject(target) || !Object.hasOwn(target, location[level])) throw new TypeError('a location is not in the value')
    if (level === last) target[location[level]] = thing
    else target = target[location[level]]
  }
}
