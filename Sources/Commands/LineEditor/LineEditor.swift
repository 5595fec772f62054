/// Edits one line after the other, key by key. It neither reads nor writes: keys go in, and what is to be shown is asked for.
package struct LineEditor: Sendable {
    /// What a key led to, besides another look of the line.
    package enum Outcome: Hashable, Sendable {
        /// A line was entered; the next one begins.
        case line(String)
        /// Control-C, Control-Z, Control-L.
        case interrupt, suspend, redraw
        /// Control-D on an empty line.
        case end
        /// What was typed or pasted is left out.
        case refused(Refusal)
    }

    package enum Refusal: Hashable, Sendable {
        case notText
        case tooLong
    }

    package private(set) var line = EditedLine()
    /// Whether what is typed is not to be seen, and not to be called back.
    package var isHidden = false {
        didSet { if isHidden != oldValue { line = EditedLine() } }
    }
    /// The line as it is to be shown.
    package var shown: EditedLine { isHidden ? line.covered : line }
    private var history = LineHistory()

    package init() {}

    /// Does what a key says.
    package mutating func take(_ key: Key) -> Outcome? {
        switch key {
        case .character(let character): return refusal(of: line.insert(String(character)))
        case .paste(let text): return refusal(of: line.insert(Self.withoutLastLineEnds(text)))
        case .newline: return refusal(of: line.insert("\n"))
        case .yank: return refusal(of: line.yank())
        case .enter: return enter()
        case .interrupt: return .interrupt
        case .suspend: return .suspend
        case .redraw: return .redraw
        case .endOfInput where line.isEmpty: return .end
        case .malformed: return .refused(.notText)
        case .tooLong: return .refused(.tooLong)
        case .up where !isHidden: if let text = history.previous(to: line.text) { line.replace(with: text) }
        case .down where !isHidden: if let text = history.next() { line.replace(with: text) }
        default: edit(key)
        }
        return nil
    }

    /// Goes on with a text that was entered before.
    package mutating func restore(_ text: String) { line.replace(with: text) }

    private mutating func edit(_ key: Key) {
        switch key {
        case .left: line.move(to: line.cursor - 1)
        case .right: line.move(to: line.cursor + 1)
        case .wordLeft: line.move(to: line.wordStart)
        case .wordRight: line.move(to: line.wordEnd)
        case .home: line.move(to: 0)
        case .end: line.move(to: line.characters.count)
        case .backspace: line.delete(to: line.cursor - 1, keeps: false)
        case .delete, .endOfInput: line.delete(to: line.cursor + 1, keeps: false)
        case .deleteWord: line.delete(to: line.wordStart, keeps: true)
        case .deleteToStart: line.delete(to: 0, keeps: true)
        case .deleteToEnd: line.delete(to: line.characters.count, keeps: true)
        default: break
        }
    }

    private mutating func enter() -> Outcome {
        let text = line.text
        if !text.isEmpty, !isHidden { history.add(text) }
        if isHidden { line = EditedLine() } else { line.replace(with: "") }
        return .line(text)
    }

    private func refusal(of isDone: Bool) -> Outcome? { isDone ? nil : .refused(.tooLong) }

    /// A person who copies whole lines also copies the last line end, without meaning it.
    private static func withoutLastLineEnds(_ text: String) -> String {
        String(text[..<(text.lastIndex { $0 != "\n" }.map(text.index(after:)) ?? text.startIndex)])
    }
}
