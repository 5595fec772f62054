import CRDTBridge
import Foundation
import Testing
import Wire

@testable import RichText

/// Documents of notes between ours (Yjs in a script engine) and pycrdt (yrs), each written by one and read by the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NoteDocumentTests {
    private static let documents = 150
    private static let rounds = 3
    private static let steps = 12

    /// What a side knows of a document.
    private struct Document: Equatable {
        var tree: RichText
        var modified: Double?
    }

    /// pycrdt, asked one thing at a time.
    private final class Pycrdt {
        private let peer: ForeignPeer
        private var lines: AsyncStream<ForeignPeer.Line>.Iterator

        init() throws {
            peer = try .pycrdt()
            lines = peer.lines.makeAsyncIterator()
        }

        deinit { peer.end() }

        func ask(_ line: ForeignPeer.Line) async throws -> (updates: [[UInt8]], document: Document) {
            try peer.send(line)
            let answer = await lines.next(isolation: #isolation)
            let json = try JSONValue(#require(answer?.tree).utf8)
            let root = try #require(RichText.Node(json: json)?.element)
            let document = Document(tree: RichText(root.children).normalized, modified: answer?.modified)
            return ((answer?.updates ?? []).map(Array.init), document)
        }
    }

    private let bridge: CRDTBridge
    private let pycrdt: Pycrdt

    init() async throws {
        bridge = try await CRDTBridge()
        pycrdt = try Pycrdt()
    }

    private func ours(_ updates: [[UInt8]], as id: String = "read") async throws -> Document {
        let refused = try await bridge.load(id, updates)
        #expect(refused.isEmpty)
        return try await document(id)
    }

    private func document(_ id: String) async throws -> Document {
        let modified = try await bridge.metadata(of: id).modified
        return Document(tree: try await bridge.tree(of: id).normalized, modified: modified.map(Double.init))
    }

    private func theirs(_ updates: [[UInt8]]) async throws -> Document {
        try await pycrdt.ask(.init(command: "read", updates: updates.map { Data($0) })).document
    }

    /// Edits a document on our side.
    private func write(on updates: [[UInt8]], _ chance: inout Chance) async throws -> [[UInt8]] {
        _ = try await ours(updates, as: "written")
        var written: [[UInt8]] = []
        for step in 0..<Self.steps {
            let edit = try await bridge.tree(of: "written").randomEdit(&chance)
            if let update = try await bridge.edit("written", [edit]) { written.append(update) }
            let time = Int64(1_700_000_000_000 + step)
            if let update = try await bridge.setMetadata(of: "written", [.modified(time)]) { written.append(update) }
        }
        return written
    }

    @Test func `each reads what the other wrote, turn by turn`() async throws {
        var blocks = 0
        for number in 0..<Self.documents {
            var chance = Chance(seed: number)
            var updates = [try await bridge.createNote("new", in: "directory", created: 1_700_000_000_000)]
            for round in 0..<Self.rounds {
                updates += try await write(on: updates, &chance)
                let expected = try await document("written")
                #expect(try await theirs(updates) == expected, "document \(number), round \(round), written by us")
                let state = try await bridge.state(of: "written")
                #expect(try await theirs([state]) == expected, "document \(number), round \(round), our state")

                let request = ForeignPeer.Line(
                    command: "write", updates: updates.map { Data($0) }, seed: number * 10 + round, steps: Self.steps)
                let answer = try await pycrdt.ask(request)
                updates += answer.updates
                #expect(
                    try await ours(updates) == answer.document, "document \(number), round \(round), written by them")
                #expect(try await ours(updates.reversed()) == answer.document, "the same in the other order")
                blocks += answer.document.tree.blocks.count
            }
        }
        // The documents are no empty ones.
        #expect(blocks > Self.documents * Self.rounds * 5)
    }
}
