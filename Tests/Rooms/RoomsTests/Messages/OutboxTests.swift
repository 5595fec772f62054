import Testing

@testable import Rooms

struct OutboxTests {
    static func id(_ number: Int) -> MessageID {
        MessageID(bytes: Array(repeating: 0, count: 12) + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
            .unsafelyUnwrapped
    }

    @Test func `numbers count up and are never used twice, also over a restart`() {
        var outbox = Outbox()
        for number in 1...5 { outbox.append(Self.id(number), []) }
        #expect(outbox.pending.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(outbox.acknowledge(upTo: 5).count == 5)
        var restarted = Outbox(numbers: [], last: outbox.last)
        restarted.append(Self.id(6), [])
        #expect(restarted.pending.map(\.sequence) == [6])
        #expect(restarted.first == 6)
    }

    @Test(arguments: [0, 1, 3, 5, 9, .max] as [UInt64])
    func `an acknowledgement delivers what it covers and nothing else`(upTo: UInt64) {
        var outbox = Outbox()
        for number in 1...5 { outbox.append(Self.id(number), []) }
        let delivered = outbox.acknowledge(upTo: upTo).map(\.sequence)
        #expect(delivered == Array(1...5).filter { $0 <= upTo })
        #expect(outbox.pending.map(\.sequence) == Array(1...5).filter { $0 > upTo })
        #expect(outbox.acknowledge(upTo: upTo).isEmpty)
    }

    @Test func `after a restart an entry has no text until its owner delivers it again`() {
        var outbox = Outbox(numbers: [(2, Self.id(2)), (1, Self.id(1))], last: 2)
        #expect(outbox.pending.map(\.bytes) == [nil, nil])
        outbox.fill(2, with: [9])
        #expect(outbox.pending.map(\.bytes) == [nil, [9]])
        outbox.withdraw(Self.id(1), with: [0])
        #expect(outbox.pending.map(\.bytes) == [[0], [9]])
        #expect(outbox.sequence(of: Self.id(1)) == nil)
        #expect(outbox.sequence(of: Self.id(2)) == 2)
    }

    @Test func `a long queue that is acknowledged one by one stays right`() {
        var outbox = Outbox()
        for number in 1...5000 { outbox.append(Self.id(number), []) }
        for number in 1...5000 as ClosedRange<UInt64> {
            #expect(outbox.acknowledge(upTo: number).map(\.sequence) == [number])
        }
        #expect(outbox.pending.isEmpty)
        #expect(outbox.last == 5000)
    }

    @Test func `the inbox hands on each message once and in order`() {
        var inbox = Inbox()
        #expect(inbox.take(1) == .next)
        #expect(inbox.take(1) == .duplicate)
        #expect(inbox.take(3) == .gap)
        #expect(inbox.take(2) == .next)
        #expect(inbox.take(0) == .duplicate)
        #expect(inbox.stored == 0)
        #expect(inbox.store(upTo: 9) == true)
        #expect(inbox.stored == 2)
        #expect(inbox.store(upTo: 1) == false)
    }

    @Test func `what comes faster than it can be stored is refused until it is`() {
        var inbox = Inbox()
        for sequence in 1...Inbox.window { #expect(inbox.take(sequence) == .next) }
        #expect(inbox.take(Inbox.window + 1) == .gap)
        #expect(inbox.store(upTo: 1) == true)
        #expect(inbox.take(Inbox.window + 1) == .next)
    }

    @Test func `what was sealed goes out again as it was, until it is sealed again`() {
        var outbox = Outbox()
        for number in 1...3 { outbox.append(Self.id(number), [UInt8(number)]) }
        _ = outbox.acknowledge(upTo: 1)
        for sequence in 1...4 as ClosedRange<UInt64> { outbox.note(sequence, sealed: [0, UInt8(sequence)]) }
        #expect(outbox.entries(after: 0, atMost: 9).map(\.sealed) == [[0, 2], [0, 3]])
        #expect(outbox.entries(after: 2, atMost: 1).map(\.sequence) == [3])
        #expect(outbox.entries(after: 3, atMost: 9).isEmpty)
        for attempt in 1...3 { #expect(outbox.unseal(2, atMost: 2) == (attempt < 3)) }
        #expect(outbox.unseal(1, atMost: 2) == false)
        #expect(outbox.entries(after: 0, atMost: 9).map(\.sealed) == [nil, [0, 3]])
        outbox.withdraw(Self.id(3), with: [9])
        #expect(outbox.pending.map(\.bytes) == [[2], [9]])
        #expect(outbox.pending.map(\.sealed) == [nil, nil])
        #expect(outbox.holds(3) && !outbox.holds(1))
    }

    @Test func `what was handed on and not stored comes again on the next connection`() {
        var inbox = Inbox(stored: 4)
        #expect(inbox.take(5) == .next)
        inbox.rewind()
        #expect(inbox.take(5) == .next)
    }

    @Test func `what was handed on over a connection that is gone can still be stored`() {
        var inbox = Inbox()
        for sequence in 1...3 as ClosedRange<UInt64> { #expect(inbox.take(sequence) == .next) }
        inbox.rewind()
        #expect(inbox.store(upTo: 2) == true)
        #expect(inbox.stored == 2 && inbox.verdict(on: 2) == .duplicate)
        #expect(inbox.take(3) == .next)
        #expect(inbox.store(upTo: 9) == true)
        #expect(inbox.stored == 3, "messages that were never passed on cannot be stored")
    }

    @Test func `what waits gets other numbers when the other side has more than was sent`() throws {
        var outbox = Outbox()
        for number in 1...3 {
            let message = Envelope.Numbered(
                id: Self.id(number), sequence: UInt64(number), sentAt: 7, content: .text("\(number)"))
            outbox.append(Self.id(number), Envelope.message(message).bytes)
        }
        _ = outbox.acknowledge(upTo: 1)
        outbox.note(2, sealed: [1])
        outbox.renumber(after: 80)
        #expect(outbox.pending.map(\.sequence) == [81, 82])
        #expect(outbox.pending.allSatisfy { $0.sealed == nil })
        #expect(outbox.last == 82 && outbox.sequence(of: Self.id(3)) == 82 && outbox.sequence(of: Self.id(1)) == nil)
        for (entry, number) in zip(outbox.pending, 2...) {
            let message = Envelope.Numbered(
                id: Self.id(number), sequence: entry.sequence, sentAt: 7, content: .text("\(number)"))
            #expect(try Envelope(bytes: #require(entry.bytes)) == .message(message))
        }
    }

    @Test func `what the other side holds no more is not waited for`() {
        var inbox = Inbox(stored: 4)
        #expect(inbox.skip(to: 5) == false)
        #expect(inbox.skip(to: 9) == true)
        #expect(inbox.take(9) == .next)
    }

    /// Any mixture of loss, repetition and reconnection delivers everything once and in order.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `nothing is lost and nothing comes twice`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (outbox, inbox) = (Outbox(), Inbox())
        var delivered: [UInt64] = []
        var written = 0
        while delivered.count < 50 {
            if written < 50, Bool.random(using: &random) {
                written += 1
                outbox.append(Self.id(written), [])
            }
            // A connection: the hello, then what follows, until it breaks somewhere.
            inbox.rewind()
            for entry in outbox.acknowledge(upTo: inbox.stored) { _ = entry }
            let sent = outbox.pending.map(\.sequence)
            let arrived = sent.prefix(Int.random(in: 0...sent.count, using: &random))
            for sequence in arrived {
                if inbox.take(sequence) == .next, Int.random(in: 0..<4, using: &random) > 0 {
                    delivered.append(sequence)
                    _ = inbox.store(upTo: sequence)
                } else {
                    break
                }
            }
        }
        #expect(delivered == Array(1...50))
    }
}
