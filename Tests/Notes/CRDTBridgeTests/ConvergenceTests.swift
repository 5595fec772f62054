import CRDTBridge
import RichText
import Testing

/// Three writers, and everybody who reads what they wrote in whatever way, end with one tree.
@Suite struct ConvergenceTests {
    @Test func everyOrderGivesTheSameTree() async throws {
        let bridge = try await CRDTBridge()
        for document in 0..<40 {
            let different = try await bridge.together { bridge in
                let readings = try Story(seed: UInt64(document), bridge: bridge).readings(bridge: bridge)
                return readings.filter { $0.value != readings["state"] }.keys.sorted()
            }
            #expect(different.isEmpty, "document \(document)")
        }
    }
}

/// What three people wrote in one note, partly knowing of each other.
private struct Story: Sendable {
    private var updates: [[UInt8]] = []
    private var dice: Dice
    private static let writers = ["w0", "w1", "w2"]

    init(seed: UInt64, bridge: isolated CRDTBridge) throws {
        dice = Dice(seed: seed)
        var edits = RandomEdits(dice: Dice(seed: ~seed))
        updates = [try bridge.createNote("w0", in: "sd", created: 1)]
        for writer in Self.writers { try bridge.load(writer, updates) }
        var seen = [1, 1, 1]
        for _ in 0..<10 {
            let writer = dice.below(3)
            if dice.chance(25) {
                for update in updates[seen[writer]...] { try bridge.apply(update, to: Self.writers[writer]) }
                seen[writer] = updates.count
            }
            let edit = edits.edit(of: try bridge.tree(of: Self.writers[writer]))
            if let update = try bridge.edit(Self.writers[writer], [edit]) { updates.append(update) }
        }
        for (writer, seen) in zip(Self.writers, seen) {
            for update in updates[seen...] { try bridge.apply(update, to: writer) }
        }
    }

    func readings(bridge: isolated CRDTBridge) throws -> [String: RichText] {
        var dice = dice
        let shuffled = updates.shuffled(using: &dice)
        var readings: [String: RichText] = [:]
        for writer in Self.writers { readings[writer] = try bridge.tree(of: writer) }
        readings["state"] = try bridge.tree(of: [try bridge.state(of: "w0")])
        readings["in order"] = try bridge.tree(of: updates)
        readings["in any order, some twice"] = try bridge.tree(of: shuffled + shuffled.prefix(5))
        try bridge.load("late", [])
        for update in shuffled { try bridge.apply(update, to: "late") }
        readings["one after the other, in any order"] = try bridge.tree(of: "late")
        return readings
    }
}
