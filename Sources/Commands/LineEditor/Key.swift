/// What a person did at the keyboard of a terminal.
package enum Key: Hashable, Sendable {
    /// A character was typed.
    case character(Character)
    /// Text came from the clipboard at once (bracketed paste). Its line ends are `\n`.
    case paste(String)
    /// The line is finished.
    case enter
    /// A line end within the text: Alt and Enter.
    case newline
    case left, right, wordLeft, wordRight, home, end
    case up, down
    case backspace, delete, deleteWord, deleteToStart, deleteToEnd
    /// Puts back what was deleted last.
    case yank
    /// Control-L: the terminal shows something else than it should.
    case redraw
    /// Control-C.
    case interrupt
    /// Control-D.
    case endOfInput
    /// Control-Z.
    case suspend
    /// Bytes that are not UTF-8.
    case malformed
    /// More came at once than ``KeyDecoder/pasteLimit``; it was left out.
    case tooLong
}
