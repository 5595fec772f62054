import Dispatch
import Foundation
import LineEditor
import Synchronization

/// The line at the bottom of a terminal in which a person writes while what others say comes above it, and the status of the
/// conversation over it.
final class ChatPrompt: Sendable {
    private let terminal: RawTerminal
    private let editor = Mutex(LineEditor())
    private enum State { case open, suspended, closed }
    private let state = Mutex(State.open)
    /// Dispatch's objects may be used from any thread; only their Swift types do not say so.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// Takes the terminal, until ``end()``.
    /// - Returns: nil if a line cannot be edited in this terminal.
    init?() {
        guard Terminal.canEdit, let terminal = RawTerminal() else { return nil }
        self.terminal = terminal
        sources = [SIGWINCH, SIGCONT].map { DispatchSource.makeSignalSource(signal: $0) }
        terminal.enter()
        Terminal.openScreen()
        for source in sources {
            source.setEventHandler { [weak self] in self?.refresh() }
            source.resume()
        }
    }

    /// Gives the terminal back as it was.
    func end() {
        state.withLock { state in
            guard state != .closed else { return }
            for source in sources { source.cancel() }
            Terminal.closeScreen()
            if state == .open { terminal.leave() }
            state = .closed
        }
    }

    /// What is written, line by line, until Control-D.
    func inputs() -> AsyncStream<ChatInput> { stream { ChatInput($0) } }

    /// The same without a meaning.
    func lines() -> AsyncStream<TypedLine> { stream { $0 } }

    private func stream<Line: Sendable>(_ read: @escaping @Sendable (TypedLine) -> Line) -> AsyncStream<Line> {
        let (stream, continuation) = AsyncStream<Line>.makeStream()
        // Reading keys blocks, so it gets a thread of its own.
        Thread.detachNewThread { [self] in
            self.read { continuation.yield(read($0)) }
            continuation.finish()
        }
        return stream
    }

    /// Whether what is written is not shown.
    var hides: Bool {
        get { editor.withLock { $0.isHidden } }
        set {
            editor.withLock { editor in
                editor.isHidden = newValue
                Terminal.draw(line: editor.shown)
            }
        }
    }

    /// Puts a text that was refused back where it was written.
    /// - Returns: false if something else is written there by now.
    func putBack(_ text: String) -> Bool {
        editor.withLock { editor in
            guard editor.line.isEmpty else { return false }
            editor.restore(text)
            Terminal.draw(line: editor.shown)
            return true
        }
    }

    private func read(_ yield: (TypedLine) -> Void) {
        var decoder = KeyDecoder()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for key in decoder.keys(bytes[..<count]) {
                guard take(key, yield) else { return }
            }
            editor.withLock { Terminal.draw(line: $0.shown) }
        }
    }

    /// - Returns: false if nothing more is to be read.
    private func take(_ key: Key, _ yield: (TypedLine) -> Void) -> Bool {
        switch editor.withLock({ $0.take(key) }) {
        case .line(let text):
            // What is said appears by itself; a command would not.
            if text.hasPrefix("/"), !hides { Terminal.print("\(text)") }
            yield(.line(text))
        case .refused(.notText): yield(.unsayable(TypedLines.notText))
        case .refused(.tooLong): yield(.unsayable(TypedLines.tooLong))
        case .redraw: refresh()
        case .suspend: suspend()
        case .interrupt: kill(getpid(), SIGINT)
        case .end: return false
        case nil: break
        }
        return true
    }

    /// The terminal belongs to somebody else until this process is called back.
    private func suspend() {
        let isSuspended = state.withLock { state in
            guard state == .open else { return false }
            state = .suspended
            Terminal.pauseScreen()
            terminal.leave()
            return true
        }
        guard isSuspended else { return }
        // This thread takes the signal, so the call returns when the process was called back; or at once, where nobody could
        // call it back and the system ignores it.
        SignalPipe.raise(SIGTSTP)
        state.withLock { if $0 == .suspended { $0 = .open } }
        refresh()
    }

    /// The window has another size, or somebody else had it.
    private func refresh() {
        editor.withLock { editor in
            state.withLock { state in
                guard state == .open else { return }
                terminal.enter()
                Terminal.fitScreen(editor.shown)
            }
        }
    }
}
