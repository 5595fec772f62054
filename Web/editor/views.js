// Elements that are more than their text: the box of a task, and what the page draws itself.
import { stateOf } from './looks.js'
import { setTask } from './lists.js'

const ariaStates = { unchecked: 'false', checked: 'true', nope: 'mixed' }

/** A task with a box that brings it to the next of its three states. */
export class TaskView {
  constructor (node, view, getPosition) {
    this.node = node
    this.dom = document.createElement('li')
    this.dom.className = 'task'
    this.box = document.createElement('button')
    this.box.type = 'button'
    this.box.className = 'box'
    this.box.contentEditable = 'false'
    this.box.tabIndex = -1
    this.box.setAttribute('role', 'checkbox')
    // The caret stays where it is.
    this.box.addEventListener('mousedown', event => event.preventDefault())
    this.box.addEventListener('click', () => {
      if (view.editable) setTask(view.state, view.dispatch, { position: getPosition() })
    })
    this.contentDOM = document.createElement('div')
    this.dom.append(this.box, this.contentDOM)
    this.show()
  }

  show () {
    const state = stateOf(this.node)
    this.dom.setAttribute('data-checked', state)
    this.box.setAttribute('aria-checked', ariaStates[state])
    this.box.setAttribute('aria-label', this.node.firstChild?.textContent.slice(0, 80) || '…')
  }

  update (node) {
    if (node.type !== this.node.type) return false
    this.node = node
    this.show()
    return true
  }

  stopEvent (event) { return this.box.contains(event.target) }

  ignoreMutation (mutation) { return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target) }
}

/** An atom that the page draws: `draw` gives an element for its attributes. */
export const drawn = draw => node => {
  const dom = draw(node.attrs)
  return {
    dom,
    update: next => next.type === node.type && JSON.stringify(next.attrs) === JSON.stringify(node.attrs),
    stopEvent: event => event.target instanceof Element && event.target.closest('button, a, input') !== null,
    ignoreMutation: () => true
  }
}
