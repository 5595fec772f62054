// The core's end of a component's connection, in a context of its own: `say(bytes)` is given by the test, `hear(bytes)` is here.
import { ObjectConnection } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/connection.js'
import { unpackValues } from '../../../../Sources/Apps/Preloads/JavaScript/ipc/values.js'
import { encode } from '../../../../Sources/Apps/Preloads/JavaScript/wire/codec.js'
import { utf8 } from '../../../../Sources/Apps/Preloads/JavaScript/wire/utf8.js'

const core = new ObjectConnection({ send: bytes => say(bytes) }, {
  log: body => { logged.push(...unpackValues(body)) },
  storage: {
    getAppLocalFS() {
      impl = core.expose('FSImpl', { readTxtFile: () => utf8('text') })
      return encode('fs.FS', { type: 'local', name: 'n', impl })
    },
  },
})
let impl

globalThis.logged = []
globalThis.hear = bytes => core.receive(bytes)
globalThis.isExposed = () => {
  try {
    return core.find(impl) !== undefined
  } catch {
    return false
  }
}
