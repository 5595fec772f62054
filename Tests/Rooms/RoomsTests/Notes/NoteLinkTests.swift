import DataChannels
import Foundation
import Synchronization
import Testing

@testable import Rooms

/// Shared notes between two whole services, over real connections on loopback.
@Suite(.timeLimit(.minutes(5)), .serialized) struct NoteLinkTests {
    /// Answers the reports of one side, as a host does.
    private final class Owner: Sendable {
        private let words = Mutex<Set<String>>([])
        let side: MeetingSide
        private let listener = Mutex<Task<Void, Never>?>(nil)

        init(_ side: MeetingSide) { self.side = side }

        func listen() {
            let task = Task { [self] in
                for await report in side.service.reports { try? await handle(report) }
            }
            listener.withLock { $0 = task }
        }

        var heard: Set<String> { words.withLock { $0 } }

        func write(_ word: String) async throws {
            words.withLock { _ = $0.insert(word) }
            try await side.service.sendNote(.update(Notebook.bytes([word])), of: "note", in: "room")
        }

        /// A word of constant size in a state vector.
        private static func known(_ word: String) -> String { String(word.prefix(64)) }

        private func handle(_ report: RoomReport) async throws {
            switch report {
            case .noteOffered(_, let note): try await side.service.shareNote(note, in: "room")
            case .noteStateVectorWanted(_, let note):
                try await side.service.sendNote(
                    .stateVector(Notebook.bytes(Set(heard.map(Self.known)))), of: note, in: "room")
            case .noteStateVector(_, let note, let bytes):
                let known = Notebook.words(bytes)
                let missing = heard.filter { !known.contains(Self.known($0)) }
                try await side.service.sendNote(.difference(Notebook.bytes(missing)), of: note, in: "room")
            case .noteUpdate(_, _, let bytes): words.withLock { $0.formUnion(Notebook.words(bytes)) }
            default: break
            }
        }

        /// Waits until everything is here.
        func hears(_ expected: Set<String>) async throws -> Bool {
            for _ in 0..<4000 {
                if heard == expected { return true }
                try await Task.sleep(for: .milliseconds(5))
            }
            return false
        }
    }

    @Test func `both sides end with everything, through a broken connection and a large update`() async throws {
        try await MeetingServer.run { _, ada, ben in
            async let first = ada.meet()
            async let second = ben.meet()
            let (adas, bens) = try await (first, second)
            ada.take(adas)
            ben.take(bens)
            let owners = [Owner(ada), Owner(ben)]
            for owner in owners { owner.listen() }
            try await ada.openLink()
            try await ben.openLink()
            try await ada.service.shareNote(#require(SharedNote(id: "note", title: "Shopping")), in: "room")
            try await owners[0].write("first")
            #expect(try await owners[1].hears(["first"]))

            let large = String(repeating: "x", count: 9 << 20)
            try await owners[0].write(large)
            try await Task.sleep(for: .milliseconds(5))
            await ada.service.sever("room")
            try await owners[0].write("unheard")
            try await owners[1].write("meanwhile")
            for owner in owners { #expect(try await owner.hears(["first", "meanwhile", "unheard", large])) }

            await ben.service.stopSharingNote("note", in: "room")
            try await owners[0].write("alone")
            #expect(!owners[1].heard.contains("alone"))
        }
    }
}
