/** What the editor of notes offers to the page. */

/** Somebody's place in a note, as `Editor.cursor` of their editor gives it. */
export interface Cursor {
  anchor: Uint8Array
  head: Uint8Array
}

export interface Person extends Cursor {
  id: string
  /** Shown beside the caret. It comes from the room, never from the frame that brought the place. */
  name: string
  /** A number that chooses one of the colours of the style sheet: `person-0` to `person-7`. */
  colour: number
}

export interface Options {
  mount: HTMLElement
  /** The note, with its content. What the host sends goes through `applyUpdate`; what is written here comes as `update` events, whose
   * origin is not the one that was given there. */
  doc: any
  readonly?: boolean
  /** The name of the text field for screen readers. */
  label?: string
  /** Draws elements by their attributes: `notecoveImage`, `oembedUnfurl`, `lockedBlock`. */
  draw?: Record<string, (attributes: any) => HTMLElement>
  /** The document changed; `isOwn` when it was changed here. */
  onChange?: (change: { isOwn: boolean }) => void
  /** The selection or what is around it changed: time to ask `active`, `slash`, `cursor`. */
  onSelection?: () => void
  /** A link was followed. Its address is one of http, https, mailto or tel. */
  onLink?: (address: string) => void
  /** What a linked note is called; null leaves the link as it is written. `nameNotes` asks for all of them again. */
  noteOf?: (note: string) => LinkedNote | null
  /** A link to a note was followed, or to a heading of it. */
  onNote?: (note: string, heading?: string) => void
  /** `[[` was typed, the beginning of such a link. */
  onNoteTyped?: () => void
  /** A tag was pressed, with its `#`. */
  onTag?: (tag: string) => void
  /** What the handle of a block is called, and what it opens; without `onBlock` there are no handles. */
  handleLabel?: string
  onBlock?: (event: MouseEvent, does: BlockMenu) => void
  /** What the handles of a table are called, and what they open, once their column or row is selected; `putBack` selects again what was selected
   * before. Without `onTable` there are none. */
  tableLabels?: { column: string, row: string }
  onTable?: (event: MouseEvent, part: 'column' | 'row', putBack: () => void) => void
  /** What the slash menu calls a command, so that it is found by that, too. */
  slashTitle?: (name: string) => string
  /** Files were pasted or dropped at a place. */
  onFiles?: (files: File[], place: Place) => void
  /** What was pasted is too large: more than two million characters. (Formatted text of that size is pasted without its format.) */
  onRefused?: () => void
}

/** What can be done with a whole block. */
export interface BlockMenu {
  moveUp: () => void
  moveDown: () => void
  remove: () => void
}

/** Between two blocks of a note. It stays there while people write. */
export type Place = object

export interface LinkedNote {
  title: string
  /** Whether it can be opened. */
  isHere: boolean
  /** Whether it is in the trash. */
  isDeleted: boolean
}

export interface SlashItem {
  /** One of the commands, and the key of its title. */
  name: string
  /** What people may type to find it. */
  words: string[]
}

interface Box { left: number, right: number, top: number, bottom: number }

export interface Editor {
  dom: HTMLElement
  /**
   * Runs a command: bold, italic, underline, strike, code, link {href}, noteLink {note, heading?}, write {text}, paragraph, heading1 to heading3, codeBlock, quote, bullets,
   * numbers, tasks, task {checked?}, indent, outdent, rule, table {rows?, columns?}, image {imageId, sdId?, alt?}, changePicture {alt?, caption?, width?}, break, moveUp,
   * moveDown, moveTo {from, to} (places among the outermost blocks; in front of `to`), deleteBlock {index}, selectAll, undo, redo, addRowBefore,
   * addRowAfter, addColumnBefore, addColumnAfter, deleteRow, deleteColumn, deleteTable, mergeCells, splitCell, toggleHeaderRow,
   * toggleHeaderColumn, alignLeft, alignCenter, alignRight, look {text, isExact?, stays?, isRead?}, nextMatch, previousMatch,
   * replaceMatch {text}, replaceMatches {text}. A match that is out of sight is shown instead of being replaced.
   * Answers whether it could.
   */
  run (name: string, argument?: any): boolean
  can (name: string, argument?: any): boolean
  /** The commands that are on where the selection is. */
  active (): string[]
  focus (): void
  setReadonly (readonly: boolean): void
  isEmpty (): boolean
  outline (): { level: number, text: string, position: number, id: string | null }[]
  /** Puts the caret behind a position, and shows it. */
  goTo (position: number): void
  /** The slash command that is being typed, with what fits; null when none is. */
  slash (): { query: string, items: SlashItem[], box: Box } | null
  /** Takes away what was typed behind the slash, and runs a command. */
  runSlash (name: string, argument?: any): boolean
  /** What `look` found; `current` is -1 when nothing was, or nothing but what was written in the place of other matches. */
  matches (): { count: number, current: number }
  /** Where what is given now belongs: behind the block with the caret, or in front of it if it is empty. */
  place (): Place
  /** Puts a picture at a place, and moves neither the selection nor the focus. Answers with the place behind it; null if nothing can be written. */
  putPicture (place: Place, attributes: { imageId: string, alt?: string }): Place | null
  /** The picture that is selected, and where it is drawn; null when none is. */
  picture (): { attributes: { imageId: string, alt: string | null, caption: string | null, width: string | null }, element: HTMLElement } | null
  /** A name for what is selected, which is another one when something else is; empty without a selection. */
  selected (): string
  /** Where the selection is on the screen; null when it is empty. */
  selectionBox (): { start: Box, end: Box } | null
  /** Marks the selection as what a thread of comments is about. */
  comment (thread: string): Promise<boolean>
  /** The selected words on one line, and how many places that say the same come before them; null when nothing is selected. */
  quote (): { quote: string, nth: number } | null
  /** Marks the selection while something is written about it elsewhere, or no longer. */
  markQuote (isOn: boolean): void
  /** Where the text of each thread begins. */
  commentPlaces (): Map<string, number>
  /** The selection here, for others; null before anything was shown. */
  cursor (): Cursor | null
  setCursors (people: Person[]): void
  /** Some of the linked notes are called something else now. */
  nameNotes (): void
  markdown (): string
  destroy (): void
}

export function createEditor (options: Options): Editor

/** Applies what others wrote to a note, and writes nothing. */
export function applyUpdate (doc: any, update: Uint8Array, origin: unknown): number

export const slashItems: SlashItem[]

/** Yjs, of which a page has to have one copy only. */
export const Y: any
