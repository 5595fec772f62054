internal import Synchronization

/// Counts the live objects of one kind that keep the engine alive, so that tests can check that none is left.
final class LiveObjectCount: Sendable {
    static let threads = LiveObjectCount()
    static let contexts = LiveObjectCount()
    static let functions = LiveObjectCount()
    static let values = LiveObjectCount()

    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }

    func enter() { number.add(1, ordering: .relaxed) }

    func leave() { number.subtract(1, ordering: .relaxed) }
}
