import Sealing
import SealingSupport
import Testing

@Suite("Interruptions between two sessions")
struct InterruptionTests {
    /// The first byte behind the version of a control message: its kind.
    private enum Kind {
        static let introduction: UInt8 = 18
        static let announcement: UInt8 = 26
        static let holdings: UInt8 = 34
    }

    private static func kinds(_ outputs: [SealingOutput]) -> [UInt8] { SealedPair.sent(outputs).map { $0[2] } }

    @Test("An interruption that only one side noticed ends with keys for both, and answers are not answered")
    func oneSided() throws {
        let pair = try SealedPair(target: 640)
        try pair.connect()
        pair.left.session.disconnected()
        #expect(try pair.left.session.renew() == [])
        // These are lost.
        #expect(try pair.right.session.renew().count == 2)
        let introduction = try pair.left.session.connected(to: SealedPair.binding(.creator))
        let answers = try pair.right.session.receive(control: introduction[0])
        #expect(Self.kinds(answers) == [Kind.introduction, Kind.announcement])
        let replies = try pair.left.session.receive(control: SealedPair.sent(answers)[0])
        #expect(Self.kinds(replies) == [Kind.announcement])
        try pair.exchange(SealedPair.sent(replies), Array(SealedPair.sent(answers).dropFirst()))
        for session in [pair.left.session, pair.right.session] {
            #expect(session.state.sealingEpoch == 2)
            #expect(session.state.keysToSeal == 640)
        }
    }

    @Test("A part that was lost is asked for once, and comes again with all that follow")
    func lostPart() throws {
        let pair = try SealedPair(target: 1024)
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        _ = try pair.right.session.receive(control: pair.left.session.connected(to: SealedPair.binding(.creator))[0])
        let first = SealedPair.sent(try pair.left.session.receive(control: introduction))
        #expect(try pair.right.session.receive(control: first[0]) == [.keysChanged])
        // More keys on their way do not count as few.
        #expect(pair.right.session.state.level == .enough)
        var parts: [[UInt8]] = []
        while let part = try pair.left.session.nextAnnouncement() { parts.append(part) }
        #expect(parts.count == 4)
        var outputs: [SealingOutput] = []
        for part in parts.dropFirst() { outputs += try pair.right.session.receive(control: part) }
        #expect(Self.kinds(outputs) == [Kind.holdings])
        try pair.exchange([], SealedPair.sent(outputs))
        #expect(pair.right.session.state.keysToSeal == 1024)
        #expect(pair.right.session.state.refusals.isEmpty)
    }

    @Test("Repeated claims of missing keys cause a few announcements at most")
    func denial() throws {
        let pair = try SealedPair(target: 16)
        try pair.connect()
        var parts = 0
        for _ in 0..<50 {
            // Version 1, holdings {epoch 1, none received, 16 left}.
            _ = try pair.left.session.receive(control: [8, 1, 34, 4, 8, 1, 24, 16])
            while try pair.left.session.nextAnnouncement() != nil { parts += 1 }
        }
        #expect(parts == 16)
        #expect(pair.left.session.state.openingEpoch == 1)
    }

    @Test("Of two sessions of one pairing only one writes keys into a slot; the other announces those")
    func twoSessions() throws {
        let pair = try SealedPair(target: 640)
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let greeting = try pair.left.session.connected(to: SealedPair.binding(.creator))[0]
        _ = try pair.right.session.receive(control: greeting)
        let first = SealedPair.sent(try pair.left.session.receive(control: introduction))
        let other = try SealingSession(
            pairing: "pair", store: pair.left.store, target: 640, now: pair.left.clock.read)
        _ = try other.connected(to: SealedPair.binding(.creator))
        _ = try other.receive(control: introduction)
        let second = try #require(try pair.left.session.nextAnnouncement())
        // The signature at the end differs, the keys do not.
        #expect(try #require(try other.nextAnnouncement()).dropLast(64) == second.dropLast(64))
        for part in first + [second] { #expect(try pair.right.session.receive(control: part) == [.keysChanged]) }
        for number in UInt64(0)..<320 {
            let sealed = try pair.right.session.seal([1], sequence: number)
            #expect(try other.open(sealed).content == [1], "key \(number)")
        }
    }

    @Test("A refusal that skips no keys writes nothing")
    func idleRefusal() throws {
        let pair = try SealedPair()
        try pair.connect()
        pair.disconnect()
        let store = CountingStore(pair.left.store)
        let session = try SealingSession(pairing: "pair", store: store, target: 64)
        let sealed = try session.seal([1], sequence: 1)
        let header = try SealingSession.peek(sealed)
        try pair.right.take(sealed)
        let refusal = pair.right.session.refusal(of: header, because: SealingError(.replayed, ""))
        let (left, writes) = (session.state.keysToSeal, store.writes)
        for _ in 0..<5 {
            #expect(try session.receive(control: refusal) == [.refused(sequence: 1, code: .replayed)])
        }
        #expect(store.writes == writes)
        #expect(session.state.keysToSeal == left)
    }
}
