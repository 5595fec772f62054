import Dispatch
import Foundation
import Synchronization

/// How much more two and three nodes do than one if each has the same part of a core, and all else has the rest of the
/// machine. On a machine with two cores for everything this is how to see what nodes add where each has its own.
struct NodeScaling {
    /// Of a core, for each node: so little that three of them bring neither Redis nor the machine to their limits.
    static let share = 0.05
    /// How many people load the nodes independently of each other. One of them stands still while a node of his does.
    private static let threads = 8

    let ports: [Int]

    /// Rooms are made for some seconds; the sides of each are at different nodes. Returns requests a second.
    func requestRate(seconds length: Double) throws -> Double {
        try rate(length, { try RoomMaker(ports, first: $0) }) { maker, round, thread in
            let start = (round * Self.threads + thread) * RoomMaker.connections
            return 3 * (try maker.make(Array(start..<start + RoomMaker.connections))).count
        }
    }

    /// Messages are relayed for some seconds, in bursts of ten.
    /// - Parameter isCrossing: whether the two sides of each room are at different nodes.
    func relayRate(_ rooms: [LoadRoom], isCrossing: Bool, seconds length: Double) throws -> Double {
        let ports = ports
        return try rate(
            length,
            { thread in
                try rooms.filter { $0.number % Self.threads == thread }.enumerated().map { index, room in
                    let first = (index + thread) % ports.count
                    let second = isCrossing ? (first + 1) % ports.count : first
                    return try LoadPair(room, ports: (ports[first], ports[second]), source: 2)
                }
            },
            { pairs, _, _ in
                for pair in pairs { try pair.send(10) }
                for pair in pairs { try pair.receive(10) }
                return 10 * pairs.count
            })
    }

    /// What all threads do together in a second.
    private func rate<Load>(
        _ length: Double, _ prepare: @escaping @Sendable (Int) throws -> Load,
        _ work: @escaping @Sendable (Load, Int, Int) throws -> Int
    ) throws -> Double {
        let total = Mutex(0.0)
        let failure = Mutex<(any Error)?>(nil)
        // Threads of their own, because `concurrentPerform` lets only as many work at once as there are processors.
        let everybody = DispatchGroup()
        for thread in 0..<Self.threads {
            everybody.enter()
            Thread.detachNewThread {
                defer { everybody.leave() }
                var (round, done) = (0, 0)
                do {
                    let load = try prepare(thread)
                    let start = ContinuousClock.now
                    while seconds(ContinuousClock.now - start) < length {
                        done += try work(load, round, thread)
                        round += 1
                    }
                    let rate = Double(done) / seconds(ContinuousClock.now - start)
                    total.withLock { $0 += rate }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        everybody.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        return total.withLock { $0 }
    }
}
