internal import Synchronization

/// Bytes of the host's own memory that strangers may fill: counted for one component, within those of its app, within those of all apps.
///
/// What is asked for and can be refused is taken with ``MemoryShare/grow(by:)``. What is there already, and cannot be, is only counted
/// (``MemoryShare/count(_:)``), and a component that has too much of it is ended: see ``isOver``.
public final class MemoryBudget: Sendable {
    /// The most bytes that may be taken.
    public let limit: Int
    private let assured: Int
    private let outer: MemoryBudget?
    private let taken = Atomic(0)

    /// - Parameters:
    ///   - limit: bytes.
    ///   - assured: bytes of these that it may have whatever others further out have: one cannot take them from another.
    ///   - outer: what it is a part of: what is taken here is taken there, too.
    public init(_ limit: Int, assured: Int = 0, within outer: MemoryBudget? = nil) {
        self.limit = limit
        self.assured = assured
        self.outer = outer
    }

    /// Bytes that are taken now.
    public var count: Int { taken.load(ordering: .relaxed) }

    /// Whether somebody has to give way, and this is one of those who do: it is beyond its own limit, or has more than it is assured of
    /// where there is too much further out.
    public var isOver: Bool { count > limit || count > assured && outer?.isOver == true }

    /// - Returns: false if that is more than is left, here or further out. Then nothing is taken.
    fileprivate func take(_ bytes: Int) -> Bool {
        let count = taken.add(bytes, ordering: .relaxed).newValue
        guard let outer else {
            if count > limit { taken.subtract(bytes, ordering: .relaxed) }
            return count <= limit
        }
        if count <= limit, outer.take(bytes) { return true }
        guard count <= min(assured, limit) else {
            taken.subtract(bytes, ordering: .relaxed)
            return false
        }
        outer.add(bytes)
        return true
    }

    /// - Parameter bytes: negative gives back.
    fileprivate func add(_ bytes: Int) {
        taken.add(bytes, ordering: .relaxed)
        outer?.add(bytes)
    }
}

/// What one thing takes of a budget. It is given back when the last reference to this ends.
public final class MemoryShare: Sendable {
    private let budget: MemoryBudget
    private let bytes = Mutex(0)

    /// Takes nothing yet.
    public init(of budget: MemoryBudget) { self.budget = budget }

    deinit { budget.add(-bytes.withLock { $0 }) }

    /// Takes more bytes.
    /// - Returns: false if there is no room for them. Then nothing is taken.
    public func grow(by more: Int) -> Bool {
        bytes.withLock { bytes in
            guard budget.take(more) else { return false }
            bytes += more
            return true
        }
    }

    /// Gives bytes back, at most as many as it has.
    public func shrink(by fewer: Int) {
        bytes.withLock { bytes in
            bytes -= fewer
            budget.add(-fewer)
        }
    }

    /// Says how much there is by now, whether or not there is room for it.
    public func count(_ now: Int) {
        bytes.withLock { bytes in
            guard now != bytes else { return }
            budget.add(now - bytes)
            bytes = now
        }
    }

    /// Whether its owner has to give way.
    public var isOver: Bool { budget.isOver }
}
