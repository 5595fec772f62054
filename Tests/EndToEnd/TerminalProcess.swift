import Foundation
import Platform
import ProgramRunner
import Synchronization

/// The program in a terminal of its own, whose keys a test presses.
final class TerminalProcess: Sendable {
    private let running: RunningProgram
    private let terminal: PseudoTerminal
    /// Keeps the terminal while the program has it no longer.
    private let screen: FileHandle
    private let shown = Mutex((text: "", read: 0))
    private let isFrozen = Mutex(false)

    static let rows: UInt16 = 50
    let columns: UInt16

    /// - Parameters:
    ///   - columns: how many characters a row of the terminal has.
    ///   - environment: what replaces or joins the variables of this process.
    init(_ words: [String], columns: UInt16 = 200, environment: [String: String] = [:]) throws {
        self.columns = columns
        terminal = try PseudoTerminal(columns: columns, rows: Self.rows)
        screen = terminal.kept()
        // What the terminal says it is, unless a test says otherwise.
        let variables = ["TERM": "xterm-256color"].merging(environment) { $1 }
        running = try RunningProgram(
            [AlcoveProcess.program] + AlcoveProcess.withoutHost(words),
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, terminal: terminal.path)
        Thread.detachNewThread { [self] in
            terminal.follow { text in
                while isFrozen.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
                shown.withLock { $0.text += text }
            }
        }
    }

    var text: String { shown.withLock(\.text) }

    /// Whether the terminal shows what is typed.
    var echoes: Bool {
        var state = termios()
        return tcgetattr(terminal.keys.fileDescriptor, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Waits until a text is shown, after those that were expected before, and until typing is hidden, if it is to be.
    func expect(_ wanted: String, hidden: Bool = false) async throws {
        let deadline = ContinuousClock.now + AlcoveProcess.patience
        while ContinuousClock.now < deadline {
            let isShown = shown.withLock { shown in
                let rest = shown.text.dropFirst(shown.read)
                guard let range = rest.range(of: wanted) else { return false }
                shown.read = shown.text.distance(from: shown.text.startIndex, to: range.upperBound)
                return true
            }
            if isShown {
                while hidden, echoes, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw AlcoveProcess.Failure("waited in vain for \"\(wanted)\"; it showed:\n\(text)")
    }

    /// Stops reading what the program writes, as a window does that hangs, or reads on.
    func freeze(_ on: Bool) { isFrozen.withLock { $0 = on } }

    /// Gives the window another width.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: Self.rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.keys.fileDescriptor, UInt(TIOCSWINSZ), &size)
        signal(SIGWINCH)
    }

    /// Presses keys: `\n` is Enter, `\u{3}` is Control-C.
    func press(_ text: String) throws { try terminal.keys.write(contentsOf: Data(text.utf8)) }

    func signal(_ number: Int32) { running.signal(number) }

    /// Waits for the end, and until all that was written is in ``text``.
    /// - Returns: the exit code; negative: the signal that ended it.
    func exitCode() async -> Int32 {
        let code = await running.exitCode()
        let deadline = ContinuousClock.now + .seconds(5)
        var waiting: Int32 = 0
        repeat {
            try? await Task.sleep(for: .milliseconds(20))
            waiting = 0
            _ = ioctl(terminal.keys.fileDescriptor, UInt(FIONREAD), &waiting)
        } while waiting > 0 && ContinuousClock.now < deadline
        return code
    }
}
