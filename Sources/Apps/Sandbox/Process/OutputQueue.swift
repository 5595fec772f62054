#if os(Linux)
internal import Platform

/// What a socket has not taken yet.
struct OutputQueue: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    enum Outcome {
        case sent
        /// From now on somebody has to call ``flush(over:)`` when the socket takes more.
        case waits
        case isWaiting
        case tooMuch
    }

    /// Bytes that wait.
    var count: Int { bytes.count - start }

    /// Sends now what the socket takes, and keeps the rest, if that is at most `limit` bytes.
    mutating func send(_ more: [UInt8], over socket: Int32, limit: Int) -> Outcome {
        let isWaiting = start < bytes.count
        let sent = isWaiting ? 0 : more.withUnsafeBytes { Self.send($0, over: socket) }
        guard sent < more.count else { return .sent }
        guard bytes.count - start + more.count - sent <= limit else { return .tooMuch }
        bytes.append(contentsOf: more[sent...])
        return isWaiting ? .isWaiting : .waits
    }

    /// Sends more; true when nothing waits any longer.
    mutating func flush(over socket: Int32) -> Bool {
        start += bytes.withUnsafeBytes { Self.send(UnsafeRawBufferPointer(rebasing: $0[start...]), over: socket) }
        if start == bytes.count {
            bytes = []
            start = 0
        } else if start > 1 << 20 {
            bytes.removeFirst(start)
            start = 0
        }
        return bytes.isEmpty
    }

    /// How many bytes the socket took. One whose other end is gone takes none; its reader will hear of that.
    private static func send(_ bytes: UnsafeRawBufferPointer, over socket: Int32) -> Int {
        var sent = 0
        while sent < bytes.count {
            let rest = bytes.baseAddress?.advanced(by: sent)
            let count = Glibc.send(socket, rest, bytes.count - sent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if count > 0 { sent += count } else if errno != EINTR { return sent }
        }
        return sent
    }
}
#endif
