import AppCore
import Testing

/// Two people change lifetimes at will, over a link that is slow and keeps the order: in the end both have the same.
@Suite struct AgreementTests {
    @Test(arguments: Array(1...60) as [UInt64])
    func bothSidesEndWithTheSameLifetime(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var people = [try Person(seed: seed), try Person(seed: seed + 1000)]
        for _ in 0..<150 {
            let one = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try people[one].propose(Lifetime.allCases.randomElement(using: &random) ?? .keep)
            case 1: try people[one].answer(Bool.random(using: &random))
            default: try pass(&people, from: one)
            }
        }
        while !people[0].sent.isEmpty || !people[1].sent.isEmpty {
            try pass(&people, from: people[0].sent.isEmpty ? 1 : 0)
        }
        #expect(people[0].room.lifetime == people[1].room.lifetime)
        #expect(people[0].room.outgoingProposal?.id == people[1].room.incomingProposal?.id)
        #expect(people[1].room.outgoingProposal?.id == people[0].room.incomingProposal?.id)
    }

    private func pass(_ people: inout [Person], from one: Int) throws {
        guard let (id, body) = people[one].takeSent() else { return }
        try people[1 - one].receive(id, body)
    }
}

private struct Person {
    private var driver: TestDriver
    private let id: RoomID
    private var received: UInt64 = 0
    /// What is on its way to the other one, oldest first.
    private(set) var sent: [(MessageID, Body)] = []

    init(seed: UInt64) throws {
        driver = try TestDriver(seed: seed)
        id = try driver.roomThatTalks()
    }

    var room: Room { driver.state.rooms[id] ?? driver.state.rooms[0] }

    mutating func propose(_ lifetime: Lifetime) throws {
        try driver.chat(.proposeLifetime(room: id, lifetime: lifetime))
        collect()
    }

    mutating func answer(_ accept: Bool) throws {
        try driver.chat(.answerLifetime(room: id, accept: accept))
        collect()
    }

    mutating func receive(_ message: MessageID, _ body: Body) throws {
        received += 1
        try driver.receive(id, message, body, sequence: received)
        collect()
    }

    mutating func takeSent() -> (MessageID, Body)? { sent.isEmpty ? nil : sent.removeFirst() }

    private mutating func collect() {
        for case .deliver(_, let message, let body, _) in driver.effects { sent.append((message, body)) }
    }
}
