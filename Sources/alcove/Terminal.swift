import Foundation

/// Standard output and standard error, written at once and whole.
enum Terminal {
    /// Whether a person is looking at standard output.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    static func print(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Text without a line end: a prompt or a progress line.
    static func show(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    static func complain(_ text: String) {
        write("alcove: \(text)\n", to: STDERR_FILENO)
    }

    /// A line for whoever keeps the log.
    static func log(_ line: String) {
        write(line + "\n", to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// The system call, under a name that does not collide with ours.
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Foundation.write(descriptor, bytes, count)
    }
}
