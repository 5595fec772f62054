import Testing

@testable import Rooms

/// A side that repeats itself, or never ends, causes no more memory use or work than any other.
extension NoteFloodTests {
    /// What the other side may repeat, while it reads nothing.
    static let repeated: [[NoteFrame]] = [
        [.wanted("note-0")],
        [.begin, .offer(SharedNote.named("note-0")), .listed],
        [.stopped("note-0"), .offer(SharedNote.named("note-0"))],
    ]

    @Test(arguments: repeated, [true, false])
    func `one state vector of a note is asked for or waits`(frames: [NoteFrame], isAnswered: Bool) throws {
        var exchange = try live()
        let vector = [UInt8](repeating: 1, count: 1000)
        var asked: [String] = []
        for _ in 0..<100 {
            for frame in frames { exchange.received(frame.bytes) }
            let wanted = wanted()
            asked += wanted
            if isAnswered { for note in wanted { try exchange.send(.stateVector(vector), of: note) } }
        }
        #expect(asked.count == (isAnswered && frames.contains(.stopped("note-0")) ? 100 : 1))
        #expect(exchange.queue.bytes == (isAnswered ? vector.count : 0))
        // It is said, and asked for again after that.
        if !isAnswered { try exchange.send(.stateVector(vector), of: "note-0") }
        let sent = drain(&exchange)
        #expect(sent == [.part(.init(note: "note-0", kind: .stateVector, total: 1000, offset: 0, bytes: vector))])
        exchange.received(NoteFrame.wanted("note-0").bytes)
        #expect(wanted() == ["note-0"])
    }

    /// Its first part may have come before the other side knew the note.
    @Test func `a state vector that is under way is asked for again`() throws {
        var exchange = try live()
        let vector = [UInt8](repeating: 1, count: 100_000)
        for _ in 0..<3 {
            exchange.received(NoteFrame.wanted("note-0").bytes)
            for note in wanted() { try exchange.send(.stateVector(vector), of: note) }
            if exchange.queue.bytes == vector.count, let frame = exchange.next() { exchange.sent(frame) }
        }
        #expect(exchange.queue.bytes == 2 * vector.count)
        let sent = drain(&exchange)
        #expect(sent.count == 3)
    }

    @Test(arguments: repeated)
    func `one answer is worked out at a time, however often everything begins anew`(frames: [NoteFrame]) throws {
        var exchange = try live()
        let vector = NoteFrame.part(.init(note: "note-0", kind: .stateVector, total: 1, offset: 0, bytes: [0]))
        var asked = 0
        for _ in 0..<100 {
            for frame in frames + [vector] { exchange.received(frame.bytes) }
            drain(&exchange)
            while let report = reports.take() { if case .noteStateVector = report { asked += 1 } }
        }
        #expect(asked == 1)
        // What was written meanwhile is in the answer to the last of them.
        try exchange.send(.update([2]), of: "note-0")
        for answer: UInt8 in [3, 4] {
            try exchange.send(.difference([answer]), of: "note-0")
            drain(&exchange)
        }
        try exchange.send(.update([5]), of: "note-0")
        let last = drain(&exchange)
        #expect(last.map(\.bytes.last) == [5])
    }

    @Test func `what comes of notes over one link is bounded, and the link after it begins anew`() throws {
        var exchange = try live(3)
        let notes = (0..<3).map { SharedNote.named("note-\($0)") }
        let list = [.begin] + notes.map(NoteFrame.offer) + [.listed]
        var stopped: [String] = []
        /// All that is taken of one note but a kilobyte came before.
        func take(_ bytes: Int, of note: String) {
            if bytes == 1024 { _ = exchange.intake.takesUpdate(of: note, bytes: NoteLimits.noteIntake - bytes) }
            exchange.received(updates(of: note, bytes: bytes).bytes)
            while let report = reports.take() {
                if case .noteStopped(_, let note) = report { stopped.append(note) }
            }
        }
        take(1024, of: "note-0")
        #expect(stopped.isEmpty)
        take(1, of: "note-0")
        #expect(stopped == ["note-0"])
        let said = drain(&exchange)
        #expect(said == [.stopped("note-0")])
        // All notes together.
        take(1024, of: "note-1")
        #expect(stopped == ["note-0"])
        take(1, of: "note-2")
        #expect(stopped == ["note-0", "note-2"])
        #expect(exchange.counts == NoteCounts(sent: 0, received: 2, dropped: 2))
        // Offering them again does not help.
        for frame in list { exchange.received(frame.bytes) }
        #expect(exchange.theirs.keys.sorted() == ["note-1"])
        exchange.disconnected()
        exchange.greeted(knowsNotes: true)
        for frame in list { exchange.received(frame.bytes) }
        #expect(exchange.theirs.count == 3)
    }

    @Test func `notes are not offered and taken back for ever`() throws {
        var exchange = try live()
        let limit = NoteLimits.offers
        for number in 0...limit {
            for frame in [.offer(SharedNote.named("n\(number)")), .stopped("n\(number)")] as [NoteFrame] {
                exchange.received(frame.bytes)
            }
        }
        #expect(exchange.theirs.keys.sorted() == ["note-0"])
        #expect(reports.count < limit)
    }
}
