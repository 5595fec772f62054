#if canImport(Glibc)
/// The kernel's list of descriptors to wait for. Every call is safe from any thread; one thread waits.
package struct Poller: Sendable {
    /// What happened to one descriptor.
    package struct Event {
        /// What the descriptor was added with.
        package let id: UInt64
        /// Whether there is something to read, or the end.
        package let isReadable: Bool
        /// Whether there is room to write.
        package let isWritable: Bool
        /// Nothing can be sent any more; what was received can still be read.
        package let isBroken: Bool
    }

    private let epoll: Int32
    private let waker: Int32
    private static let wakerID: UInt64 = 0

    /// nil if the process is out of open files.
    package init?() {
        epoll = alcove_epoll_create()
        waker = alcove_eventfd()
        guard epoll >= 0, waker >= 0 else { return nil }
        guard alcove_epoll_control(epoll, 0, waker, 1, 0, Self.wakerID) == 0 else { return nil }
    }

    /// Begins to watch a descriptor; its events carry `id`, which is never 0.
    package func add(_ descriptor: Int32, id: UInt64, reads: Bool, writes: Bool) -> Bool {
        alcove_epoll_control(epoll, 0, descriptor, reads ? 1 : 0, writes ? 1 : 0, id) == 0
    }

    /// Changes what a descriptor is watched for.
    package func change(_ descriptor: Int32, id: UInt64, reads: Bool, writes: Bool) {
        _ = alcove_epoll_control(epoll, 1, descriptor, reads ? 1 : 0, writes ? 1 : 0, id)
    }

    /// Stops watching a descriptor, which must still be open.
    package func remove(_ descriptor: Int32) { _ = alcove_epoll_control(epoll, 2, descriptor, 0, 0, 0) }

    /// Makes the waiting thread return.
    package func wake() {
        var one: UInt64 = 1
        _ = write(waker, &one, 8)
    }

    /// Waits until something happens or the time is over. A failing descriptor is reported as readable and writable.
    /// - Parameter milliseconds: the longest wait; negative: without end.
    package func wait(atMost milliseconds: Int32 = -1, _ body: (Event) -> Void) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            guard let base = events.baseAddress else { return }
            let count = epoll_wait(epoll, base, 256, milliseconds)
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = base + index
                let id = alcove_epoll_id(event)
                guard id != Self.wakerID else {
                    var value: UInt64 = 0
                    _ = read(waker, &value, 8)
                    continue
                }
                body(
                    Event(
                        id: id,
                        isReadable: alcove_epoll_readable(event) != 0,
                        isWritable: alcove_epoll_writable(event) != 0,
                        isBroken: alcove_epoll_broken(event) != 0
                    )
                )
            }
        }
    }
}
#endif
