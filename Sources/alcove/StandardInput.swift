import Foundation

/// What comes in through a pipe or a redirection.
enum StandardInput {
    /// Everything up to the end.
    /// - Throws: ``CommandFailure`` if there is more than `limit` bytes, or nothing at all.
    static func read(atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            guard count >= 0 else { throw CommandFailure("standard input cannot be read", .inputOutput) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw CommandFailure("standard input holds more than \(limit) bytes", .dataError)
            }
        }
        guard !bytes.isEmpty else { throw CommandFailure("standard input is empty", .noInput) }
        return bytes
    }
}
