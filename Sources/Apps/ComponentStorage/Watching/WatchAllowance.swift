internal import Components
internal import Synchronization

/// How many places may be watched at the same time, by all connections to the storages that share it. Each watch takes a thread and a few
/// descriptors of the host.
public final class WatchAllowance: Sendable {
    public let limit: Int
    private let taken = Mutex(0)

    public init(_ limit: Int = 64) { self.limit = limit }

    /// One more, until what is returned is closed or goes.
    func take(at location: Location) throws(RuntimeException) -> Opening {
        let fits = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        guard fits else {
            throw .limit("already \(limit) places are watched by all components; stop some", at: location.shown)
        }
        return Opening { self.taken.withLock { $0 -= 1 } }
    }
}
