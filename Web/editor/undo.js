// Undo takes back what was done in this editor, and nothing of what others did.
import * as Y from 'yjs'

/** Changes that are less than so many milliseconds apart are taken back together. */
const captureTimeout = 500

/** Steps that can be taken back. */
const stepLimit = 500

export class Undo {
  constructor (binding) {
    this.binding = binding
    /** The selection before the change that is being written. */
    this.before = null
    /** The selection to go back to while something is taken back. */
    this.target = null
    /** The selection when something is taken back: where one wants to be when it is done again. */
    this.current = null
    this.isAtWork = false
    this.settle = transaction => { if (transaction.origin === this.manager) settleOrigins(transaction) }
    binding.doc.on('beforeObserverCalls', this.settle)
    this.follow(binding.content)
  }

  follow (content) {
    this.manager?.destroy()
    this.manager = new Y.UndoManager(content, {
      trackedOrigins: new Set([this.binding]),
      captureTimeout,
      deleteFilter: holdsNothing,
      // Otherwise Yjs 13.5 restores an attribute beside one of the element that was there before, and the attribute cannot be set any more.
      ignoreRemoteMapChanges: true
    })
    this.manager.on('stack-item-added', ({ stackItem }) => {
      stackItem.meta.set('selection', this.isAtWork ? this.current : this.before)
      if (this.manager.undoStack.length > stepLimit) this.manager.undoStack.shift()
    })
  }

  destroy () {
    this.binding.doc.off('beforeObserverCalls', this.settle)
    this.manager.destroy()
  }

  get canUndo () { return this.manager.undoStack.length > 0 }

  get canRedo () { return this.manager.redoStack.length > 0 }

  undo () { return this.run('undo', this.manager.undoStack) }

  redo () { return this.run('redo', this.manager.redoStack) }

  run (action, stack) {
    if (stack.length === 0) return false
    const { host } = this.binding
    this.current = host ? this.binding.selectionOf(host.state) : null
    this.target = stack[stack.length - 1].meta.get('selection')
    this.isAtWork = true
    try {
      return Boolean(this.manager[action]())
    } finally {
      this.isAtWork = false
      this.target = null
    }
  }

  /** What is done from now on is taken back by itself. */
  separate () { this.manager.stopCapturing() }
}

/**
 * Makes what was restored say where it is. Yjs 13.5 looks for its neighbours among items that were split and merged meanwhile, and may
 * take the wrong ones: then others would put it elsewhere.
 */
const settleOrigins = ({ doc, beforeState }) => {
  const items = doc.store.clients.get(doc.clientID) ?? []
  const start = beforeState.get(doc.clientID) ?? 0
  for (let index = items.length - 1; index >= 0 && items[index].id.clock >= start; index--) {
    const item = items[index]
    if (!(item instanceof Y.Item) || item.parentSub !== null) continue
    const isLater = ({ id }) => id.client === item.id.client && id.clock > item.id.clock
    let { left, right } = item
    while (left && isLater(left)) left = left.left
    while (right && isLater(right)) right = right.right
    item.origin = left && left.lastId
    item.rightOrigin = right && right.id
  }
}

/** What is taken back leaves the elements in which others have written meanwhile. */
const holdsNothing = item => !(item.content instanceof Y.ContentType) || !holdsLive(item.content.type, item.id.client)

const holdsLive = (type, own) => {
  const stack = [type]
  while (stack.length > 0) {
    for (let item = stack.pop()._start; item; item = item.right) {
      if (item.deleted || !item.countable) continue
      if (!(item.content instanceof Y.ContentType) || item.id.client !== own) return true
      stack.push(item.content.type)
    }
  }
  return false
}
