// What a terminal may do with a note, at random: edits in the words of the notes subsystem. Some are what no editor of ours would write.

const isText = node => typeof node[0] !== 'string'

/** Random edits for a tree, as JSON values. */
export const terminalEdit = (random, tree, word, kind) => {
  const isGentle = kind !== 'wild'
  const places = []
  const collect = (nodes, path) => nodes.forEach((node, index) => {
    const here = [...path, index]
    places.push([here, node])
    if (!isText(node)) collect(node[2], here)
  })
  collect(tree, [])
  const texts = places.filter(([, node]) => isText(node))
  if (kind === 'moving') {
    const filled = texts.filter(([, runs]) => runs.some(([content]) => typeof content === 'string'))
    return filled.length > 0 ? changeText(random, ...random.pick(filled), word, true) : []
  }
  const elements = places.filter(([, node]) => !isText(node))
  const choice = random.below(10)
  if (choice < 4 && texts.length > 0) return changeText(random, ...random.pick(texts), word, isGentle)
  if (choice < 6) return [['i', [random.below(tree.length + 1)], [paragraph(word())]]]
  if (choice === 6 && !isGentle && elements.length > 0) return [['r', random.pick(elements)[0], 1]]
  if (choice === 7 && elements.length > 0) return [['a', random.pick(elements)[0], ...random.pick(attributes)]]
  if (choice === 8) return [['i', [random.below(tree.length + 1)], [random.pick(noteCove)(word)]]]
  if (isGentle) return []
  const parents = [[[], ['', {}, tree]], ...elements]
  const [path, parent] = random.pick(parents)
  return [['i', [...path, random.below(parent[2].length + 1)], [random.pick(foreign)(word)]]]
}

const changeText = (random, path, runs, word, isGentle) => {
  const text = runs.map(([content]) => typeof content === 'string' ? content : '\ufffc').join('')
  let at = random.below(text.length + 1)
  if (isGentle) while (at > 0 && text[at - 1] !== ' ') at--
  const inPair = i => i > 0 && i < text.length && /[\udc00-\udfff]/.test(text[i]) && /[\ud800-\udbff]/.test(text[i - 1])
  while (inPair(at)) at--
  let end = Math.min(text.length, at + random.below(8))
  while (inPair(end)) end++
  switch (random.below(isGentle ? 2 : 4)) {
    case 0: return [['t', path, [at, [word(), random.pick(formats)]]]]
    case 1: return end > at ? [['t', path, [at, [end - at, random.pick(changes)]]]] : []
    case 2: return end > at ? [['t', path, [at, at - end]]] : []
    default: return [['t', path, [at, [[{ image: 'x' }], {}]]]]
  }
}

const formats = [{}, {}, { bold: {} }, { glow: true }, { italic: {}, 'commentMark--abcdefgh': { threadId: 't' } }]
const changes = [{ bold: {} }, { bold: null }, { glow: { shade: 1 } }, { glow: null }, { italic: true }, { link: { href: 'javascript:x' } }]
const attributes = [['level', '2'], ['level', 9], ['checked', 'checked'], ['colspan', 2], ['colspan', 0], ['rowspan', 'many'], ['strange', { a: [1] }], ['checked', null]]

const text = content => [[content, {}]]
const paragraph = content => ['paragraph', {}, [text(content)]]

/** As NoteCove makes them. */
const noteCove = [
  word => ['heading', { level: 2, id: 'h_abcdefgh', collapsed: false }, [text(word())]],
  word => ['bulletList', {}, [
    ['taskItem', { checked: 'unchecked' }, [paragraph(word()), ['orderedList', { start: 3 }, [['listItem', {}, [paragraph(word())]]]]]],
    ['listItem', {}, [paragraph(word())]]
  ]],
  word => ['table', {}, [
    ['tableRow', {}, [['tableHeader', { colspan: 2, rowspan: 1 }, [paragraph(word())]]]],
    ['tableRow', {}, [['tableCell', {}, [paragraph(word())]], ['tableCell', { textAlign: 'right' }, [paragraph(word())]]]]
  ]],
  word => ['paragraph', {}, [text(word()), ['hardBreak', {}, []], text(word()), ['mentionNode', { profileId: 'p', displayName: 'Ada' }, []]]],
  () => ['oembedUnfurl', { url: 'https://example.org', title: 'card', isLoading: false, width: 3.5 }, []],
  word => ['codeBlock', { language: 'js' }, [text(word() + '\n' + word())]]
]

/** What breaks the rules of the schema. */
const foreign = [
  word => ['widget', { size: 3 }, [paragraph(word()), ['gadget', {}, []]]],
  word => text(word()),
  () => ['bulletList', {}, []],
  word => ['bulletList', {}, [paragraph(word())]],
  word => ['bulletList', {}, [['listItem', {}, [['bulletList', {}, [['taskItem', {}, []]]]]]]],
  word => ['taskItem', { checked: true }, [['codeBlock', {}, [[[word(), { bold: {} }]]]]]],
  () => ['blockquote', {}, []],
  () => ['table', {}, []],
  word => ['table', {}, [['tableRow', {}, []], ['tableRow', {}, [['tableCell', { colspan: 3 }, [paragraph(word())]]]], paragraph(word())]],
  () => ['tableRow', {}, [['tableCell', {}, []]]],
  word => ['paragraph', {}, [['triStateCheckbox', { checked: 'nope' }, []], text(word()), ['horizontalRule', {}, []]]],
  word => ['horizontalRule', {}, [paragraph(word())]],
  word => ['codeBlock', {}, [text(word()), ['hardBreak', {}, []]]],
  () => ['heading', {}, []],
  () => ['hardBreak', {}, []]
]
