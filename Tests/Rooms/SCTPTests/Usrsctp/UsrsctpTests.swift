import Testing

@testable import SCTP

/// Our association with one of usrsctp, in memory and in a time of their own.
@Suite("usrsctp as a peer", .serialized, .timeLimit(.minutes(2)))
struct UsrsctpTests {
    typealias Beginner = UsrsctpLink.Beginner
    private typealias Link = UsrsctpLink

    private static func message(_ number: Int, _ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    @Test("messages of every size arrive, whoever begins", arguments: Beginner.allCases, [false, true])
    func sizes(_ beginner: Beginner, isInterleaved: Bool) throws {
        let link = try Link(beginner, isInterleaved: isInterleaved)
        link.connect()
        #expect(link.ours.association.isInterleaved == isInterleaved)
        let sizes = [1, 2, 3, 4, 1151, 1152, 1156, 1172, 5000, 65_536, 262_144]
        for (number, size) in sizes.enumerated() {
            try link.ours.send(Self.message(number, size), stream: 3, identifier: 51, now: link.now)
            link.sendTheirs(Self.message(number, size), stream: 5)
        }
        link.run { link.theirs.messages.count == sizes.count && link.ours.messages.count == sizes.count }
        let expected = sizes.enumerated().map { Self.message($0, $1) }
        #expect(link.theirs.messages.map(\.bytes) == expected)
        #expect(link.theirs.messages.allSatisfy { $0.stream == 3 && $0.identifier == 51 })
        #expect(link.ours.messages(on: 5) == expected)
    }

    @Test("what is reliable arrives whole and once when every ninth packet is lost", arguments: Beginner.allCases)
    func losses(_ beginner: Beginner) throws {
        let link = try Link(beginner)
        link.loses = { $0 % 9 == 4 }
        link.connect()
        for number in 0..<60 {
            try link.ours.send(Self.message(number, 1 + number * 701), isOrdered: number % 2 == 0, now: link.now)
            link.sendTheirs(Self.message(number, 1 + number * 501), isOrdered: number % 2 == 0)
        }
        link.run { link.theirs.messages.count == 60 && link.ours.messages.count == 60 }
        for (received, step) in [(link.theirs.messages.map(\.bytes), 701), (link.ours.messages, 501)] {
            #expect(Set(received) == Set((0..<60).map { Self.message($0, 1 + $0 * step) }))
            let ordered = received.filter { $0[0] % 2 == 0 }
            #expect(ordered == (0..<30).map { Self.message(2 * $0, 1 + 2 * $0 * step) })
        }
        #expect(link.ours.association.statistics.chunksRetransmitted > 0)
    }

    @Test("what may get lost does not hold up what comes later", arguments: [false, true])
    func givenUp(isInterleaved: Bool) throws {
        let link = try Link(.both, isInterleaved: isInterleaved)
        link.connect()
        link.loses = { $0 % 5 == 2 }
        for number in 0..<80 {
            try link.ours.send(
                Self.message(number, 3000), isOrdered: number % 2 == 0, reliability: .maxRetransmits(0), now: link.now)
            link.sendTheirs(Self.message(number, 3000), isOrdered: number % 2 == 0, maxRetransmits: 0)
        }
        try link.ours.send(Self.message(200, 10), stream: 1, now: link.now)
        link.sendTheirs(Self.message(200, 10), stream: 1)
        link.run {
            link.theirs.messages.contains { $0.stream == 1 } && !link.ours.messages(on: 1).isEmpty
        }
        link.loses = { _ in false }
        // The stream itself goes on as well.
        try link.ours.send(Self.message(201, 10), now: link.now)
        link.sendTheirs(Self.message(201, 10))
        link.run {
            link.theirs.messages.contains { $0.bytes == Self.message(201, 10) }
                && link.ours.messages.contains(Self.message(201, 10))
        }
        #expect(link.ours.association.statistics.messagesAbandoned > 0)
        for received in [link.theirs.messages.map(\.bytes), link.ours.messages] {
            #expect(received.allSatisfy { $0 == Self.message(Int($0[0]), $0.count) && [10, 3000].contains($0.count) })
            #expect(received.count == Set(received).count, "none arrives twice")
            #expect(received.count < 82, "some were lost")
        }
    }

    @Test("streams are reset from either side and begin anew", arguments: Beginner.allCases)
    func resets(_ beginner: Beginner) throws {
        let link = try Link(beginner)
        link.loses = { $0 % 11 == 7 }
        link.connect()
        for turn in 0..<3 {
            for number in 0..<5 { try link.ours.send(Self.message(number, 2000), stream: 7, now: link.now) }
            link.sendTheirs(Self.message(9, 2000), stream: 8)
            try link.ours.association.reset([7], now: link.now)
            link.run { link.theirs.reset([8]) }
            link.run {
                link.theirs.outgoingResets.count == turn + 1 && link.ours.deliveries.contains(.streamsReset([8]))
                    && link.ours.events.contains(.resetDone([7], performed: true))
            }
            // usrsctp may carry one out twice that had to wait, if it was asked for twice; before we have its answer, and so before
            // the stream is used again.
            #expect(link.theirs.incomingResets.count > turn && Set(link.theirs.incomingResets) == [7])
            link.ours.deliveries.removeAll { $0 == .streamsReset([8]) }
            link.ours.events.removeAll { $0 == .resetDone([7], performed: true) }
        }
        #expect(link.ours.association.outgoing[link.ours.association.outgoing.place(of: 7)].nextOrdered == 0)
        #expect(link.theirs.messages.filter { $0.stream == 7 }.count == 15)
        #expect(link.ours.messages(on: 8).count == 3)
    }

    @Test("65 534 streams are negotiated, and the last one carries messages", arguments: Beginner.allCases)
    func streams(_ beginner: Beginner) throws {
        let link = try Link(beginner, streams: 65_534)
        link.connect()
        #expect(link.ours.association.outgoingStreams == 65_534)
        try link.ours.send([1, 2, 3], stream: 65_533, now: link.now)
        link.sendTheirs([4, 5, 6], stream: 65_533)
        link.run { !link.theirs.messages.isEmpty && !link.ours.messages.isEmpty }
        #expect(link.theirs.messages.map(\.stream) == [65_533])
        #expect(link.ours.messages(on: 65_533) == [[4, 5, 6]])
    }

    @Test("either side ends in order, after what was sent", arguments: [true, false])
    func shutdown(byUs: Bool) throws {
        let link = try Link(.both)
        link.connect()
        try link.ours.send(Self.message(1, 100_000), now: link.now)
        link.sendTheirs(Self.message(2, 100_000))
        if byUs { link.ours.association.shutdown(now: link.now) } else { link.theirs.shutdown() }
        link.run { link.ours.association.state == .closed }
        #expect(link.ours.events.contains(.closed(.shutdown)))
        if byUs { #expect(link.theirs.messages.map(\.bytes) == [Self.message(1, 100_000)]) }
        if !byUs { #expect(link.ours.messages == [Self.message(2, 100_000)]) }
    }
}
