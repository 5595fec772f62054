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
