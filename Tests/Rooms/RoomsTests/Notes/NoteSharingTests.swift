import Testing

@testable import Rooms

/// Two sides edit the same notes; the test delivers their messages.
struct NoteSharingTests {
    private let pair: ConversationPair

    init() throws { pair = try ConversationPair() }

    private func write(_ word: String, by side: TestSide, in note: String = "note") async throws {
        try await side.notebook.write(word, in: note, on: side.conversation)
    }

    @Test(arguments: [true, false])
    func `what was written before and after meets on both sides`(sharedBefore: Bool) async throws {
        if sharedBefore { try await pair.shareBoth() }
        await pair.connect()
        try await pair.settle()
        if !sharedBefore { try await pair.shareBoth() }
        try await pair.settle()
        for (side, word) in zip(pair.sides, ["tea", "bread"]) { try await write(word, by: side) }
        try await pair.settle()
        #expect(pair.words() == Array(repeating: ["ada", "ben", "tea", "bread"], count: 2))
        for side in pair.sides {
            #expect(side.notebook.offered == ["note": "Shopping"])
            #expect(side.notebook.channel == [.open])
            #expect(await side.conversation.notes.counts == NoteCounts(sent: 2, received: 2, dropped: 0))
        }
    }

    @Test func `a note that only one side shares stays where it is`() async throws {
        await pair.connect()
        try await pair.ada.notebook.share("note", on: pair.ada.conversation)
        try await write("secret", by: pair.ada)
        try await pair.settle()
        #expect(pair.ben.notebook.offered.keys.sorted() == ["note"])
        #expect(pair.words() == [["secret"], []])
        // All frames of the other side about it are dropped.
        let frames: [NoteFrame] = [
            .part(.init(note: "note", kind: .update, total: 2, offset: 0, bytes: Array("x\n".utf8))),
            .wanted("note"), .stopped("other"),
        ]
        for frame in frames { await pair.ada.conversation.received(note: frame.bytes) }
        try await pair.settle()
        #expect(pair.words() == [["secret"], []])
        #expect(await pair.ada.conversation.notes.counts.dropped == frames.count)
    }

    @Test func `whoever stops hears nothing more, and gets the rest after coming back`() async throws {
        await pair.connect()
        try await pair.shareBoth()
        try await pair.settle()
        await pair.ben.conversation.stopSharing("note")
        try await write("meanwhile", by: pair.ada)
        try await pair.settle()
        #expect(pair.ada.notebook.offered.isEmpty)
        #expect(pair.words()[1] == ["ada", "ben"])
        try await write("later", by: pair.ada)
        try await pair.ben.notebook.share("note", titled: "Groceries", on: pair.ben.conversation)
        try await pair.settle()
        #expect(pair.ada.notebook.offered == ["note": "Groceries"])
        #expect(pair.words() == Array(repeating: ["ada", "ben", "meanwhile", "later"], count: 2))
    }

    @Test func `what was stopped while the connection was down is known afterwards`() async throws {
        await pair.connect()
        try await pair.shareBoth()
        try await pair.shareBoth("other")
        try await pair.settle()
        await pair.cut()
        await pair.ben.conversation.stopSharing("note")
        try await pair.settle()
        #expect(pair.ada.notebook.offered.count == 2)
        await pair.connect()
        try await pair.settle()
        #expect(pair.ada.notebook.offered.keys.sorted() == ["other"])
        #expect(pair.ada.notebook.channel == [.open, .closed, .open])
    }

    /// The connection breaks at each frame in turn, while both sides write and one update has several parts.
    @Test func `nothing is lost when the connection breaks, wherever it does`() async throws {
        var (position, isCut) = (0, true)
        while isCut {
            let pair = try ConversationPair()
            var count = 0
            pair.carriesNote = { _ in
                defer { count += 1 }
                return count != position
            }
            try await pair.shareBoth()
            await pair.connect()
            try await pair.settle()
            let long = String(repeating: "long", count: 17_500)
            try await pair.ada.notebook.write(long, in: "note", on: pair.ada.conversation)
            try await pair.settle()
            try await pair.ben.notebook.write("short", in: "note", on: pair.ben.conversation)
            try await pair.settle()
            isCut = count > position
            await pair.connect()
            try await pair.settle()
            #expect(pair.words() == Array(repeating: ["ada", "ben", "short", long], count: 2), "cut at \(position)")
            position += 1
        }
        #expect(position > 12)
    }

    /// Only one side notices; the other goes on over the same channels.
    @Test func `an interruption that one side does not see loses nothing`() async throws {
        await pair.connect()
        try await pair.shareBoth()
        try await pair.settle()
        let ada = pair.ada
        await ada.conversation.disconnected()
        try await write("unheard", by: pair.ben)
        try await write("unsent", by: ada)
        while ada.channels[.notes]?.take() != nil || pair.ben.channels[.notes]?.take() != nil {}
        await ada.conversation.connected(ada.channels, binding: ada.binding)
        try await pair.settle()
        #expect(pair.words() == Array(repeating: ["ada", "ben", "unheard", "unsent"], count: 2))
        try await write("on", by: ada)
        try await pair.settle()
        #expect(pair.words()[1].contains("on"))
    }

    @Test func `an update of many parts arrives whole, and what is said beside it does not wait for ever`() async throws
    {
        await pair.connect()
        try await pair.shareBoth()
        try await pair.shareBoth("other")
        try await pair.settle()
        let long = String(repeating: "0123456789", count: 300_000)
        try await write(long, by: pair.ada)
        try await write("aside", by: pair.ada, in: "other")
        try await pair.settle()
        #expect(pair.words() == Array(repeating: ["ada", "ben", long], count: 2))
        #expect(pair.words("other")[1].contains("aside"))
    }

    @Test func `a side of an older version is told apart, and everything else works`() async throws {
        let side = pair.ada
        side.channels = [.messages: TestChannel(), .files: TestChannel(), .notes: TestChannel()]
        await side.conversation.connected(side.channels, binding: side.binding)
        try await side.notebook.share("note", on: side.conversation)
        await side.conversation.received(Envelope.signal(.hello(received: 0, first: 1)).bytes)
        await side.conversation.received(Envelope.signal(.typing(true)).bytes)
        _ = try await side.handleReports()
        #expect(side.notebook.channel == [.unsupported])
        // A side that shares another note gets it again.
        try await side.notebook.share("other", on: side.conversation)
        _ = try await side.handleReports()
        #expect(side.notebook.channel == [.unsupported, .unsupported])
        #expect(side.channels[.notes]?.take() == nil)
        #expect(side.notebook.vectorsWanted == 0)
    }
}
