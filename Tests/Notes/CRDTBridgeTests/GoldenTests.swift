import RichText
import Testing

@testable import CRDTBridge

/// Bytes that the desktop app's version of Yjs writes.
@Suite struct GoldenTests {
    private static let updates = [
        "0000",
        "010101000401017402616200",
        "010301000401017401618101000184010101630101010101",
        "010101000401017406c3a9f09f988000",
        "0101ac02002801086d657461646174610764656c65746564017900",
        "01040100070107636f6e74656e74030768656164696e6707000100060400010102486928000100056c6576656c017d0100",
        """
        01060100070107636f6e74656e7403097061726167726170680700010006040001010161840102016246010204626f6c64027b7dc6010201
        0304626f6c64046e756c6c00
        """,
        """
        010901002801016d0169017dc1012801016d03626967017b4278bcfe568000002801016d0166017c3fc000002801016d016e017e2801016d
        0173017701782801016d01610175027d01782801016d016f017601016b7701762301016d016201ff2801016d0175017f00
        """,
        """
        01070500270107666f6c646572730266310128000500026964017702663128000500046e616d65017704576f726b28000500087061726
        56e744964017e2800050004736449640177015328000500056f72646572017d00280005000764656c65746564017900
        """,
    ]

    @Test(arguments: updates)
    func stateIsWrittenAsItWas(hex: String) async throws {
        let bytes = [UInt8](hex: hex)
        let bridge = try await CRDTBridge()
        #expect(try await bridge.load("d", [bytes]) == [])
        #expect(try await bridge.state(of: "d") == bytes)
        #expect(try await bridge.isMissingUpdates("d") == false)
    }

    @Test func stateVector() async throws {
        let bridge = try await CRDTBridge()
        try await bridge.load("d", [[UInt8](hex: Self.updates[1])])
        #expect(try await bridge.stateVector(of: "d") == [1, 1, 2])
        #expect(try await bridge.difference(of: "d", since: [1, 1, 2]) == [0, 0])
    }

    @Test func readsTheNote() async throws {
        let bridge = try await CRDTBridge()
        try await bridge.load("d", [[UInt8](hex: Self.updates[5])])
        #expect(
            try await bridge.tree(of: "d")
                == RichText([.element(.init("heading", ["level": 1], [.text([.init("Hi")])]))]))
        try await bridge.load("d", [[UInt8](hex: Self.updates[6])])
        #expect(try await bridge.tree(of: "d") == RichText([paragraph(.init("a", ["bold": [:]]), .init("b"))]))
        try await bridge.load("d", [[UInt8](hex: Self.updates[4])])
        #expect(try await bridge.metadata(of: "d").isDeleted == false)
    }

    @Test func readsTheFolder() async throws {
        let bridge = try await CRDTBridge()
        try await bridge.load("f", [[UInt8](hex: Self.updates[8])])
        let folder = try #require(try await bridge.folders(of: "f").folders.first)
        #expect(folder.id == "f1" && folder.name == "Work" && folder.parent == nil && folder.order == 0)
    }

    @Test func lowerClientComesFirst() async throws {
        let bridge = try await CRDTBridge()
        let a: [UInt8] = [1, 1, 1, 0, 4, 1, 7] + "content".utf8 + [1] + "A".utf8 + [0]
        let b: [UInt8] = [1, 1, 2, 0, 4, 1, 7] + "content".utf8 + [1] + "B".utf8 + [0]
        try await bridge.load("d", [b, a])
        // Text right in a fragment is no node, but the CRDT has it.
        #expect(try await bridge.tree(of: "d") == RichText())
        #expect(try await bridge.state(of: "d").count > a.count)
    }

    @Test func commentMarkHasItsHash() {
        #expect(CommentMark(thread: "VQ6EAOKbQdSnFkRmVUQAAA").name == "commentMark--mabJ5Uiu")
    }

    @Test(arguments: updates)
    func scanTakesAllOfThem(hex: String) throws {
        let bytes = [UInt8](hex: hex)
        _ = try UpdateScan(bytes)
        for end in 0..<bytes.count { #expect(throws: (any Error).self) { try UpdateScan(bytes[..<end]) } }
    }
}
