// What changed between two contents of a text block, and which of many blocks is which.

const atom = 0xfffc

/** The units of inline content: one UTF-16 unit for each position, U+FFFC for what is no text. */
export const unitsOf = content => {
  let text = ''
  const atoms = new Map()
  content.forEach((node, offset) => {
    if (node.isText) text += node.text
    else {
      atoms.set(offset, node)
      text += '\ufffc'
    }
  })
  return { text, atoms }
}

const isSame = (one, i, other, j) => {
  const unit = one.text.charCodeAt(i)
  if (unit !== other.text.charCodeAt(j)) return false
  if (unit !== atom) return true
  const [left, right] = [one.atoms.get(i), other.atoms.get(j)]
  return left && right ? left.type === right.type && left.hasMarkup(right.type, right.attrs, left.marks) : left === right
}

const isLead = unit => unit >= 0xd800 && unit < 0xdc00
const isTrail = unit => unit >= 0xdc00 && unit < 0xe000
/** Whether a place is between the halves of a surrogate pair. */
export const splitsPair = ({ text }, at) => at > 0 && isLead(text.charCodeAt(at - 1)) && isTrail(text.charCodeAt(at))

/**
 * The changes from one content to another, in order: `from` to `to` of the old became `start` to `end` of the new.
 *
 * What stands behind the caret was there before, when one types: so in "aa|a" it is known which of the letters is new.
 * @param {number} [caret] the place of the caret in the new content
 */
export const changesBetween = (before, after, caret = Infinity) => {
  const [one, other] = [unitsOf(before), unitsOf(after)]
  const [length, otherLength] = [one.text.length, other.text.length]
  const shorter = Math.min(length, otherLength)
  const mostBehind = caret <= otherLength ? Math.min(shorter, otherLength - caret) : 0
  let behind = 0
  while (behind < mostBehind && isSame(one, length - 1 - behind, other, otherLength - 1 - behind)) behind++
  let start = 0
  while (start < shorter - behind && isSame(one, start, other, start)) start++
  while (start + behind < shorter && isSame(one, length - 1 - behind, other, otherLength - 1 - behind)) behind++
  if (splitsPair(one, start) || splitsPair(other, start)) start--
  if (splitsPair(one, length - behind) || splitsPair(other, otherLength - behind)) behind--
  const [to, end] = [length - behind, otherLength - behind]
  if (start === to && start === end) return []
  if (start === to || start === end) return [{ from: start, to, start, end }]
  return wordChanges(one, start, to, other, start, end)
}

/** Where words begin, between two places; the end is the last one. */
const wordStarts = ({ text }, from, to) => {
  const starts = []
  const words = /\s+|[\p{L}\p{N}_]+|[^]/gu
  words.lastIndex = from
  for (let match; (match = words.exec(text)) && match.index < to;) starts.push(match.index)
  starts.push(to)
  return starts
}

/** Beyond so many different words the whole is taken for new. */
const differenceLimit = 200

/** The changes word by word (Myers, "An O(ND) Difference Algorithm"). */
const wordChanges = (one, from, to, other, start, end) => {
  const [left, right] = [wordStarts(one, from, to), wordStarts(other, start, end)]
  const isSameWord = (i, j) => {
    const length = left[i + 1] - left[i]
    if (right[j + 1] - right[j] !== length) return false
    for (let k = 0; k < length; k++) if (!isSame(one, left[i] + k, other, right[j] + k)) return false
    return true
  }
  const kept = commonPairs(left.length - 1, right.length - 1, isSameWord)
  const changes = []
  let [i, j] = [0, 0]
  for (const [keptLeft, keptRight] of [...kept, [left.length - 1, right.length - 1]]) {
    if (keptLeft > i || keptRight > j) changes.push({ from: left[i], to: left[keptLeft], start: right[j], end: right[keptRight] })
    ;[i, j] = [keptLeft + 1, keptRight + 1]
  }
  return changes
}

/** Pairs of places that a longest common subsequence has, or none when that takes too long. */
const commonPairs = (length, otherLength, isSame) => {
  const furthest = new Map([[1, 0]])
  const history = []
  for (let distance = 0; distance <= Math.min(length + otherLength, differenceLimit); distance++) {
    history.push(new Map(furthest))
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const isDown = diagonal === -distance || (diagonal !== distance && furthest.get(diagonal - 1) < furthest.get(diagonal + 1))
      let i = isDown ? furthest.get(diagonal + 1) : furthest.get(diagonal - 1) + 1
      while (i < length && i - diagonal < otherLength && isSame(i, i - diagonal)) i++
      furthest.set(diagonal, i)
      if (i >= length && i - diagonal >= otherLength) return walkBack(history, length, otherLength)
    }
  }
  return []
}

const walkBack = (history, i, j) => {
  const pairs = []
  for (let distance = history.length - 1; distance >= 0; distance--) {
    const furthest = history[distance]
    const diagonal = i - j
    const isDown = diagonal === -distance || (diagonal !== distance && furthest.get(diagonal - 1) < furthest.get(diagonal + 1))
    const before = isDown ? diagonal + 1 : diagonal - 1
    const [startI, startJ] = distance === 0 ? [0, 0] : [furthest.get(before), furthest.get(before) - before]
    const [i0, j0] = distance === 0 ? [0, 0] : isDown ? [startI, startJ + 1] : [startI + 1, startJ]
    while (i > i0 && j > j0) pairs.push([--i, --j])
    ;[i, j] = [startI, startJ]
  }
  return pairs.reverse()
}

/**
 * Which of the old parts each new node is; null for one that is new. The order of both is kept.
 * @param {import('./reading.js').Part[]} parts
 * @param {import('prosemirror-model').Node[]} nodes
 */
export const matchParts = (parts, nodes) => {
  const matches = new Array(nodes.length).fill(null)
  let first = 0
  while (first < parts.length && first < nodes.length && parts[first].node === nodes[first]) {
    matches[first] = parts[first]
    first++
  }
  let [lastPart, lastNode] = [parts.length, nodes.length]
  while (lastPart > first && lastNode > first && parts[lastPart - 1].node === nodes[lastNode - 1]) matches[--lastNode] = parts[--lastPart]
  let [i, j] = [first, first]
  for (const [keptPart, keptNode] of [...identical(parts, first, lastPart, nodes, first, lastNode), [lastPart, lastNode]]) {
    pairSimilar(parts, i, keptPart, nodes, j, keptNode, matches)
    if (keptPart < lastPart) matches[keptNode] = parts[keptPart]
    ;[i, j] = [keptPart + 1, keptNode + 1]
  }
  return matches
}

/** A longest sequence of nodes that did not change, as pairs of places in order. */
const identical = (parts, first, last, nodes, firstNode, lastNode) => {
  const places = new Map()
  for (let i = first; i < last; i++) places.set(parts[i].node, i)
  // For each length, the chain of that length that ends earliest.
  const chains = []
  for (let j = firstNode; j < lastNode; j++) {
    const i = places.get(nodes[j])
    if (i === undefined) continue
    let low = 0
    let high = chains.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (chains[middle].i < i) low = middle + 1
      else high = middle
    }
    chains[low] = { i, j, before: chains[low - 1] }
  }
  const pairs = []
  for (let chain = chains[chains.length - 1]; chain; chain = chain.before) pairs.push([chain.i, chain.j])
  return pairs.reverse()
}

/** Pairs to compare at most, to find the best ones; with more, each goes with the next of its kind. */
const pairLimit = 2500

const pairSimilar = (parts, first, last, nodes, firstNode, lastNode, matches) => {
  const [height, width] = [last - first, lastNode - firstNode]
  if (height <= 0 || width <= 0) return
  if (height * width > pairLimit) return pairInOrder(parts, first, last, nodes, firstNode, lastNode, matches)
  // best[i][j]: what can be had from part i and node j on.
  const best = Array.from({ length: height + 1 }, () => new Float64Array(width + 1))
  const scores = best.map(row => row.slice())
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      scores[i][j] = similarity(parts[first + i].node, nodes[firstNode + j])
      const paired = scores[i][j] > 0 ? scores[i][j] + best[i + 1][j + 1] : 0
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], paired)
    }
  }
  for (let i = 0, j = 0; i < height && j < width;) {
    if (scores[i][j] > 0 && best[i][j] === scores[i][j] + best[i + 1][j + 1]) matches[firstNode + j++] = parts[first + i++]
    else if (best[i][j] === best[i + 1][j]) i++
    else j++
  }
}

const pairInOrder = (parts, first, last, nodes, firstNode, lastNode, matches) => {
  for (let i = first, j = firstNode; i < last && j < lastNode; j++) {
    let k = i
    while (k < last && similarity(parts[k].node, nodes[j]) === 0) k++
    if (k === last) continue
    matches[j] = parts[k]
    i = k + 1
  }
}

/** How much two nodes have in common; 0 when the one cannot become the other in place. */
const similarity = (one, other) => {
  if (one.type !== other.type) return 0
  if (one.isAtom) return one.hasMarkup(other.type, other.attrs) ? 2 : one.attrs.id === undefined ? 1 : 0
  const start = one.content.findDiffStart(other.content)
  if (start === null) return 1 + one.content.size
  const end = one.content.findDiffEnd(other.content)
  return 1 + Math.min(start + one.content.size - end.a, one.content.size, other.content.size)
}
