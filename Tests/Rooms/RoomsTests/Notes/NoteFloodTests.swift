import Testing

@testable import Rooms

/// Whatever the other side sends, and however slow a side is, memory stays bounded and nothing is lost for ever.
struct NoteFloodTests {
    let reports = RoomReports()

    func live(_ notes: Int = 1) throws -> NoteExchange {
        var exchange = NoteExchange(room: "room", report: reports)
        exchange.greeted(knowsNotes: true)
        let shared = (0..<notes).map { SharedNote.named("note-\($0)") }
        for note in shared { try exchange.share(note) }
        for frame in [.begin] + shared.map(NoteFrame.offer) + [.listed] { exchange.received(frame.bytes) }
        for note in shared {
            try exchange.send(.stateVector([0]), of: note.id)
            try ask(about: note.id, &exchange)
        }
        while reports.take() != nil {}
        return exchange
    }

    /// The other side says what it has, and gets an answer.
    private func ask(about note: String, answer: [UInt8] = [], _ exchange: inout NoteExchange) throws {
        exchange.received(NoteFrame.part(.init(note: note, kind: .stateVector, total: 1, offset: 0, bytes: [0])).bytes)
        drain(&exchange)
        try exchange.send(.difference(answer), of: note)
        drain(&exchange)
    }

    @discardableResult
    func drain(_ exchange: inout NoteExchange) -> [NoteFrame] {
        var frames: [NoteFrame] = []
        while let frame = exchange.next() {
            frames.append(frame)
            exchange.sent(frame)
        }
        return frames
    }

    func updates(of note: String, bytes: Int) -> NoteFrame {
        .part(.init(note: note, kind: .update, total: bytes, offset: 0, bytes: Array(repeating: 7, count: bytes)))
    }

    func wanted() -> [String] {
        var wanted: [String] = []
        while let report = reports.take() {
            if case .noteStateVectorWanted(_, let note) = report { wanted.append(note) }
        }
        return wanted
    }

    @Test func `updates that come faster than they are taken are dropped, counted and asked for again`() throws {
        var exchange = try live()
        let frame = updates(of: "note-0", bytes: 60 << 10).bytes
        for _ in 0..<1000 { exchange.received(frame) }
        #expect(reports.noteBytes("room") <= NoteLimits.waiting + 1 << 20)
        #expect(exchange.counts.received + exchange.counts.dropped == 1000)
        #expect(exchange.counts.dropped > 800)
        // Not before everything else was taken.
        let isTooEarly = exchange.recover()
        #expect(isTooEarly)
        _ = wanted()
        #expect(reports.noteBytes("room") == 0)
        let isTooEarlyStill = exchange.recover()
        #expect(!isTooEarlyStill)
        #expect(wanted() == ["note-0"])
    }

    @Test func `places that are told too often are dropped and counted, and honest ones are not`() throws {
        var exchange = try live()
        let frame = NoteFrame.cursor(NoteCursor(note: "note-0", anchor: [1], head: [1])).bytes
        for step in 0..<1000 { exchange.received(frame, at: Int64(step)) }
        #expect((60...120).contains(1000 - exchange.counts.dropped))
        let before = exchange.counts.dropped
        for step in 0..<1000 { exchange.received(frame, at: 100_000 + Int64(step) * 100) }
        #expect(exchange.counts.dropped == before)
        // Other frames have allowances of their own.
        for _ in 0..<100 { exchange.received(frame, at: 300_000) }
        exchange.received(updates(of: "note-0", bytes: 3).bytes, at: 300_000)
        #expect(exchange.counts.received == 1)
    }

    @Test func `a single update may be larger than what may wait`() throws {
        var exchange = try live()
        let size = 10 << 20
        for offset in stride(from: 0, to: size, by: NoteLimits.part) {
            let bytes = [UInt8](repeating: 1, count: min(NoteLimits.part, size - offset))
            exchange.received(
                NoteFrame.part(.init(note: "note-0", kind: .update, total: size, offset: offset, bytes: bytes)).bytes)
        }
        #expect(exchange.counts == NoteCounts(sent: 0, received: 1, dropped: 0))
    }

    @Test func `a state vector is put to the owner when the one before it is answered`() throws {
        var exchange = try live(2)
        for note in ["note-0", "note-0", "note-1", "note-0"] {
            exchange.received(
                NoteFrame.part(.init(note: note, kind: .stateVector, total: 1, offset: 0, bytes: [0])).bytes)
            drain(&exchange)
        }
        #expect(reports.count == 1)
        #expect(exchange.vectors.map(\.note) == ["note-1", "note-0"])
        var asked: [String] = []
        while let report = reports.take() {
            guard case .noteStateVector(_, let note, _) = report else { continue }
            asked.append(note)
            try exchange.send(.difference([]), of: note)
            drain(&exchange)
        }
        #expect(asked == ["note-0", "note-1", "note-0"])
    }

    @Test func `requests that repeat wait once`() throws {
        var exchange = try live()
        for _ in 0..<1000 {
            for frame in [.wanted("note-0"), .begin, .offer(SharedNote.named("note-0")), .listed]
                as [NoteFrame]
            {
                exchange.received(frame.bytes)
            }
        }
        #expect(reports.count == 1)
        #expect(exchange.queue.isEmpty)
    }

    @Test func `a channel that does not drain is not filled, and what did not fit is exchanged later`() throws {
        var exchange = try live(2)
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<100 { try exchange.send(.update(bytes), of: "note-0") }
        try exchange.send(.update([1]), of: "note-1")
        #expect(exchange.queue.bytes <= NoteLimits.waiting)
        #expect(exchange.behind == ["note-0"])
        let frames = drain(&exchange)
        #expect(frames.last == .wanted("note-0"))
        #expect(exchange.behind.isEmpty)
        #expect(exchange.counts.sent == 1)
    }

    /// Otherwise it would build on updates that the other side does not have.
    @Test func `what is written while the other side waits for the rest comes after it`() throws {
        var exchange = try live()
        exchange.received(
            NoteFrame.part(.init(note: "note-0", kind: .stateVector, total: 1, offset: 0, bytes: [0])).bytes)
        drain(&exchange)
        try exchange.send(.update([2]), of: "note-0")
        #expect(exchange.queue.isEmpty)
        try exchange.send(.difference([1]), of: "note-0")
        try exchange.send(.update([3]), of: "note-0")
        let bytes: [[UInt8]] = drain(&exchange).compactMap { frame in
            if case .part(let part) = frame { part.bytes } else { nil }
        }
        #expect(bytes == [[1], [2], [3]])
    }

    @Test(arguments: [true, false])
    func `too much that is written meanwhile is asked for again`(isAnswering: Bool) throws {
        var exchange = try live()
        if isAnswering {
            exchange.received(
                NoteFrame.part(.init(note: "note-0", kind: .stateVector, total: 1, offset: 0, bytes: [0])).bytes)
            drain(&exchange)
        }
        let bytes = [UInt8](repeating: 1, count: 5 << 20)
        for _ in 0..<2 { try exchange.send(.update(bytes), of: "note-0") }
        if isAnswering { try exchange.send(.difference([1]), of: "note-0") }
        #expect(exchange.behind == ["note-0"])
        let frames = drain(&exchange)
        #expect(frames.last == .wanted("note-0"))
        // Nothing is sent before the answer, and everything after it.
        try exchange.send(.update([7]), of: "note-0")
        #expect(exchange.queue.isEmpty)
        try ask(about: "note-0", answer: [8], &exchange)
        try exchange.send(.update([9]), of: "note-0")
        let last = drain(&exchange)
        #expect(last.map(\.bytes.last) == [9])
    }

    @Test func `neither side shares more notes than the limit`() throws {
        var exchange = try live(NoteLimits.notes)
        let one = try #require(SharedNote(id: "one-more", title: ""))
        #expect(throws: RoomsFailure.self) { try exchange.share(one) }
        exchange.received(NoteFrame.offer(one).bytes)
        #expect(exchange.theirs.count == NoteLimits.notes)
        #expect(exchange.counts.dropped == 1)
        // Neither in a list.
        exchange.received(NoteFrame.begin.bytes)
        for number in 0..<1000 { exchange.received(NoteFrame.offer(SharedNote.named("n\(number)")).bytes) }
        exchange.received(NoteFrame.listed.bytes)
        #expect(exchange.theirs.count == NoteLimits.notes)
    }

    @Test(arguments: [(7, 2), (2, 7)])
    func `parts that continue nothing are dropped`(offset: Int, total: Int) throws {
        var exchange = try live(2)
        func part(_ note: String, _ offset: Int, _ count: Int, of total: Int = 9) -> [UInt8] {
            NoteFrame.part(
                .init(
                    note: note, kind: .update, total: total, offset: offset, bytes: [UInt8](repeating: 1, count: count))
            ).bytes
        }
        exchange.received(part("note-0", 0, 3))
        exchange.received(part("note-1", 3, 6))
        exchange.received(part("note-0", 3, 6))
        exchange.received(part("note-0", offset, 3, of: total))
        #expect(exchange.counts == NoteCounts(sent: 0, received: 0, dropped: 3))
        exchange.received(part("note-0", 0, 3))
        exchange.received(part("note-0", 3, 6))
        #expect(exchange.counts.received == 1)
    }

    @Test func `whoever takes only small messages gets small ones`() throws {
        var exchange = try live()
        try exchange.send(.update([UInt8](repeating: 1, count: 200_000)), of: "note-0")
        while case .part(let part)? = exchange.next(), part.bytes.count > 8000 { _ = exchange.shrinkParts() }
        let frames = drain(&exchange)
        #expect(frames.allSatisfy { $0.bytes.count < 8192 })
        #expect(exchange.counts.sent == 1)
        while exchange.shrinkParts() {}
        try exchange.send(.update([UInt8](repeating: 1, count: 3000)), of: "note-0")
        let small = drain(&exchange)
        #expect(small.count > 2)
    }
}
