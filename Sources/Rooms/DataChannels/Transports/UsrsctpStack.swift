internal import CNice
internal import CUsrsctp
internal import Synchronization

/// The process-wide part of usrsctp. Apart from threads it is the only global state of this library. The stack is
/// started once, without its own threads, and its timers are driven here while there are associations.
enum UsrsctpStack {
    /// The step of usrsctp's timers in milliseconds.
    private static let tick: UInt32 = 10

    private struct State {
        /// The endpoints of all associations, by number.
        var endpoints: [UInt: UsrsctpEndpoint] = [:]
        var isTicking = false
        /// Closed endpoints, with the number of ticks for which they must be kept.
        var retired: [(endpoint: UsrsctpEndpoint, ticks: Int)] = []
    }

    private static let state = Mutex(State())

    private static let started: Bool = {
        usrsctp_init_nothreads(
            0,
            { address, bytes, count, _, _ in
                guard let bytes, let endpoint = UsrsctpStack.endpoint(UInt(bitPattern: address)) else { return -1 }
                endpoint.transmit(UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            },
            nil
        )
        UsrsctpSettings.apply()
        return true
    }()

    /// The endpoint of an association that has not been retired.
    static func endpoint(_ number: UInt) -> UsrsctpEndpoint? { state.withLock { $0.endpoints[number] } }

    /// Makes the endpoint of a new association: its timers run until ``retire(_:)``.
    static func activate(_ loop: EventLoop) -> UsrsctpEndpoint {
        _ = started
        let (endpoint, mustStart) = state.withLock { state in
            var number: UInt
            repeat { number = .random(in: 1 ... .max) } while state.endpoints[number] != nil
            let endpoint = UsrsctpEndpoint(number, loop: loop)
            state.endpoints[number] = endpoint
            defer { state.isTicking = true }
            return (endpoint, !state.isTicking)
        }
        if mustStart { startTimers() }
        return endpoint
    }

    private static func startTimers() {
        g_thread_unref(
            g_thread_new(
                "data-channels-t",
                { _ in
                    while UsrsctpStack.runTimers() {}
                    return nil
                },
                nil
            )
        )
    }

    /// Removes an association after its socket was closed. A timer that is running now may still refer to the endpoint,
    /// so it is kept for some further ticks.
    static func retire(_ endpoint: UsrsctpEndpoint) {
        state.withLock { state in
            state.endpoints[endpoint.number] = nil
            state.retired.append((endpoint, 100))
        }
    }

    /// One tick; `false` when there is nothing left to drive.
    private static func runTimers() -> Bool {
        let before = g_get_monotonic_time()
        g_usleep(gulong(tick) * 1000)
        // A late wake-up must not slow down the clock of the protocol.
        let elapsed = (g_get_monotonic_time() - before + 500) / 1000
        usrsctp_handle_timers(UInt32(clamping: max(1, elapsed)))
        // The expired endpoints are released outside the lock.
        var expired: [UsrsctpEndpoint] = []
        let goesOn = state.withLock { state in
            for index in state.retired.indices { state.retired[index].ticks -= 1 }
            expired = state.retired.filter { $0.ticks <= 0 }.map(\.endpoint)
            state.retired.removeAll { $0.ticks <= 0 }
            state.isTicking = !state.endpoints.isEmpty || !state.retired.isEmpty
            return state.isTicking
        }
        expired.removeAll()
        return goesOn
    }
}

/// The identity of an association in usrsctp: a number in place of an address, which it passes back with every packet,
/// and a pointer, which it passes back with every upcall.
///
/// The number is random and only an index of a table. usrsctp writes it into heartbeats, and some versions into
/// cookies, which the peer sees. A pointer there would reveal memory addresses (as in CVE-2020-6514).
///
/// Calls come on the connection's loop, or on the timer thread, which passes them to the loop.
final class UsrsctpEndpoint: Sendable {
    let number: UInt
    private let loop: EventLoop
    /// Set and read on the loop only.
    nonisolated(unsafe) weak var transport: UsrsctpTransport?

    init(_ number: UInt, loop: EventLoop) {
        self.number = number
        self.loop = loop
    }

    /// The number in the form of an address, which is never dereferenced.
    var address: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

    static func from(_ pointer: UnsafeMutableRawPointer) -> UsrsctpEndpoint {
        Unmanaged<UsrsctpEndpoint>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Unretained; `UsrsctpTransport` holds the endpoint, after it the stack until no timer can name it.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func transmit(_ packet: UnsafeRawBufferPointer) {
        if loop.isCurrent {
            transport?.transmit(packet)
        } else {
            let copy = Array(packet)
            loop.submit { copy.withUnsafeBytes { self.transport?.transmit($0) } }
        }
    }

    func socketChanged() {
        if loop.isCurrent {
            transport?.needsAttention = true
        } else {
            loop.submit { self.transport?.attend() }
        }
    }
}
