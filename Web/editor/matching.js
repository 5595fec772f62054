// Which of many blocks is which, before and after a change.

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
