// Copies as Markdown. It is for other programs; notes are exported by the notes subsystem, which leaves nothing out.
import { levelOf, stateOf } from './looks.js'

const boxes = { unchecked: '[ ]', checked: '[x]', nope: '[-]' }

/** The text of a fragment or document in Markdown. */
export const markdownOf = content => {
  const lines = content.firstChild?.isInline ? inline(content).split('\n') : blocks(content)
  return lines.join('\n') + '\n'
}

const blocks = content => {
  const lines = []
  content.forEach((node, _, index) => {
    if (index > 0) lines.push('')
    lines.push(...block(node))
  })
  return lines
}

const block = node => {
  switch (node.type.name) {
    case 'heading': return ['#'.repeat(levelOf(node)) + ' ' + inline(node.content).replace(/\n/g, ' ')]
    case 'bulletList': return items(node, () => '-')
    case 'orderedList': return items(node, index => `${(Number.isInteger(node.attrs.start) ? node.attrs.start : 1) + index}.`)
    case 'blockquote': return blocks(node.content).map(line => line ? '> ' + line : '>')
    case 'codeBlock': return code(node)
    case 'horizontalRule': return ['---']
    case 'table': return table(node)
    case 'notecoveImage': return [`![${escaped(String(node.attrs.alt ?? ''))}](${node.attrs.imageId ?? ''})`]
    case 'oembedUnfurl': return [`<${node.attrs.url ?? ''}>`]
    case 'lockedBlock': return [escaped(node.attrs.text)]
    default: return node.isTextblock ? inline(node.content).split('\n').map(asParagraph) : blocks(node.content)
  }
}

/** A line that would begin something else is none of that. */
const asParagraph = line => line.replace(/^(\s*)([#>+-]|\d{1,9}(?=[.)]))/, (match, space, sign) => /\d/.test(sign) ? match : space + '\\' + sign)
  .replace(/^(\s*\d{1,9})([.)])/, '$1\\$2')

const items = (list, markerAt) => {
  const lines = []
  list.forEach((item, _, index) => {
    const marker = markerAt(index) + ' '
    const box = item.type.name === 'taskItem' ? boxes[stateOf(item)] + ' ' : ''
    // Items that are one paragraph, maybe with a list below, stand close together.
    const isTight = item.childCount === 1 || (item.childCount === 2 && item.child(1).type.name.endsWith('List'))
    const inside = isTight ? [...block(item.child(0)), ...(item.childCount === 2 ? block(item.child(1)) : [])] : blocks(item.content)
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

const table = node => {
  const rows = []
  node.forEach(row => {
    const cells = []
    row.forEach(cell => {
      const texts = []
      cell.forEach(child => texts.push(child.isTextblock ? inline(child.content) : child.textContent))
      cells.push(texts.join('<br>').replace(/\n/g, '<br>').replace(/\|/g, '\\|'))
      for (let i = 1; i < cell.attrs.colspan; i++) cells.push('')
    })
    rows.push(cells)
  })
  const width = Math.max(1, ...rows.map(row => row.length))
  const line = row => '| ' + Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ') + ' |'
  return [line(rows[0] ?? []), line(Array(width).fill('---')), ...rows.slice(1).map(line)]
}

const signs = { bold: '**', italic: '*', strike: '~~' }

const inline = content => {
  let text = ''
  content.forEach(node => {
    if (node.type.name === 'hardBreak') text += '\\\n'
    else if (!node.isText) text += escaped(node.type.spec.leafText?.(node) ?? '')
    else text += marked(node)
  })
  return text
}

const marked = node => {
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

const escaped = text => text.replace(/[\\`*_[\]<>~|]/g, '\\$&')
