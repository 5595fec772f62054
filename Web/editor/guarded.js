/**
 * A command that does nothing where it fails. The commands of ProseMirror take it for granted that lists have only items inside, and
 * throw beside an element that is locked.
 * @param {import('prosemirror-state').Command} command
 * @returns {import('prosemirror-state').Command}
 */
export const guarded = command => (state, dispatch, view) => {
  let made
  let isPossible
  try {
    isPossible = command(state, dispatch && (tr => { made = tr }), view)
    made?.doc.check()
  } catch {
    return false
  }
  if (made) dispatch(made)
  return isPossible
}
