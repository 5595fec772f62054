// The page of the browser's tests: one editor, and somebody else who writes into the same note.
import { applyUpdate, createEditor, Y } from '../../Web/editor/editor.js'

const paragraph = text => {
  const element = new Y.XmlElement('paragraph')
  if (text) element.insert(0, [new Y.XmlText(text)])
  return element
}

/** What linked notes are called. */
const names = { AAAAAAAAAAAAAAAAAAAAA1: { title: 'Groceries', isHere: true, isDeleted: false } }

/** Opens an editor on a note with these paragraphs. */
const open = (...texts) => {
  window.test?.editor.destroy()
  const doc = new Y.Doc()
  const other = new Y.Doc()
  other.getXmlFragment('content').insert(0, texts.map(paragraph))
  applyUpdate(doc, Y.encodeStateAsUpdate(other), 'remote')
  let written = 0
  doc.on('update', (update, origin) => {
    if (origin === 'remote') return
    written++
    applyUpdate(other, update, 'remote')
  })
  const links = []
  const files = []
  const editor = createEditor({ mount: document.querySelector('main'), doc, label: 'Note', onLink: link => links.push(link), onNote: note => links.push(note), noteOf: note => names[note] ?? null, onFiles: (given, place) => { files.push(...given.map(({ name }) => name)); window.test.place = place } })
  editor.focus()
  window.test = {
    Y,
    editor,
    links,
    files,
    written: () => written,
    /** Somebody else changes the note. */
    remote: change => {
      const vector = Y.encodeStateVector(other)
      other.transact(() => change(other.getXmlFragment('content')))
      applyUpdate(doc, Y.encodeStateAsUpdate(other, vector), 'remote')
    },
    /** Somebody else writes 50 times a second, until `stop`. */
    start: () => {
      let count = 0
      const timer = setInterval(() => {
        count++
        window.test.remote(content => {
          if (count % 5 === 0) content.insert(0, [paragraph('block ')])
          else {
            const texts = content.toArray().flatMap(element => element.toArray()).filter(text => text instanceof Y.XmlText)
            const text = texts[count % texts.length]
            // Beside what is being written here, too: at the beginning and at the end of the same text.
            text.insert(count % 2 ? 0 : text.length, '·')
          }
        })
      }, 20)
      window.test.count = () => count
      window.test.stop = () => {
        clearInterval(timer)
        return count
      }
    },
    texts: () => doc.getXmlFragment('content').toArray().map(element => element.toArray().map(text => text.toString()).join('')),
    tree: () => doc.getXmlFragment('content').toString(),
    shown: () => Array.from(editor.dom.children, element => element.textContent),
    agrees: () => other.getXmlFragment('content').toString() === doc.getXmlFragment('content').toString(),
    selected: () => window.getSelection().toString()
  }
}

window.openNote = open
