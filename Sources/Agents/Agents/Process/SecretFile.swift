internal import Platform

/// A small file with something secret, which a person names: also a pipe of a shell (`<(…)`).
enum SecretFile {
    /// Milliseconds in which a pipe has to say more.
    private static let patience: Int32 = 5000

    /// - Parameter limit: bytes; of a longer file one more is read, so that whoever checks them refuses it.
    /// - Returns: nil if it cannot be read to its end.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        let file = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled <= limit {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Platform.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            if count == 0 { break }
            if count > 0 {
                filled += count
                continue
            }
            var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard errno == EAGAIN || errno == EINTR, poll(&waiting, 1, patience) > 0 else { return nil }
        }
        return Array(bytes[..<filled])
    }
}
