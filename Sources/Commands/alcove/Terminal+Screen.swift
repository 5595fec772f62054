import Foundation
import LineEditor
import Synchronization
import Wire

/// While a conversation runs in a terminal, its last two rows stay in their place, whichever part of this process writes.
extension Terminal {
    /// Whether the terminal is one that a line can be edited in: standard input and output are the same window, and it can
    /// do more than print.
    static var canEdit: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return isatty(STDIN_FILENO) == 1 && isInteractive && !["", "dumb"].contains(kind)
    }

    static func openScreen() {
        let (columns, rows) = size()
        screen.withLock { screen in
            var opened = TerminalScreen(columns: columns, rows: rows)
            write(opened.draw())
            screen = opened
        }
    }

    /// The last two rows go; what is written from now on is written as it comes.
    static func closeScreen() {
        change {
            $0.end()
        } then: {
            $0 = nil
        }
    }

    /// The last two rows go until ``fitScreen(_:)``.
    static func pauseScreen() { change { $0.pause() } }

    static func draw(status: TerminalText) { change { $0.draw(status: status.escaped) } }

    static func draw(line: EditedLine) { change { $0.draw(line: LineRow(line, columns: $0.lineColumns)) } }

    /// Follows the window to its present size.
    static func fitScreen(_ line: EditedLine) {
        let (columns, rows) = size()
        change { screen in
            screen.resume()
            screen.resize(columns: columns, rows: rows)
            return screen.draw(line: LineRow(line, columns: screen.lineColumns))
        }
    }

    /// A line that can be replaced, for as long as it is on the screen.
    static func print(_ text: TerminalText, id: String) {
        change { $0.add(PrintableText.wrapped(text.escaped, columns: columns()), id: id) }
    }

    /// Writes another line in the place of one.
    /// - Returns: false if it is no longer on the screen.
    static func replace(_ id: String, with text: TerminalText) -> Bool {
        let wrapped = PrintableText.wrapped(text.escaped, columns: columns())
        return screen.withLock { screen in
            guard let written = screen?.replace(id, with: wrapped) else { return false }
            write(written)
            return true
        }
    }

    /// A sequence of ECMA-48 that changes how the terminal behaves, and shows nothing.
    static func obey(_ sequence: StaticString) {
        screen.withLock { _ in write("\(sequence)") }
    }

    private static func change(
        _ change: (inout TerminalScreen) -> String, then: (inout TerminalScreen?) -> Void = { _ in }
    ) {
        screen.withLock { screen in
            guard var changed = screen else { return }
            write(change(&changed))
            screen = changed
            then(&screen)
        }
    }

    private static func size() -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return (columns(), 24) }
        return (columns(), Int(size.ws_row))
    }

    private static func write(_ text: String) { write(bytes: Array(text.utf8), to: STDOUT_FILENO) }
}
