import Foundation
import ProgramRunner
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program in a terminal of its own, whose keys a test presses.
final class TerminalProcess: Sendable {
    private let running: RunningProgram
    private let keys: FileHandle
    /// Keeps the terminal while the program has it no longer.
    private let screen: FileHandle
    private let shown = Mutex((text: "", read: 0))

    static let rows: UInt16 = 50
    let columns: UInt16

    /// - Parameters:
    ///   - columns: how many characters a row of the terminal has.
    ///   - environment: what replaces or joins the variables of this process.
    init(_ words: [String], columns: UInt16 = 200, environment: [String: String] = [:]) throws {
        self.columns = columns
        // As `posix_openpt`, `unlockpt` and `ptsname` do, which Swift's Glibc module leaves out.
        let (unlocking, asking) = (UInt(0x4004_5431), UInt(0x8004_5430))
        var (unlocked, number) = (Int32(0), Int32(0))
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard main >= 0, ioctl(main, unlocking, &unlocked) == 0, ioctl(main, asking, &number) == 0 else {
            throw AlcoveProcess.Failure("there is no terminal to be had: \(String(cString: strerror(errno)))")
        }
        var size = winsize(ws_row: Self.rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else {
            throw AlcoveProcess.Failure("the terminal takes no size: \(String(cString: strerror(errno)))")
        }
        let path = "/dev/pts/\(number)"
        keys = FileHandle(fileDescriptor: main, closeOnDealloc: true)
        screen = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), closeOnDealloc: true)
        // What the terminal says it is, unless a test says otherwise.
        let variables = ["TERM": "xterm-256color"].merging(environment) { $1 }
        running = try RunningProgram(
            [AlcoveProcess.program] + words,
            environment: ProcessInfo.processInfo.environment.merging(variables) { $1 }, terminal: path)
        Thread.detachNewThread { [self] in follow() }
    }

    private func follow() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(keys.fileDescriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            shown.withLock { $0.text += String(decoding: bytes[..<count], as: UTF8.self) }
        }
    }

    var text: String { shown.withLock(\.text) }

    /// Whether the terminal shows what is typed.
    var echoes: Bool {
        var state = termios()
        return tcgetattr(keys.fileDescriptor, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
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

    /// Gives the window another width.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: Self.rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(keys.fileDescriptor, UInt(TIOCSWINSZ), &size)
        signal(SIGWINCH)
    }

    /// Presses keys: `\n` is Enter, `\u{3}` is Control-C.
    func press(_ text: String) throws { try keys.write(contentsOf: Data(text.utf8)) }

    func signal(_ number: Int32) { running.signal(number) }

    /// Waits for the end.
    /// - Returns: the exit code; negative: the signal that ended it.
    func exitCode() async -> Int32 { await running.exitCode() }
}
