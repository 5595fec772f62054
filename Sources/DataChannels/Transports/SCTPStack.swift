internal import CNice
internal import CUsrsctp
internal import Synchronization

/// The process-wide part of usrsctp, which is all global state that this library has apart from its threads: the stack
/// is started once, without threads of its own, and its timers are driven here while there are associations.
enum SCTPStack {
    /// The step of usrsctp's timers in milliseconds.
    private static let tick: UInt32 = 10

    private struct State {
        var associations = 0
        var isTicking = false
        /// Endpoints that were closed, with the number of ticks that they must still live.
        var retired: [(endpoint: SCTPEndpoint, ticks: Int)] = []
    }

    private static let state = Mutex(State())

    private static let started: Bool = {
        usrsctp_init_nothreads(
            0,
            { address, bytes, count, _, _ in
                guard let address, let bytes else { return -1 }
                SCTPEndpoint.from(address).transmit(UnsafeRawBufferPointer(start: bytes, count: count))
                return 0
            },
            nil
        )
        SCTPSettings.apply()
        return true
    }()

    /// Counts an association in: its timers run until ``retire(_:)``.
    static func activate() {
        _ = started
        let mustStart = state.withLock { state in
            state.associations += 1
            defer { state.isTicking = true }
            return !state.isTicking
        }
        guard mustStart else { return }
        g_thread_unref(
            g_thread_new(
                "data-channels-t",
                { _ in
                    while SCTPStack.runTimers() {}
                    return nil
                },
                nil
            )
        )
    }

    /// Counts an association out, after its socket was closed. A timer that is running at this very moment may still
    /// name the endpoint, so it is kept for some further ticks.
    static func retire(_ endpoint: SCTPEndpoint) {
        state.withLock { state in
            state.associations -= 1
            state.retired.append((endpoint, 100))
        }
    }

    /// One tick; `false` when there is nothing left to drive.
    private static func runTimers() -> Bool {
        let before = g_get_monotonic_time()
        g_usleep(gulong(tick) * 1000)
        // A late wake-up must not slow the clock of the protocol down.
        let elapsed = (g_get_monotonic_time() - before + 500) / 1000
        usrsctp_handle_timers(UInt32(clamping: max(1, elapsed)))
        // The expired endpoints are released outside the lock.
        var expired: [SCTPEndpoint] = []
        let goesOn = state.withLock { state in
            for index in state.retired.indices { state.retired[index].ticks -= 1 }
            expired = state.retired.filter { $0.ticks <= 0 }.map(\.endpoint)
            state.retired.removeAll { $0.ticks <= 0 }
            state.isTicking = state.associations > 0 || !state.retired.isEmpty
            return state.isTicking
        }
        expired.removeAll()
        return goesOn
    }
}

/// What usrsctp knows of an association: the address that it hands back with every packet and upcall.
///
/// Calls come on the connection's loop, or on the timer thread, from where they hop to the loop.
final class SCTPEndpoint: Sendable {
    private let loop: EventLoop
    /// Set and read on the loop only.
    nonisolated(unsafe) weak var transport: SCTPTransport?

    init(loop: EventLoop) { self.loop = loop }

    static func from(_ pointer: UnsafeMutableRawPointer) -> SCTPEndpoint {
        Unmanaged<SCTPEndpoint>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Unretained; `SCTPTransport` holds the endpoint, after it the stack until no timer can name it.
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
