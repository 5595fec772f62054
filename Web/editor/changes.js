// Which part of a document has to be looked at again after a change.

/** What a change touched, in the document that it led to. */
export const touched = ({ mapping, doc }) => mapping.maps.flatMap((map, index) => {
  const ranges = []
  const rest = mapping.slice(index + 1)
  map.forEach((_from, _to, start, end) => {
    ranges.push([Math.max(0, rest.map(start, -1) - 1), Math.min(doc.content.size, rest.map(end, 1) + 1)])
  })
  return ranges
})

/** The blocks around a place, whole. */
export const wholeBlocks = (doc, from, to) => {
  let [start, end] = [from, to]
  doc.nodesBetween(from, to, (node, position) => {
    if (!node.isTextblock) return true
    start = Math.min(start, position)
    end = Math.max(end, position + node.nodeSize)
    return false
  })
  return [start, end]
}
