internal import Platform

/// A clock of this thread: it stands while others have the processor, so what is measured does not depend on how busy a machine is.
struct ProcessorTime {
    private let start = Self.now

    /// Since this was made, on this thread.
    var elapsed: Duration { Self.now - start }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
