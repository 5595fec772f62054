#if os(Linux)
internal import Platform

/// Output to a socket that takes what it has room for.
extension OutputBuffer {
    enum Outcome {
        case sent
        /// From now on somebody has to call ``flush(over:)`` when the socket takes more.
        case waits
        case isWaiting
        case tooMuch
    }

    /// Sends now what the socket takes, and keeps the rest, if that is at most `limit` bytes.
    mutating func send(_ more: [UInt8], over socket: Int32, limit: Int) -> Outcome {
        let isWaiting = !isEmpty
        return more.withUnsafeBytes { more in
            let sent = isWaiting ? 0 : Self.send(more, over: socket)
            guard sent < more.count else { return .sent }
            guard count + more.count - sent <= limit else { return .tooMuch }
            append(UnsafeRawBufferPointer(rebasing: more[sent...]))
            return isWaiting ? .isWaiting : .waits
        }
    }

    /// Sends more; true when nothing waits any longer.
    mutating func flush(over socket: Int32) -> Bool {
        consume { Self.send($0, over: socket) }
        return isEmpty
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
