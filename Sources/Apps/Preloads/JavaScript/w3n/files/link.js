// Symbolic links: the object on the other side is itself a function, which answers with the link's target.
import { ask, message, present } from '../typed.js'
import { fileFrom } from './file.js'
import { fsFrom } from './fs.js'

const target = ask(undefined, undefined,
  message('fs.SymLinkTargetReplyBody', ({ fs, file }, client) => fs ? fsFrom(client, fs) : fileFrom(client, file)))

export const linkFrom = (client, { readonly, isFile, isFolder, impl }) => {
  const link = present({ readonly, isFile: isFile?.value || undefined, isFolder: isFolder?.value || undefined })
  link.target = target(client, impl.path, link)
  return client.adopt(impl, link)
}
