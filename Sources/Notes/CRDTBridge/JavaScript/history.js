// What a note was, and who wrote what.
import { gather, get } from './documents.js'
import { unpack } from './merging.js'
import { eachPiece, eachShown, isText, levelBelow, root, tree } from './tree.js'

/// The tree that these updates make, without opening a document.
export const treeOf = packed => tree(gather(unpack(packed)).document.doc)

/// For every text node in order: [path, length, client, length, client, …], lengths in UTF-16 units.
export const authors = handle => {
  const texts = []
  const visit = (type, level, path) => {
    let index = 0
    eachShown(type, level, child => {
      const here = [...path, index++]
      if (isText(child)) texts.push([here, ...spans(child)])
      else visit(child, levelBelow(type, level), here)
    })
  }
  visit(root(get(handle).doc), 0, [])
  return JSON.stringify(texts)
}

const spans = text => {
  const spans = []
  eachPiece(text, ({ length, id }) => {
    if (spans[spans.length - 1] === id.client) spans[spans.length - 2] += length
    else spans.push(length, id.client)
  })
  return spans
}
