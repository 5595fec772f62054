import Testing

@testable import AppCore

@Suite struct TreeDiffTests {
    private static func list(_ ids: [String], label: String = "") -> SemanticNode {
        SemanticNode(.list, "list", "", ids.map { SemanticNode(.item, $0, .said(label)) })
    }

    @Test(arguments: [
        ("abc", "abc", "", ""), ("", "abc", "", "abc"), ("abc", "", "abc", ""), ("abc", "abcd", "", "d"),
        ("bcd", "abcd", "", "a"), ("abcd", "abd", "c", ""), ("abcd", "bcda", "", "a"), ("abcd", "dabc", "", "d"),
        ("abcd", "cbad", "", "cb"), ("abc", "xay", "bc", "xy"), ("abcdef", "afcxb", "de", "fcx"),
    ]) func namesNoMoreThanHasToBeDone(old: String, new: String, removed: String, placed: String) {
        let (old, new) = (Self.list(old.map(String.init)), Self.list(new.map(String.init)))
        let diff = TreeDiff(from: old, to: new)
        #expect(diff.removed.joined() == removed)
        #expect(diff.placed.map(\.id).joined() == placed)
        #expect(diff.updated.isEmpty && diff.replaced == nil && diff.isEmpty == (old == new))
        var display = Display(showing: old)
        display.apply(diff)
        #expect(display.shown == new)
    }

    @Test func aNodeThatMovesAndChangesDoesBoth() throws {
        var (old, new) = (Self.list(["a", "b"]), Self.list(["b", "a"]))
        old.children[0].children = [SemanticNode(.text, "x", "old"), SemanticNode(.text, "y")]
        new.children[1].children = [SemanticNode(.text, "y"), SemanticNode(.text, "x", "new")]
        new.children[1].isBusy = true
        let diff = TreeDiff(from: old, to: new)
        #expect(diff.updated.map(\.id) == ["a", "x"] && diff.updated.allSatisfy { $0.fields["children"] == nil })
        #expect(diff.placed.allSatisfy { $0.node == nil })
        var display = Display(showing: old)
        display.apply(try JSON.decode(TreeDiff.self, from: try JSON.encode(diff)))
        #expect(display.shown == new)
    }

    @Test func anotherScreenIsAnotherTree() {
        let (old, new) = (SemanticNode(.screen, "rooms"), SemanticNode(.screen, "chat", "", [SemanticNode(.text, "a")]))
        let diff = TreeDiff(from: old, to: new)
        #expect(diff.replaced == new && !diff.isEmpty && diff.placed.isEmpty && diff.updated.isEmpty)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>) func anyTreeBecomesAnyOther(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (old, new) = (Self.randomTree(&random), Self.randomTree(&random))
        var display = Display(showing: old)
        display.apply(TreeDiff(from: old, to: new))
        #expect(display.shown == new)
        display.apply(TreeDiff(from: new, to: new))
        #expect(display.shown == new && TreeDiff(from: new, to: new).isEmpty)
    }

    /// Two levels below the root, with ids that turn up again in other trees, at times below another parent.
    private static func randomTree(_ random: inout SplitMix64) -> SemanticNode {
        var ids = (0..<400).map(String.init).shuffled(using: &random)[...]
        func node(_ depth: Int) -> SemanticNode? {
            guard let id = ids.popLast() else { return nil }
            let count = depth == 0 ? 0 : Int.random(in: 0...20, using: &random)
            let label = ["", "x"].randomElement(using: &random) ?? ""
            return SemanticNode(.item, id, .said(label), (0..<count).compactMap { _ in node(depth - 1) })
        }
        return SemanticNode(.screen, "root", "", (0..<20).compactMap { _ in node(1) })
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>) func listsThatShareChunksBecomeEachOther(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let old = Self.list((0..<900).map(String.init))
        var new = old
        for number in 0..<Int.random(in: 0...4, using: &random) {
            let (one, other) = (Int.random(in: 0..<400, using: &random), Int.random(in: 0..<400, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: new.children.swapAt(one, other)
            case 1: new.children[one].label = "changed"
            case 2: new.children.removeFirst(one / 3)
            default: new.children.append(SemanticNode(.item, "new\(number)"))
            }
        }
        for (old, new) in [(old, new), (new, old)] {
            var display = Display(showing: old)
            display.apply(TreeDiff(from: old, to: new))
            #expect(display.shown == new)
        }
    }

    @Test func aLongTalkChangesAtManyPlacesAtOnce() throws {
        let size = ChunkedArray<Message>.chunkSize
        let old = Self.list((0..<6 * size).map(String.init))
        var new = old
        new.children[0].label = "first"
        new.children[3 * size].label = "middle"
        new.children.removeFirst(size / 2)
        for id in ["x", "y"] { new.children.append(SemanticNode(.item, id)) }
        let diff = TreeDiff(from: old, to: new)
        #expect(diff.removed == (0..<size / 2).map(String.init))
        #expect(diff.placed.map(\.id) == ["x", "y"] && diff.updated.map { $0.fields["label"] } == [.string("middle")])
        var display = Display(showing: old)
        display.apply(diff)
        #expect(display.shown == new)
    }
}
