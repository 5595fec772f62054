internal import Platform

/// A small file with something secret, which a person names.
enum SecretFile {
    /// - Parameter limit: bytes; of a longer file one more is read, so that whoever checks them refuses it.
    /// - Returns: nil if it cannot be read. Nobody waits for a pipe.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        let file = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: limit + 1, alignment: 1) { buffer in
            let count = Platform.read(file, buffer.baseAddress, buffer.count)
            return count < 0 ? nil : Array(buffer[..<count])
        }
    }
}
