// What is written beside something that was thrown away is thrown away, too.
//
// Yjs 13.5 does so only if both neighbours are gone, or the one that is left is of no use. Otherwise it looks for what follows the neighbour
// that is gone, and fails. Later versions do what is here.
import * as Y from 'yjs'

const isGone = struct => struct instanceof Y.GC

const { integrate } = Y.Item.prototype

/// @param offset how much of the beginning the document has already
Y.Item.prototype.integrate = function (transaction, offset) {
  const { client, clock } = this.id
  const left = offset > 0 ? Y.getItem(transaction.doc.store, Y.createID(client, clock + offset - 1)) : this.left
  if (isGone(left) || isGone(this.right)) this.parent = null
  integrate.call(this, transaction, offset)
}
