// Makes `window.w3n` before it returns: apps use it in their first line.
import { define } from '../common/define.js'
import { ObjectConnection } from '../ipc/connection.js'
import { Client } from '../w3n/client.js'
import { buildW3N } from '../w3n/w3n.js'
import { pagePipe } from './pipe.js'

/// @param {object} capabilities the tree of what this kind of page can get
export const setUpPage = capabilities => {
  const host = window._ipc_
  window._ipc_ = undefined
  const pipe = { send: bytes => send(bytes) }
  const connection = new ObjectConnection(pipe)
  const { send } = pagePipe(host, bytes => connection.receive(bytes), () => connection.closedByOtherSide())
  const list = path => JSON.parse(host.listObjPath(JSON.stringify(path)))
  define({ w3n: buildW3N(new Client(connection), capabilities, list) })
}
