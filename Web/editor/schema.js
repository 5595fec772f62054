// The schema of ProseMirror, made of the rules of the notes subsystem (`schema.json`; a test compares them with `RichText.Schema`).
//
// Beside the elements of the rules it has three atoms for what the rules do not know: `lockedBlock` and `lockedInline` stand for an
// element that is left as it is, and `embed` for a value inside of a text.
import { Schema } from 'prosemirror-model'
import rules from './schema.json'
import { elementLooks, lockedLooks, markLooks } from './looks.js'

export { rules }

const contents = {
  nothing: undefined,
  blocks: 'block+',
  inline: 'inline*',
  plainText: 'text*',
  item: 'paragraph block*'
}

/** What stands in a list of names. Tables have no place for anything else: one with something else in it is locked as a whole. */
const contentOf = (name, content) => {
  if (typeof content === 'string') return contents[content]
  if (name === 'tableRow') return `(${content.join(' | ')})*`
  return `(${content.concat(name === 'table' ? [] : 'lockedBlock').join(' | ')})+`
}

/** What an attribute is when it is missing; null for most. */
const defaults = { colspan: 1, rowspan: 1, level: 1 }

const attributesOf = rule =>
  Object.fromEntries(Object.keys(rule.attributes ?? {}).map(name => [name, { default: defaults[name] ?? null }]))

const groupOf = name => rules.blocks.includes(name) ? 'block' : rules.inlines.includes(name) ? 'inline' : undefined

const nodeSpec = (name, rule) => ({
  content: contentOf(name, rule.content),
  group: groupOf(name),
  inline: rules.inlines.includes(name),
  marks: rule.content === 'plainText' ? '' : undefined,
  attrs: attributesOf(rule),
  ...elementLooks[name]
})

const locked = { attrs: { id: {}, name: { default: '' }, text: { default: '' } }, atom: true, draggable: true }

const nodes = {
  doc: { content: 'block+' },
  ...Object.fromEntries(Object.entries(rules.elements).map(([name, rule]) => [name, nodeSpec(name, rule)])),
  text: { group: 'inline' },
  lockedBlock: { ...locked, group: 'block', ...lockedLooks.lockedBlock },
  lockedInline: { ...locked, group: 'inline', inline: true, ...lockedLooks.lockedInline },
  embed: { attrs: { value: {} }, group: 'inline', inline: true, atom: true, ...lockedLooks.embed }
}

/** Marks keep their value as the document has it, so that nothing of it is lost. Those that may overlap themselves keep their key, too. */
const markSpec = name =>
  name === 'commentMark'
    ? { attrs: { key: {}, value: { default: null } }, excludes: '', inclusive: false, ...markLooks[name] }
    : { attrs: { value: { default: {} } }, inclusive: name !== 'link', ...markLooks[name] }

const marks = {
  ...Object.fromEntries(Object.keys(rules.marks).map(name => [name, markSpec(name)])),
  foreignMark: { attrs: { key: {}, value: { default: null } }, excludes: '', inclusive: false, ...markLooks.foreignMark }
}

export const schema = new Schema({ nodes, marks })

/** The name without the hash that keeps overlapping marks apart. */
const baseName = key => key.replace(/--[A-Za-z0-9+/=]{8}$/, '')

/** The mark of ProseMirror for a format of a text. */
export const markOf = (key, value) => {
  const base = baseName(key)
  if (base === 'commentMark') return schema.marks.commentMark.create({ key, value })
  if (base === key && Object.hasOwn(rules.marks, key)) return schema.marks[key].create({ value })
  return schema.marks.foreignMark.create({ key, value })
}

/** The key that a mark of ProseMirror has in a text. */
export const keyOf = mark => mark.attrs.key ?? mark.type.name
