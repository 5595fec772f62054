// The menu of commands that a slash opens: data for the page, which draws it.

/** What can be chosen. `name` is one of `commands`; `words` are what people may type to find it. */
export const slashItems = [
  { name: 'paragraph', words: ['text', 'paragraph'] },
  { name: 'heading1', words: ['heading', 'title', 'h1'] },
  { name: 'heading2', words: ['heading', 'section', 'h2'] },
  { name: 'heading3', words: ['heading', 'subsection', 'h3'] },
  { name: 'bullets', words: ['list', 'bullets', 'items'] },
  { name: 'numbers', words: ['list', 'numbers', 'ordered'] },
  { name: 'tasks', words: ['list', 'tasks', 'todo', 'checkbox'] },
  { name: 'quote', words: ['quote', 'citation'] },
  { name: 'codeBlock', words: ['code', 'program', 'monospace'] },
  { name: 'table', words: ['table', 'rows', 'columns'] },
  { name: 'rule', words: ['rule', 'line', 'divider'] },
  { name: 'image', words: ['image', 'picture', 'photo'] },
  { name: 'noteLink', words: ['link', 'note', 'page'] }
]

/**
 * The items for what was typed behind the slash: the beginning of one of their words, or of one in what the menu calls them, in whatever language.
 * @param {string} query
 * @param {(name: string) => string} titleOf
 */
export const slashMatches = (query, titleOf = () => '') => {
  const start = query.toLocaleLowerCase()
  const isFound = word => word.startsWith(start)
  return slashItems.filter(({ name, words }) => words.some(isFound) || titleOf(name).toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u).some(isFound))
}

/** Where a slash command is being typed: its place with the slash, and what stands behind it; null when there is none. */
export const slashAt = ({ selection: { $cursor } }) => {
  if (!$cursor || $cursor.parent.type.spec.code) return null
  const text = $cursor.parent.textBetween(Math.max(0, $cursor.parentOffset - 40), $cursor.parentOffset, null, '\ufffc')
  const match = /(?:^|\s)\/([\p{L}\p{N}]*)$/u.exec(text)
  return match && { from: $cursor.pos - match[1].length - 1, to: $cursor.pos, query: match[1] }
}
