// What is pasted from elsewhere becomes what the schema has; nothing is fetched, since the HTML is in a document that loads nothing.
import { DOMParser, Fragment, Slice } from 'prosemirror-model'
import { schema } from './schema.js'

const { nodes } = schema

/** Elements that say nothing to a reader. */
const silent = 'script, style, meta, link, title, template, iframe, object, noscript, svg, form > button'

/** Brings the habits of other programs to what the schema's rules read. */
export const tidy = dom => {
  for (const element of dom.querySelectorAll(silent)) element.remove()
  // Pictures of other places are not fetched: their words are left.
  for (const image of dom.querySelectorAll('img')) image.replaceWith(image.ownerDocument.createTextNode(image.getAttribute('alt') ?? ''))
  wordLists(dom)
  checkBoxes(dom)
  // The policy of the page refuses style attributes. What they say about marks and cells can be read all the same.
  for (const element of dom.querySelectorAll('[style]')) element.style.cssText = element.getAttribute('style')
}

/** Word writes lists as paragraphs that say in their style on which level they are. */
const wordLists = dom => {
  const items = dom.querySelectorAll('p[style*="mso-list"], p[class*="MsoListParagraph"]')
  let open = []
  let last = null
  for (const paragraph of items) {
    const document = paragraph.ownerDocument
    const level = Math.min(9, Number(/level(\d+)/.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 1))
    const marker = paragraph.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]')
    const isNumbered = /^\s*\(?[0-9A-Za-z]{1,3}[.)]/.test(marker?.textContent ?? '')
    marker?.remove()
    if (last === null || last.nextElementSibling !== paragraph) open = []
    open.length = Math.min(open.length, level)
    while (open.length < level) {
      const list = document.createElement(isNumbered ? 'ol' : 'ul')
      const parent = open.length === 0 ? null : open[open.length - 1].lastElementChild ?? open[open.length - 1].appendChild(document.createElement('li'))
      if (parent) parent.append(list)
      else paragraph.before(list)
      open.push(list)
    }
    const item = document.createElement('li')
    open[level - 1].append(item)
    item.append(...paragraph.childNodes)
    paragraph.remove()
    last = open[0]
  }
}

/** Check boxes of web pages and of Google Docs. */
const checkBoxes = dom => {
  for (const item of dom.querySelectorAll('li[role=checkbox]')) {
    item.setAttribute('data-checked', item.getAttribute('aria-checked') === 'true' ? 'checked' : 'unchecked')
  }
  for (const box of dom.querySelectorAll('li input[type=checkbox]')) {
    box.closest('li').setAttribute('data-checked', box.checked || box.hasAttribute('checked') ? 'checked' : 'unchecked')
    box.remove()
  }
}

/** Behind these, everything up to their end says nothing to a reader. */
const unread = /^<(script|style|title)\b/i

/** Where what begins with a bracket ends. */
const endOfTag = (html, start) => {
  const after = (words, from) => { const end = html.indexOf(words, from); return end < 0 ? html.length : end + words.length }
  if (html.startsWith('<!--', start)) return after('-->', start + 4)
  const name = unread.exec(html.slice(start, start + 8))?.[1]
  if (name) return after('>', after('</' + name, start))
  let place = start + 1
  for (; place < html.length && html[place] !== '>'; place++) if (html[place] === '"' || html[place] === "'") place = after(html[place], place + 1) - 1
  return place + 1
}

/** Whether HTML says something between its tags. It is not parsed for that: the page may hold megabytes of a picture. */
export const hasWords = html => {
  for (let place = 0; place < html.length;) {
    const start = html.indexOf('<', place)
    const end = start < 0 ? html.length : start
    if (html.slice(place, end).replace(/&nbsp;/g, '').trim()) return true
    place = start < 0 ? end : endOfTag(html, start)
  }
  return false
}

/**
 * The files of what was pasted or dropped. A picture of another page comes with HTML that only shows it; where that says something, it is
 * pasted instead, and what an editor gave is no file at all.
 * @param {DataTransfer | null} data
 */
export const filesOf = data => {
  if (!data || data.files.length === 0) return []
  const html = data.getData('text/html')
  return html.includes('data-pm-slice') || hasWords(html) ? [] : Array.from(data.files)
}

const parser = DOMParser.fromSchema(schema)

/** Reads what was pasted, once it is tidy. */
export const clipboardParser = {
  parseSlice: (dom, options) => {
    tidy(dom)
    return parser.parseSlice(dom, options)
  }
}

/** Takes out what this note cannot have: locked elements that nobody knows here. */
export const knownOnly = (slice, hasCopy) => {
  const only = fragment => {
    const children = []
    fragment.forEach(node => {
      if (node.attrs.id !== undefined && node.type.name.startsWith('locked') && !hasCopy(node.attrs.id)) {
        if (node.attrs.text) children.push(node.isInline ? schema.text(node.attrs.text) : nodes.paragraph.create(null, schema.text(node.attrs.text)))
      } else children.push(node.isLeaf ? node : node.copy(only(node.content)))
    })
    return Fragment.fromArray(children)
  }
  return new Slice(only(slice.content), slice.openStart, slice.openEnd)
}
