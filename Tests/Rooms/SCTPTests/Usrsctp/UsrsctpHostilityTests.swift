import Testing

@testable import SCTP

/// What networks and programs do to our association with one of usrsctp.
@Suite("usrsctp in trouble", .serialized, .timeLimit(.minutes(2)))
struct UsrsctpHostilityTests {
    private func message(_ number: Int, _ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    @Test("a peer that begins anew in the middle of a transfer is followed", arguments: [false, true])
    func restart(isInterleaved: Bool) throws {
        let link = try UsrsctpLink(.we, isInterleaved: isInterleaved)
        link.connect()
        for number in 0..<200 { try link.ours.send(message(number, 20_000), stream: 3, now: link.now) }
        link.run { link.theirs.messages.count > 10 }
        link.theirs = try UsrsctpPeer(isInterleaved: isInterleaved)
        try link.theirs.connect()
        link.run { link.theirs.isUp && link.ours.events.contains(.restarted) }
        try link.ours.send(message(201, 5000), stream: 3, now: link.now)
        link.sendTheirs(message(202, 5000), stream: 4)
        link.run { !link.theirs.messages.isEmpty && !link.ours.messages(on: 4).isEmpty }
        #expect(link.theirs.messages.map(\.bytes) == [message(201, 5000)])
        #expect(link.ours.messages(on: 4) == [message(202, 5000)])
    }

    @Test("a peer that reads nothing for three minutes gets all of it afterwards")
    func closedWindow() throws {
        let link = try UsrsctpLink(.both)
        link.connect()
        link.theirs.reads = false
        for number in 0..<600 { try link.ours.send(message(number, 16_000), now: link.now) }
        let start = link.now
        link.run { link.now - start > .seconds(180) }
        #expect(link.ours.association.state == .established)
        #expect(link.ours.association.unsentBytes > 4_000_000)
        link.theirs.reads = true
        link.theirs.read()
        link.run { link.theirs.messages.count == 600 }
        let isInOrder = link.theirs.messages.map(\.bytes) == (0..<600).map { message($0, 16_000) }
        #expect(isInOrder)
    }

    @Test("packets that come three times, and changed ones, change nothing")
    func duplicates() throws {
        let link = try UsrsctpLink(.both)
        (link.copies, link.changes) = (3, true)
        link.connect()
        for number in 0..<100 {
            try link.ours.send(message(number, 1 + number * 97), isOrdered: number % 2 == 0, now: link.now)
            link.sendTheirs(message(number, 1 + number * 89), isOrdered: number % 2 == 0)
        }
        link.run { link.theirs.messages.count >= 100 && link.ours.messages.count >= 100 }
        #expect(link.theirs.messages.count == 100 && link.ours.messages.count == 100)
        #expect(Set(link.theirs.messages.map(\.bytes)) == Set((0..<100).map { message($0, 1 + $0 * 97) }))
        #expect(Set(link.ours.messages) == Set((0..<100).map { message($0, 1 + $0 * 89) }))
    }

    @Test("TSNs and stream numbers wrap around")
    func wrapping() throws {
        let link = try UsrsctpLink(.we, firstTSN: .max - 30_000)
        link.loses = { $0 % 97 == 50 }
        link.connect()
        let count = 66_000
        var sent = 0
        link.run {
            for _ in 0..<400 where sent < count {
                try? link.ours.send(message(sent, 1), now: link.now)
                sent += 1
            }
            return link.theirs.messages.count == count
        }
        let isInOrder = link.theirs.messages.map { $0.bytes[0] } == (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(isInOrder)
    }

    @Test("two hundred streams are reset while messages and losses go on")
    func resetsUnderLoad() throws {
        let link = try UsrsctpLink(.both)
        link.loses = { $0 % 9 == 4 }
        link.connect()
        let streams = (1...200).map { UInt16($0) }
        for turn in 0..<2 {
            for stream in streams {
                try link.ours.send(message(turn, 1500), stream: stream, now: link.now)
                try link.ours.send(message(turn, 10), stream: stream, now: link.now)
            }
            try link.ours.send(message(turn, 60_000), stream: 0, now: link.now)
            try link.ours.association.reset(streams, now: link.now)
            var done: Set<UInt16> = []
            link.run {
                for case .resetDone(let some, performed: true) in link.ours.events { done.formUnion(some) }
                return done == Set(streams)
            }
            link.ours.events = []
        }
        link.run { link.theirs.messages.count == 802 }
        #expect(Set(link.theirs.incomingResets) == Set(streams))
        for stream in streams {
            let sizes = link.theirs.messages.filter { $0.stream == stream }.map(\.bytes.count)
            #expect(sizes == [1500, 10, 1500, 10])
        }
    }
}
