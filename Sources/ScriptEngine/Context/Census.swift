internal import Synchronization

/// Counts the living things of one sort that hold on to the engine, so that tests can see that none is left.
final class Census: Sendable {
    static let threads = Census()
    static let contexts = Census()
    static let functions = Census()
    static let values = Census()

    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }

    func enter() { number.add(1, ordering: .relaxed) }

    func leave() { number.subtract(1, ordering: .relaxed) }
}
