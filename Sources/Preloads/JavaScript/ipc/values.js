// JSON+binary packing: values as JSON, with the bytes and objects within them beside it.
import { decode, encode } from '../wire/codec.js'

const depthLimit = 200

const binary = value => {
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/// @param {unknown[]} values
/// @param {(object: object) => ({objType: string, path: string[]}|undefined)} referenceOf
export const packValues = (values, referenceOf) =>
  encode('json_ipc.ValuesSequence', { values: values.map(value => packValue(value, referenceOf)) })

const packValue = (value, referenceOf) => {
  if (value === undefined) return {}
  const bytes = binary(value)
  if (bytes) return { arr: { arr: bytes } }
  const objRef = isObject(value) ? referenceOf(value) : undefined
  if (objRef) return { transferred: { objRef } }
  const binaryInJson = []
  const transferredInJson = []
  const json = JSON.stringify(isObject(value) ? stripped(value, [], referenceOf, binaryInJson, transferredInJson) : value)
  return { json, binaryInJson, transferredInJson }
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
