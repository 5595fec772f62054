// The editing workload on the bundle of CRDTBridge: `node crdt_peer.js BUNDLE` prints its figures as JSON. The benchmarks run
// `workload` in JavaScriptCore too, so that the same calls are compared.

/// 182 315 insertions and 77 463 deletions of one character each: words are typed and taken back where the last ones were,
/// and now and then the cursor goes elsewhere.
function * trace () {
  let seed = 1, inserts = 182315, deletes = 77463, length = 0, cursor = 0, burst = 0, isDeleting = false
  const below = bound => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor(seed / 256) % bound
  }
  while (inserts + deletes > 0) {
    if (burst === 0) {
      if (below(10) === 0) cursor = below(length + 1)
      isDeleting = !isDeleting
      burst = below(isDeleting ? 18 : 42)
    } else burst--
    if (isDeleting && cursor > 0 && deletes > 0 || inserts === 0) {
      if (cursor === 0) cursor = length
      yield [--cursor, 0]
      length--
      deletes--
    } else {
      yield [cursor++, 97 + below(26)]
      length++
      inserts--
    }
  }
}

/// Makes the edits, one call and one update each; answers the note's handle and the bytes of all updates.
function workload (crdt) { // eslint-disable-line no-unused-vars
  const [handle, made] = crdt.createNote('{"id":"n"}')
  let bytes = made.length + crdt.edit(handle, '[["i",[0,0],[[]]]]').length
  for (const [place, character] of trace()) {
    const change = character === 0 ? '-1' : '["' + String.fromCharCode(character) + '",{}]'
    bytes += crdt.edit(handle, '[["t",[0,0],[' + place + ',' + change + ']]]').length
  }
  return [handle, bytes]
}

if (typeof process !== 'undefined') {
  const vm = require('vm')
  const crdt = vm.runInNewContext(require('fs').readFileSync(process.argv[2], 'utf8') + ';crdt', {
    crypto: globalThis.crypto, Uint8Array, Uint32Array, DataView, ArrayBuffer
  })
  const time = work => {
    const start = performance.now()
    return [work(), performance.now() - start]
  }
  const [[handle, bytes], edits] = time(() => workload(crdt))
  const [state, encode] = time(() => crdt.state(handle))
  const packed = new Uint8Array(4 + state.length)
  new DataView(packed.buffer).setUint32(0, state.length, true)
  packed.set(state, 4)
  const [, parse] = time(() => crdt.load(packed))
  console.log(JSON.stringify({ edits, encode, parse, bytes, size: state.length }))
}
