// Whether a tree keeps to the rules of the schema, as the notes subsystem checks them. What breaks them is deleted by other programs.
import { rules } from '../../Web/editor/schema.js'

const isText = node => typeof node[0] !== 'string'

const admits = (kind, value) =>
  typeof kind === 'string'
    ? { string: () => typeof value === 'string', bool: () => typeof value === 'boolean', number: () => typeof value === 'number',
        numbers: () => Array.isArray(value) }[kind]()
    : typeof kind[0] === 'number' ? Number.isInteger(value) && value >= kind[0] && value <= kind[1] : kind.includes(value)

/** The first place that breaks the rules, or null. */
export const problem = (nodes, content = 'blocks', name = 'the note') => {
  const wrong = what => `${name} ${what}: ${JSON.stringify(nodes).slice(0, 200)}`
  if (content === 'nothing') return nodes.length > 0 ? wrong('has something inside') : null
  if (content === 'plainText') return nodes.every(isText) ? null : wrong('has elements')
  if (content === 'inline') {
    const other = nodes.find(node => !isText(node) && !rules.inlines.includes(node[0]))
    return other ? wrong(`has ${other[0]} inside`) : null
  }
  if (nodes.length === 0) return wrong('is empty')
  if (content === 'item' && nodes[0][0] !== 'paragraph') return wrong('does not begin with a paragraph')
  const names = Array.isArray(content) ? content : rules.blocks
  for (const node of nodes) {
    if (isText(node) || !names.includes(node[0])) return wrong(`has ${isText(node) ? 'text' : node[0]} inside`)
    const rule = rules.elements[node[0]]
    for (const [key, value] of Object.entries(node[1])) {
      if (!rule.attributes?.[key] || !admits(rule.attributes[key], value)) return wrong(`has the attribute ${key} of ${value}`)
    }
    if (rule.required && node[1][rule.required] === undefined) return wrong(`lacks ${rule.required}`)
    const inside = problem(node[2], rule.content, node[0])
    if (inside) return inside
  }
  return null
}
