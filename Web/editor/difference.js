// What changed between two contents of a text block.

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
