// How each element and mark is drawn, and what of foreign HTML becomes one. The page's style sheet has the rest, by class.

import rules from './schema.json'

/** Addresses that a link may have. Others are kept, and shown without a link. */
export const isSafeAddress = address => /^(https?|mailto|tel):/i.test(String(address).trim())

/** How deep a heading is: other programs wrote texts, too. */
export const levelOf = node => Math.min(6, Math.max(1, Math.trunc(Number(node.attrs.level)) || 1))

export const stateOf = node => ['checked', 'nope'].includes(node.attrs.checked) ? node.attrs.checked : 'unchecked'

const text = value => typeof value === 'string' ? value : ''

const kinds = { string: value => typeof value === 'string', bool: value => typeof value === 'boolean', number: Number.isFinite }

/** All attributes of an atom, so that none is lost when it is moved or pasted. */
const carried = attrs => JSON.stringify(Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null)))

/** Such attributes again, as far as the rules admit them: the HTML may come from anywhere. */
const carriedBy = (element, name) => {
  try {
    const values = JSON.parse(element.getAttribute('data-attributes'))
    return Object.fromEntries(Object.entries(rules.elements[name].attributes).flatMap(([key, kind]) => kinds[kind]?.(values[key]) ? [[key, values[key]]] : []))
  } catch {
    return false
  }
}

const atomRule = (tag, name) => ({ tag: `${tag}[data-attributes]`, getAttrs: element => carriedBy(element, name) })

const cellLook = tag => ({
  tableRole: tag === 'th' ? 'header_cell' : 'cell',
  isolating: true,
  parseDOM: [{ tag, getAttrs: element => spans(element) }],
  toDOM: ({ attrs }) => {
    const align = ['left', 'center', 'right'].includes(attrs.textAlign) ? { class: 'align-' + attrs.textAlign } : {}
    return [tag, { ...(attrs.colspan !== 1 && { colspan: attrs.colspan }), ...(attrs.rowspan !== 1 && { rowspan: attrs.rowspan }), ...align }, 0]
  }
})

const span = value => Math.min(1000, Math.max(1, Math.trunc(Number(value)) || 1))

const spans = element => {
  const align = element.style?.textAlign || element.getAttribute('align')
  return {
    colspan: span(element.getAttribute('colspan')),
    rowspan: span(element.getAttribute('rowspan')),
    textAlign: ['left', 'center', 'right'].includes(align) ? align : null
  }
}

export const elementLooks = {
  paragraph: { parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] },
  heading: {
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map(level => ({ tag: 'h' + level, attrs: { level } })),
    toDOM: node => ['h' + levelOf(node), 0]
  },
  bulletList: { parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] },
  orderedList: {
    parseDOM: [{ tag: 'ol', getAttrs: element => element.hasAttribute('start') ? { start: Math.max(0, element.start) || 0 } : {} }],
    toDOM: ({ attrs }) => ['ol', Number.isInteger(attrs.start) && attrs.start !== 1 ? { start: attrs.start } : {}, 0]
  },
  taskItem: {
    defining: true,
    parseDOM: [{ tag: 'li[data-checked]', priority: 60, getAttrs: element => ({ checked: checkedOf(element.getAttribute('data-checked')) }) }],
    toDOM: node => ['li', { class: 'task', 'data-checked': stateOf(node) }, 0]
  },
  listItem: { defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  blockquote: { defining: true, parseDOM: [{ tag: 'blockquote' }], toDOM: () => ['blockquote', 0] },
  codeBlock: {
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: element => ({ language: element.getAttribute('data-language') || null }) }],
    toDOM: ({ attrs }) => ['pre', text(attrs.language) ? { 'data-language': attrs.language } : {}, ['code', 0]]
  },
  horizontalRule: { parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  table: { tableRole: 'table', isolating: true, parseDOM: [{ tag: 'table' }], toDOM: () => ['table', ['tbody', 0]] },
  tableRow: { tableRole: 'row', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] },
  tableHeader: cellLook('th'),
  tableCell: cellLook('td'),
  // The page draws the picture itself: an address here would fetch it.
  notecoveImage: {
    draggable: true,
    parseDOM: [atomRule('figure.image', 'notecoveImage')],
    toDOM: ({ attrs }) => ['figure', { class: 'image', 'data-attributes': carried(attrs), role: 'img', 'aria-label': text(attrs.alt) }]
  },
  oembedUnfurl: {
    draggable: true,
    parseDOM: [atomRule('div.card', 'oembedUnfurl')],
    toDOM: ({ attrs }) => ['div', { class: 'card', 'data-attributes': carried(attrs) }, text(attrs.title) || text(attrs.url) || ' ']
  },
  hardBreak: { selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
  mentionNode: {
    parseDOM: [atomRule('span.mention', 'mentionNode')],
    toDOM: ({ attrs }) => ['span', { class: 'mention', 'data-attributes': carried(attrs) }, '@' + (text(attrs.displayName) || text(attrs.handle))],
    leafText: ({ attrs }) => '@' + (text(attrs.displayName) || text(attrs.handle))
  }
}

const checkedOf = value => ['checked', 'nope', 'unchecked'].includes(value) ? value : value === 'true' ? 'checked' : 'unchecked'

const lockedRule = tag => ({
  tag: `${tag}[data-locked]`,
  priority: 70,
  getAttrs: element => ({ id: element.getAttribute('data-locked'), name: element.getAttribute('data-name') ?? '', text: element.textContent })
})

const lockedDOM = tag => ({ attrs }) =>
  [tag, { class: 'locked', 'data-locked': attrs.id, 'data-name': attrs.name, title: attrs.name }, attrs.text || attrs.name || ' ']

export const lockedLooks = {
  lockedBlock: { parseDOM: [lockedRule('div')], toDOM: lockedDOM('div'), leafText: node => node.attrs.text },
  lockedInline: { parseDOM: [lockedRule('span')], toDOM: lockedDOM('span'), leafText: node => node.attrs.text },
  embed: { toDOM: () => ['span', { class: 'locked embed' }, '…'] }
}

export const markLooks = {
  bold: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs puts everything into a <b> that is not bold.
      { tag: 'b', getAttrs: element => element.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: value => /^(bold(er)?|[6-9]\d{2})$/.test(value) && null }
    ],
    toDOM: () => ['strong', 0]
  },
  italic: { parseDOM: [{ tag: 'i' }, { tag: 'em' }, { style: 'font-style=italic' }], toDOM: () => ['em', 0] },
  underline: { parseDOM: [{ tag: 'u' }], toDOM: () => ['u', 0] },
  strike: {
    parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }, { style: 'text-decoration', getAttrs: value => /line-through/.test(value) && null }],
    toDOM: () => ['s', 0]
  },
  code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', { spellcheck: 'false' }, 0] },
  link: {
    parseDOM: [{
      tag: 'a[href]',
      getAttrs: element => isSafeAddress(element.getAttribute('href')) && { value: { href: element.getAttribute('href') } }
    }],
    toDOM: ({ attrs }) => isSafeAddress(attrs.value?.href)
      ? ['a', { href: attrs.value.href, rel: 'noopener noreferrer nofollow', target: '_blank' }, 0]
      : ['span', { class: 'link' }, 0]
  },
  commentMark: { toDOM: ({ attrs }) => ['span', { class: 'comment', 'data-thread': text(attrs.value?.threadId) }, 0] },
  foreignMark: { toDOM: () => ['span', { class: 'foreign-mark' }, 0] }
}
