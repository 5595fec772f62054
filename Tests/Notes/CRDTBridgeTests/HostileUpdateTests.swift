import RichText
import Testing

@testable import CRDTBridge

@Suite struct HostileUpdateTests {
    /// A text that `client` inserts at the beginning of the content, without neighbours.
    private static func insertion(by client: UInt8) -> [UInt8] { [1, client, 0, 7, 1, 7] + "content".utf8 + [6] }

    /// Yjs applies the first half of this and then throws: an operation that comes before itself.
    private static let halfGood: [UInt8] = [2] + insertion(by: 20) + [1, 9, 0, 0x44, 9, 0, 1, 0x61, 0]

    @Test func halfOfAnUpdateIsNotApplied() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit("n", [.insert([.text([.init("kept")])], at: [0, 0])])
        let before = try await (bridge.tree(of: "n"), bridge.stateVector(of: "n"))
        await #expect(throws: CRDTError.self) { try await bridge.apply(Self.halfGood, to: "n") }
        #expect(try await bridge.tree(of: "n") == before.0)
        #expect(try await bridge.stateVector(of: "n") == before.1)
        #expect(try await bridge.edit("n", [.remove(1, at: [0])]) != nil)
    }

    /// Has to wait for the first operation of client 20; then it comes before itself.
    private static let waitsAndThrows: [UInt8] = [1, 1, 9, 0, 0xc4, 20, 0, 9, 0, 1, 0x61, 0]

    @Test func aBadUpdateThatWaitsDoesNotHoldUpAGoodOne() async throws {
        let bridge = try await CRDTBridge()
        let note = try await bridge.createNote("n", in: "sd", created: 1)
        let good = [1] + Self.insertion(by: 20) + [0]
        let later: [UInt8] = [1, 1, 20, 1, 0x84, 20, 0, 1, 0x62, 0]
        #expect(try await bridge.apply(Self.waitsAndThrows, to: "n") == .hidden)
        #expect(try await bridge.apply(later, to: "n") == .hidden)
        #expect(try await bridge.apply(good, to: "n") == .content)
        #expect(try await !bridge.isMissingUpdates("n"))
        await #expect(throws: CRDTError.self) { try await bridge.apply(Self.waitsAndThrows, to: "n") }
        for updates in [[note, Self.waitsAndThrows, later, good], [note, good, later, Self.waitsAndThrows]] {
            let refused = try await bridge.load("m", updates)
            #expect(refused.map { updates[$0] } == [Self.waitsAndThrows])
            #expect(try await bridge.stateVector(of: "m") == bridge.stateVector(of: "n"))
        }
    }

    @Test func loadLeavesOutWhatCannotBePart() async throws {
        let bridge = try await CRDTBridge()
        let good = try await bridge.createNote("n", in: "sd", created: 1)
        let edit = try await bridge.edit("n", [.insert([paragraph(.init("x"))], at: [0])]) ?? []
        let refused = try await bridge.load("m", [Self.halfGood, edit, [1, 2, 3], good, [0x99]])
        #expect(refused == [0, 2, 4])
        #expect(try await bridge.tree(of: "m") == bridge.tree(of: "n"))
    }

    /// Whatever bytes change on the way: it is an error and nothing happens, or it is an update.
    @Test(arguments: 0..<4)
    func damagedUpdates(seed: Int) async throws {
        let bridge = try await CRDTBridge()
        var updates = [try await bridge.createNote("n", in: "sd", created: 1)]
        var edits = RandomEdits(dice: Dice(seed: UInt64(seed)))
        for _ in 0..<20 {
            let edit = edits.edit(of: try await bridge.tree(of: "n"))
            if let update = try await bridge.edit("n", [edit]) { updates.append(update) }
        }
        let (note, all) = (try await bridge.tree(of: "n"), updates)
        var refused = 0
        for attempt in 0..<150 {
            var dice = Dice(seed: UInt64(seed * 1000 + attempt))
            var damaged = dice.pick(all)
            for _ in 0...dice.below(3) { damaged[dice.below(damaged.count)] = UInt8(dice.below(256)) }
            let update = damaged
            refused += try await bridge.together { bridge in
                try bridge.load("m", all)
                let vector = try bridge.stateVector(of: "m")
                do {
                    try bridge.apply(update, to: "m")
                    // Whatever it says, the document can be used.
                    _ = try bridge.state(of: "m")
                    _ = try? bridge.tree(of: "m")
                    _ = (try bridge.comments(of: "m"), try bridge.folders(of: "m"), try bridge.metadata(of: "m"))
                    return 0
                } catch {
                    let isSame = try bridge.stateVector(of: "m") == vector && bridge.tree(of: "m") == note
                    #expect(isSame, "\(error)")
                    return 1
                }
            }
        }
        #expect(refused > 15)
        #expect(try await bridge.tree(of: "n") == note)
    }

    /// Claims that lib0 would believe.
    @Test(arguments: [
        // A text of 2⁵⁰ bytes, and as many operations, clients, values, deletions.
        [1, 1, 1, 0, 4, 1, 1, 0x74, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2] as [UInt8],
        [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2, 1, 0],
        [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
        [1, 1, 1, 0, 8, 1, 1, 0x74, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
        [0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
        // A value in a thousand arrays.
        [1, 1, 1, 0, 8, 1, 1, 0x74, 1]
            + [UInt8](repeating: 1, count: 2000).enumerated().map { $0.offset % 2 == 0 ? 117 : 1 },
        // A text that is not UTF-8, a number beyond 2⁵³, an unknown type, a format that is not JSON.
        [1, 1, 1, 0, 4, 1, 1, 0x74, 1, 0xff, 0],
        [1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 4, 1, 1, 0x74, 1, 0x61, 0],
        [1, 1, 1, 0, 7, 1, 1, 0x74, 9, 0],
        [1, 1, 1, 0, 6, 1, 1, 0x74, 1, 0x62, 1, 0x7b, 0],
    ])
    func absurdClaims(update: [UInt8]) async throws {
        let bridge = try await CRDTBridge()
        try await bridge.load("n", [])
        await #expect(throws: CRDTError.self) { try await bridge.apply(update, to: "n") }
        #expect(try await bridge.load("n", [update]) == [0])
    }

    @Test func hugeClocksWait() async throws {
        let bridge = try await CRDTBridge()
        try await bridge.load("n", [])
        let clock: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]
        #expect(try await bridge.apply([1, 1, 1] + clock + [4, 1, 1, 0x74, 1, 0x61, 0], to: "n") == .hidden)
        #expect(try await bridge.isMissingUpdates("n"))
        // Garbage of that length is only a number.
        try await bridge.apply([1, 1, 2, 0, 0] + clock + [0], to: "n")
        #expect(try await CRDTBridge.clients(in: bridge.state(of: "n")).isSuperset(of: [1, 2]))
    }

    @Test func deepTreesAreShownFlat() async throws {
        let bridge = try await CRDTBridge()
        // Each element is in the one before.
        let count = 20_000
        var update: [UInt8] = [1] + varint(count) + [1, 0, 7, 1, 7] + "content".utf8 + [3, 1, 0x61]
        for depth in 1..<count { update += [7, 0, 1] + varint(depth - 1) + [3, 1, 0x61] }
        try await bridge.load("n", [update + [0]])
        var depth = 0
        var node = try await bridge.tree(of: "n").blocks.first
        while case .element(let element) = node { (depth, node) = (depth + 1, element.children.first) }
        #expect(depth == RichText.depthLimit + 1)
    }

    /// Every text of the second update goes behind every one of the first, which takes the square of their number.
    @Test func slowUpdateMakesOnlyItsDocumentUnusable() async throws {
        var limits = CRDTLimits()
        limits.executionTime = .seconds(2)
        limits.updateSize = 1 << 20
        let bridge = try await CRDTBridge(limits: limits)
        let note = try await bridge.createNote("other", in: "sd", created: 1)
        try await bridge.load("n", [crowd(1..<40_000)])
        let error = await #expect(throws: CRDTError.self) { try await bridge.apply(crowd(40_000..<80_000), to: "n") }
        #expect(error?.code == .unusable)
        let again = await #expect(throws: CRDTError.self) { try await bridge.state(of: "n") }
        #expect(again?.code == .unusable)
        #expect(try await bridge.state(of: "other") == note)
        await bridge.release("n")
        try await bridge.load("n", [note])
        #expect(try await bridge.state(of: "n") == note)
        let large = await #expect(throws: CRDTError.self) {
            try await bridge.apply([UInt8](repeating: 0, count: 2 << 20), to: "n")
        }
        #expect(large?.code == .tooLarge)
    }

    private func crowd(_ clients: Range<Int>) -> [UInt8] {
        var update = varint(clients.count)
        for client in clients { update += [1] + varint(client) + [0, 4, 1, 1, 0x74, 1, 0x61] }
        return update + [0]
    }
}
