// Copies as Markdown. It is for other programs; notes are exported by the notes subsystem, which leaves nothing out.
import { levelOf, stateOf } from './looks.js'

const boxes = { unchecked: '[ ]', checked: '[x]', nope: '[-]' }

/** The text of a fragment or document in Markdown. */
export const markdownOf = content => written(content, exact) + '\n'

/**
 * What a selection says to programs that take no more than text: words of one block as they are, and of several in the form of Markdown, with
 * no sign that nobody wrote.
 * @param {import('prosemirror-model').Slice} slice
 */
export const copiedText = ({ content }) => {
  let inside = content
  while (inside.childCount === 1 && !inside.firstChild.isTextblock) inside = inside.firstChild.content
  return inside.childCount === 1 ? inside.firstChild.textBetween(0, inside.firstChild.content.size, null, leafText) : written(content, bare)
}

/** What is read again as what it was, and what only looks like it. */
const [exact, bare] = [{ escaped: text => text.replace(/[\\`*_[\]<>~|]/g, '\\$&'), isExact: true }, { escaped: text => text, isExact: false }]

const leafText = node => node.type.name === 'hardBreak' ? '\n' : node.type.spec.leafText?.(node) ?? ''

const written = (content, form) => (content.firstChild?.isInline ? inline(content, form).split('\n') : blocks(content, form)).join('\n')

const blocks = (content, form) => {
  const lines = []
  content.forEach((node, _, index) => {
    if (index > 0) lines.push('')
    lines.push(...block(node, form))
  })
  return lines
}

const block = (node, form) => {
  switch (node.type.name) {
    case 'heading': return ['#'.repeat(levelOf(node)) + ' ' + inline(node.content, form).replace(/\n/g, ' ')]
    case 'bulletList': return items(node, form, () => '-')
    case 'orderedList': return items(node, form, index => `${(Number.isInteger(node.attrs.start) ? node.attrs.start : 1) + index}.`)
    case 'blockquote': return blocks(node.content, form).map(line => line ? '> ' + line : '>')
    case 'codeBlock': return code(node)
    case 'horizontalRule': return ['---']
    case 'table': return table(node, form)
    case 'notecoveImage': return [`![${form.escaped(String(node.attrs.alt ?? ''))}](${node.attrs.imageId ?? ''})`]
    case 'oembedUnfurl': return [`<${node.attrs.url ?? ''}>`]
    case 'lockedBlock': return [form.escaped(node.attrs.text)]
    default: return node.isTextblock ? paragraph(inline(node.content, form).split('\n'), form) : blocks(node.content, form)
  }
}

const paragraph = (lines, { isExact }) => isExact ? lines.map(asParagraph) : lines

/** A line that would begin something else is none of that. */
const asParagraph = line => line.replace(/^(\s*)([#>+-]|\d{1,9}(?=[.)]))/, (match, space, sign) => /\d/.test(sign) ? match : space + '\\' + sign)
  .replace(/^(\s*\d{1,9})([.)])/, '$1\\$2')

const items = (list, form, markerAt) => {
  const lines = []
  list.forEach((item, _, index) => {
    const marker = markerAt(index) + ' '
    const box = item.type.name === 'taskItem' ? boxes[stateOf(item)] + ' ' : ''
    // Items that are one paragraph, maybe with a list below, stand close together.
    const isTight = item.childCount === 1 || (item.childCount === 2 && item.child(1).type.name.endsWith('List'))
    const inside = isTight ? [...block(item.child(0), form), ...(item.childCount === 2 ? block(item.child(1), form) : [])] : blocks(item.content, form)
    inside.forEach((line, row) => lines.push(line ? (row === 0 ? marker + box : ' '.repeat(marker.length)) + line : (row === 0 ? marker + box : '').trimEnd()))
  })
  return lines
}

const code = node => {
  const text = node.textContent
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return [fence + (/^\S*$/.test(node.attrs.language ?? '') ? node.attrs.language ?? '' : ''), ...text.split('\n'), fence]
}

const table = (node, form) => {
  const rows = []
  node.forEach(row => {
    const cells = []
    row.forEach(cell => {
      const texts = []
      cell.forEach(child => texts.push(child.isTextblock ? inline(child.content, form) : child.textContent))
      const text = texts.join('<br>').replace(/\n/g, '<br>')
      cells.push(form.isExact ? text.replace(/\|/g, '\\|') : text)
      for (let i = 1; i < cell.attrs.colspan; i++) cells.push('')
    })
    rows.push(cells)
  })
  const width = Math.max(1, ...rows.map(row => row.length))
  const line = row => '| ' + Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ') + ' |'
  return [line(rows[0] ?? []), line(Array(width).fill('---')), ...rows.slice(1).map(line)]
}

const signs = { bold: '**', italic: '*', strike: '~~' }

const inline = (content, form) => {
  let text = ''
  content.forEach(node => {
    if (node.type.name === 'hardBreak') text += form.isExact ? '\\\n' : '\n'
    else if (!node.isText) text += form.escaped(leafText(node))
    else text += marked(node, form)
  })
  return text
}

const marked = (node, { escaped }) => {
  const names = node.marks.map(mark => mark.type.name)
  const link = node.marks.find(mark => mark.type.name === 'link')
  // Signs stand beside words, so the blanks go outside.
  const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/.exec(node.text)
  if (!words) return node.text
  let text = names.includes('code') ? codeSpan(words) : escaped(words)
  for (const name of ['strike', 'italic', 'bold']) if (names.includes(name)) text = signs[name] + text + signs[name]
  if (names.includes('underline')) text = `<u>${text}</u>`
  if (link) text = `[${text}](${String(link.attrs.value?.href ?? '').replace(/[\s<>()\\]/g, encodeURIComponent)})`
  return before + text + after
}

const codeSpan = text => {
  const fence = '`'.repeat(Math.max(0, ...Array.from(text.matchAll(/`+/g), match => match[0].length)) + 1)
  return fence.length > 1 ? `${fence} ${text} ${fence}` : `\`${text}\``
}
