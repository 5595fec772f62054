internal import Platform

/// Ends a thread that waits for descriptors: a pipe whose other end is closed.
final class StopSignal: Sendable {
    let readable: Int32
    private let writable: Int32

    init() throws(FileError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("make", "a pipe") }
        (readable, writable) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(readable)
        close(writable)
    }

    func send() {
        var byte: UInt8 = 0
        _ = write(writable, &byte, 1)
    }
}

/// Waits until one of the descriptors can be read or the time is over. Entries that are false cannot be read yet.
func waitUntilReadable(_ descriptors: [Int32], atMost time: Duration) -> [Bool] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up; otherwise the last millisecond would be a busy loop.
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000 + 1
    let count = poll(&polled, nfds_t(polled.count), Int32(clamping: max(0, milliseconds)))
    return polled.map { count > 0 && $0.revents != 0 }
}
