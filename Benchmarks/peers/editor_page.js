// The page of the editor's benchmark. Each measurement ends with the layout that a person would wait for.
import { applyUpdate, createEditor, Y } from '../../Web/editor/editor.js'

const words = 'the quick brown fox jumps over the lazy dog and runs along the river until evening '

/** A note of so many kilobytes in paragraphs of 500 characters, with a heading and a task list now and then. */
const note = kilobytes => {
  const doc = new Y.Doc()
  const content = doc.getXmlFragment('content')
  const element = (name, ...children) => {
    const made = new Y.XmlElement(name)
    made.insert(0, children)
    return made
  }
  const blocks = []
  for (let size = 0, count = 0; size < kilobytes * 1024; size += 500, count++) {
    const text = new Y.XmlText(words.repeat(7).slice(0, 500))
    if (count % 5 === 0) text.format(10, 20, { bold: {} })
    const paragraph = element('paragraph', text)
    if (count % 20 === 0) blocks.push(element('heading', new Y.XmlText('Heading ' + count)))
    blocks.push(count % 10 === 3 ? element('bulletList', element('taskItem', paragraph)) : paragraph)
  }
  content.insert(0, blocks)
  return Y.encodeStateAsUpdate(doc)
}

const median = values => values.sort((a, b) => a - b)[values.length >> 1]

window.measure = async kilobytes => {
  const update = note(kilobytes)
  const mount = document.querySelector('main')
  const opens = []
  let editor, doc
  for (let round = 0; round < 5; round++) {
    editor?.destroy()
    const start = performance.now()
    doc = new Y.Doc()
    applyUpdate(doc, update, 'remote')
    editor = createEditor({ mount, doc })
    void mount.offsetHeight
    opens.push(performance.now() - start)
  }
  // In the middle, where most of the note is on both sides.
  const headings = editor.outline()
  editor.goTo(headings[headings.length >> 1].position)
  const presses = []
  for (let round = 0; round < 60; round++) {
    const start = performance.now()
    document.execCommand('insertText', false, 'a')
    // The browser tells of what was typed behind the running task.
    await null
    void mount.offsetHeight
    presses.push(performance.now() - start)
  }
  const remotes = []
  const other = new Y.Doc()
  applyUpdate(other, Y.encodeStateAsUpdate(doc), 'remote')
  for (let round = 0; round < 60; round++) {
    const vector = Y.encodeStateVector(other)
    const block = other.getXmlFragment('content').get(2)
    block.get(0).insert(3, 'b')
    const change = Y.encodeStateAsUpdate(other, vector)
    const start = performance.now()
    applyUpdate(doc, change, 'remote')
    void mount.offsetHeight
    remotes.push(performance.now() - start)
  }
  const typed = editor.outline()[headings.length >> 1].text.includes('a'.repeat(60))
  editor.destroy()
  return { open: median(opens), press: median(presses), remote: median(remotes), typed }
}

/** Milliseconds for a text of so many kilobytes, written word by word into an empty note. */
window.typeIn = async kilobytes => {
  const doc = new Y.Doc()
  applyUpdate(doc, note(0.1), 'remote')
  const mount = document.querySelector('main')
  const editor = createEditor({ mount, doc })
  editor.focus()
  const start = performance.now()
  const all = words.split(' ')
  for (let size = 0, count = 0; size < kilobytes * 1024; count++) {
    const word = all[count % all.length] + ' '
    document.execCommand('insertText', false, word)
    await null
    size += word.length
    if (count % 80 === 79) editor.dom.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }
  const time = performance.now() - start
  const blocks = editor.dom.childElementCount
  editor.destroy()
  return { time, blocks }
}
