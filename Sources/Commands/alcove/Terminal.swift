import AppCore
import Foundation
import LineEditor
import Synchronization
import Wire

/// Standard output and standard error, written at once and whole. Bytes that are not text go through ``ByteOutput``.
enum Terminal {
    /// Whether a person is looking at standard output.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a person is looking at standard error.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// A line.
    static func print(_ text: TerminalText) {
        write(text.escaped + "\n", to: STDOUT_FILENO)
    }

    /// A picture of so many columns as the terminal has, with its colours.
    static func draw(_ picture: TerminalText) {
        write(picture.escaped + "\n", to: STDOUT_FILENO, wraps: false)
    }

    /// A value as one line of JSON.
    static func print(json value: some Encodable) throws {
        print(.json(String(decoding: try JSON.encode(value), as: UTF8.self)))
    }

    /// A line of a protocol, for a program that reads standard output: as it is.
    static func send(_ line: [UInt8]) { screen.withLock { _ in write(bytes: line, to: STDOUT_FILENO) } }

    /// Text without a line end: a question or a progress line.
    static func show(_ text: TerminalText) {
        write(text.escaped, to: STDOUT_FILENO)
    }

    /// What went wrong.
    static func complain(_ text: TerminalText) {
        write("alcove: \(text.escaped)\n", to: STDERR_FILENO)
    }

    /// What went wrong, in one or more lines.
    static func complain(of explanation: String) {
        complain(.text(explanation, margin: "       "))
    }

    /// A line for the log, on standard error.
    static func log(_ line: TerminalText) {
        write(line.escaped + "\n", to: STDERR_FILENO)
    }

    /// A question to the person, whose answer is read from standard input, while standard output may go elsewhere.
    static func ask(_ question: TerminalText) {
        write(question.escaped, to: STDERR_FILENO)
    }

    /// One writer at a time: a pipe takes a long text in parts, and what another thread says would stand in the middle of it.
    /// Holds what stays at the bottom of the window, if something does.
    static let screen = Mutex<TerminalScreen?>(nil)

    /// Whether somebody is writing at this moment. That takes no time, unless nobody reads what is written.
    static var isStuck: Bool { screen.withLockIfAvailable { _ in } == nil }

    /// Characters in a row of a terminal; 80 if that is not known.
    static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to descriptor: Int32, wraps: Bool = true) {
        let isTerminal = isatty(descriptor) == 1
        let text = isTerminal && wraps ? PrintableText.wrapped(text, columns: columns(of: descriptor)) : text
        screen.withLock { screen in
            // All of a window's lines come above what stays at its bottom.
            let written = isTerminal ? screen?.add(text.hasSuffix("\n") ? String(text.dropLast()) : text) : nil
            write(bytes: Array((written ?? text).utf8), to: written == nil ? descriptor : STDOUT_FILENO)
        }
    }

    /// Writes all of it. The caller holds ``screen``.
    static func write(bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// The system call, under a name that does not collide with ours.
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Foundation.write(descriptor, bytes, count)
    }
}
