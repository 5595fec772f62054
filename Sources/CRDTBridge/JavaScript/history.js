// What a note was, and who wrote what.
import { gather, get } from './documents.js'
import { unpack } from './merging.js'
import { eachChild, eachPiece, isText, root, tree } from './tree.js'

/// The tree that these updates make, without opening a document.
export const treeOf = packed => tree(gather(unpack(packed)).document.doc)

/// For every text node in order: [path, length, client, length, client, …], lengths in UTF-16 units.
export const authors = handle => {
  const texts = []
  const visit = (type, path) => {
    let index = 0
    eachChild(type, child => {
      const here = [...path, index++]
      if (isText(child)) texts.push([here, ...spans(child)])
      else visit(child, here)
    })
  }
  visit(root(get(handle).doc), [])
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
