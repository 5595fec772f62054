internal import Foundation

/// A file that lines are written to, and the one before it, which has `.1` at its end.
struct LogFiles: Sendable {
    /// Bytes of one file.
    static let fileSize = 1 << 20

    let path: String

    /// Adds lines. What cannot be written is lost.
    func append(_ lines: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(lines.utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if lseek(descriptor, 0, SEEK_END) > Self.fileSize { _ = rename(path, path + ".1") }
    }
}
