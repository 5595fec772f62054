import Testing

@testable import Rooms

/// Pictures of shared notes; the test delivers the messages of both sides.
struct NotePictureTests {
    private let pair: ConversationPair
    private let picture = SharedPicture.named(NoteFrameSample.picture, in: "note")

    init() throws { pair = try ConversationPair() }

    private func share() async throws {
        try await pair.shareBoth()
        await pair.connect()
        try await pair.settle()
    }

    @Test(arguments: [1, NoteLimits.part, NoteLimits.part * 3 + 7])
    func `a picture comes whole, and what is written meanwhile with it`(size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        pair.ben.notebook.pictures[picture.id] = bytes
        try await share()
        await pair.ada.conversation.want(picture)
        try await pair.ben.notebook.write("word", in: "note", on: pair.ben.conversation)
        try await pair.settle()
        #expect(pair.ada.notebook.came == [bytes])
        #expect(pair.words()[0].contains("word"))
        // One after the other.
        await pair.ada.conversation.want(picture)
        try await pair.settle()
        #expect(pair.ada.notebook.came == [bytes, bytes])
        #expect(await pair.ben.conversation.notes.counts.dropped == 0)
    }

    @Test(arguments: [0, NoteLimits.picture + 1])
    func `one that is not there, or too large, comes as nothing`(size: Int) async throws {
        if size > 0 { pair.ben.notebook.pictures[picture.id] = [UInt8](repeating: 1, count: size) }
        try await share()
        await pair.ada.conversation.want(picture)
        try await pair.settle()
        #expect(pair.ada.notebook.came == [[]])
    }

    @Test func `nothing is asked of a note that is not live, and nothing given`() async throws {
        pair.ben.notebook.pictures[picture.id] = [1]
        await pair.connect()
        try await pair.ada.notebook.share("note", on: pair.ada.conversation)
        try await pair.settle()
        await pair.ada.conversation.want(picture)
        await pair.ben.conversation.received(note: NoteFrame.pictureWanted(picture).bytes)
        try await pair.settle()
        #expect(pair.ada.notebook.came.isEmpty)
        #expect(await pair.ben.conversation.notes.counts.dropped == 1)
    }

    @Test func `what nobody asked for is dropped, and so is what comes instead of it`() async throws {
        try await share()
        func part(_ id: String) -> [UInt8] {
            NoteFrame.part(.init(note: "note", kind: .picture, total: 1, offset: 0, bytes: [1], picture: id)).bytes
        }
        await pair.ada.conversation.received(note: part(picture.id))
        pair.ben.notebook.answers = false
        await pair.ada.conversation.want(picture)
        await pair.ada.conversation.received(note: part(String(repeating: "0", count: 32)))
        try await pair.settle()
        #expect(pair.ada.notebook.came.isEmpty)
        #expect(await pair.ada.conversation.notes.counts.dropped == 2)
        await pair.ada.conversation.received(note: part(picture.id))
        try await pair.settle()
        #expect(pair.ada.notebook.came == [[1]])
    }

    @Test func `whoever asks for many gets one at a time`() async throws {
        try await share()
        pair.ben.notebook.answers = false
        for _ in 0..<3 { await pair.ben.conversation.received(note: NoteFrame.pictureWanted(picture).bytes) }
        try await pair.settle()
        #expect(await pair.ben.conversation.notes.counts.dropped == 2)
    }

    @Test func `a note that is stopped takes its picture with it, and another one can come`() async throws {
        pair.ben.notebook.pictures[picture.id] = [1]
        try await share()
        pair.ben.notebook.answers = false
        await pair.ada.conversation.want(picture)
        try await pair.settle()
        await pair.ben.conversation.stopSharing("note")
        try await pair.settle()
        pair.ben.notebook.answers = true
        try await pair.ben.notebook.share("note", on: pair.ben.conversation)
        try await pair.settle()
        await pair.ada.conversation.want(picture)
        try await pair.settle()
        #expect(pair.ada.notebook.came == [[1]])
    }

    @Test func `a side that lists its notes anew can ask for a picture anew`() throws {
        var exchange = NoteExchange(room: "room", report: RoomReports())
        try exchange.share(SharedNote.named("note"))
        for _ in 0..<2 {
            exchange.greeted(knowsNotes: true)
            for frame in [.begin, .offer(SharedNote.named("note")), .listed, .pictureWanted(picture)] as [NoteFrame] {
                exchange.received(frame.bytes)
            }
        }
        #expect(exchange.counts.dropped == 0)
    }

    @Test(arguments: [
        "", "0123", "0123456789ABCDEF0123456789ABCDEF", "../../../../../../../etc/passwd0",
        "01234567-89ab-cdef-0123-456789abcdef",
    ])
    func `only the hash of bytes names a picture`(id: String) {
        #expect(SharedPicture(id, of: "note") == nil)
    }
}
