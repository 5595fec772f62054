internal import Components
internal import Synchronization

/// Counts what each connection has open in a storage, and what is watched by all of them together.
final class Openings: Sendable {
    enum Kind: Hashable, Sendable {
        case stream
        case watch
    }

    private struct Key: Hashable {
        let connection: ObjectIdentifier
        let kind: Kind
    }

    private let limits: StorageLimits
    private let watches: WatchAllowance
    private let counts = Mutex<[Key: Int]>([:])

    init(limits: StorageLimits, watches: WatchAllowance) {
        self.limits = limits
        self.watches = watches
    }

    /// One more, until what is returned is closed or goes.
    func open(_ kind: Kind, by connection: ObjectConnection, at location: Location) throws(RuntimeException) -> Opening
    {
        let key = Key(connection: ObjectIdentifier(connection), kind: kind)
        let limit = kind == .stream ? limits.openStreams : limits.watches
        let fits = counts.withLock { counts in
            guard counts[key, default: 0] < limit else { return false }
            counts[key, default: 0] += 1
            return true
        }
        guard fits else {
            let what =
                kind == .stream ? "byte sources and sinks are open; let some go" : "places are watched; stop some"
            throw .limit("already \(limit) \(what)", at: location.shown)
        }
        let opening = Opening { [weak self] in self?.close(key) }
        guard kind == .watch else { return opening }
        let shared = try watches.take(at: location)
        return Opening {
            shared.close()
            opening.close()
        }
    }

    private func close(_ key: Key) {
        counts.withLock { counts in
            let left = counts[key, default: 1] - 1
            counts[key] = left > 0 ? left : nil
        }
    }
}

/// Something that is open.
final class Opening: Sendable {
    private let release: Mutex<(@Sendable () -> Void)?>

    init(_ release: @escaping @Sendable () -> Void) { self.release = Mutex(release) }

    deinit { close() }

    func close() {
        let release = release.withLock { release in
            defer { release = nil }
            return release
        }
        release?()
    }
}

/// How many places may be watched at the same time, by all connections to the storages that share it. Each watch takes a thread and a few
/// descriptors of the host.
package final class WatchAllowance: Sendable {
    package let limit: Int
    private let taken = Mutex(0)

    package init(_ limit: Int = 64) { self.limit = limit }

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
