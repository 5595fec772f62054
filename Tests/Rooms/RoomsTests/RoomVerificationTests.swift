import Cryptography
import Rooms
import Testing

@Suite("Room verification")
struct RoomVerificationTests {
    private let words: P256.Scalar
    private let otherWords: P256.Scalar

    init() throws {
        words = try .random()
        otherWords = try .random()
    }

    @Test("The same words and certificates verify both sides, and cost one attempt")
    func verified() {
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.isVerified)
        #expect(pair.attemptsSpent == 1)
    }

    @Test("Any order of messages, copies, and late certificates still verify", arguments: 0..<40)
    func disorder(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var pair = VerificationPair(words: (words, words))
        var steps: [(inout VerificationPair) -> Void] = [
            { $0.with(.creator) { $0.start() } }, { $0.with(.joiner) { $0.start() } },
            { $0.with(.creator) { $0.fingerprints(local: creatorPrint, remote: joinerPrint) } },
            { $0.with(.joiner) { $0.fingerprints(local: joinerPrint, remote: creatorPrint) } },
        ]
        while !steps.isEmpty || !pair.queue.isEmpty {
            if let step = steps.indices.randomElement(using: &generator), Bool.random(using: &generator) {
                steps.remove(at: step)(&pair)
            } else if let index = pair.queue.indices.randomElement(using: &generator) {
                let message = pair.queue[index]
                if Bool.random(using: &generator) { pair.queue.remove(at: index) }
                pair.with(message.to) { $0.receive(message.bytes) }
            }
        }
        #expect(pair.isVerified)
        #expect(pair.attemptsSpent == 1)
    }

    @Test("Wrong words fail finally on both sides")
    func wrongWords() {
        var pair = VerificationPair(words: (words, otherWords))
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.creator.outcome == .failed(.wrongWords))
        #expect(pair.joiner.outcome == .failed(.wrongWords))
        #expect(RoomVerification.Failure.wrongWords.isFinal)
    }

    @Test("An attacker in the middle with other certificates fails")
    func interception() {
        let evil = [UInt8](repeating: 0xee, count: 32)
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.connect(creatorSees: evil, joinerSees: evil)
        pair.deliver()
        #expect(pair.creator.outcome == .failed(.wrongWords))
        #expect(pair.joiner.outcome == .failed(.wrongWords))
    }

    @Test("A side without words leaves the room unverified, and both sides know why")
    func noWords() {
        var pair = VerificationPair(words: (words, nil))
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.creator.outcome == .unverified(.peerHasNoWords))
        #expect(pair.joiner.outcome == .unverified(.noWordsHere))
    }

    @Test("A verified room verifies again without words and without spending an attempt")
    func resumption() throws {
        var first = VerificationPair(words: (words, words))
        first.start()
        first.connect()
        first.deliver()
        guard case .verified(let secret)? = first.joiner.outcome else {
            Issue.record("the first verification failed")
            return
        }
        var second = VerificationPair(words: (nil, nil), resumption: (secret, secret))
        second.start()
        second.connect()
        second.deliver()
        #expect(second.isVerified)
        #expect(second.creator.outcome == .verified(resumption: secret))
        #expect(second.attemptsSpent == 0)
    }

    @Test("If only one side kept the secret, the words still serve; without them the change is noticed")
    func lostResumption() {
        var pair = VerificationPair(words: (words, words), resumption: (.random(count: 32), nil))
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.isVerified)

        var stranger = VerificationPair(words: (words, nil), resumption: (.random(count: 32), nil))
        stranger.start()
        stranger.connect()
        stranger.deliver()
        #expect(stranger.creator.outcome == .failed(.peerChanged))
    }

    @Test("A resumed room with another certificate in between is noticed")
    func resumptionIntercepted() {
        let secret = SecretBytes.random(count: 32)
        var pair = VerificationPair(words: (nil, nil), resumption: (secret, secret))
        pair.start()
        pair.connect(creatorSees: [UInt8](repeating: 1, count: 32))
        pair.deliver()
        #expect(pair.creator.outcome == .failed(.peerChanged))
        #expect(pair.joiner.outcome == .failed(.peerChanged))
    }

    @Test("A joiner who never gets an answer may try only a few times")
    func attemptLimit() {
        var pair = VerificationPair(words: (words, words), attemptsSpent: RoomVerification.attemptLimit)
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.joiner.outcome == .failed(.codeSpent))
        #expect(pair.attemptsSpent == 0)
    }

    @Test("A false creator who begins again after each of the joiner's guesses gets three of them")
    func falseCreator() {
        var pair = VerificationPair(words: (otherWords, words))
        pair.with(.joiner) { $0.start() }
        for _ in 0..<RoomVerification.attemptLimit + 1 {
            let fresh = VerificationPair(words: (otherWords, words))
            pair.creator = fresh.creator
            pair.start()
            pair.connect()
            while let index = pair.queue.firstIndex(where: { $0.bytes[1] < 2 }) {
                let message = pair.queue.remove(at: index)
                pair.with(message.to) { $0.receive(message.bytes) }
            }
            // What the joiner confirms is seen and never answered.
            pair.queue = []
        }
        #expect(pair.attemptsSpent == RoomVerification.attemptLimit)
        #expect(pair.joiner.outcome == .failed(.codeSpent))
    }

    @Test("The creator shows nothing that depends on the words before the joiner has committed to a guess")
    func order() {
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.connect()
        pair.deliver { count in count - 1 }
        let confirmations = pair.sent.filter { $0.bytes[1] == 2 }
        #expect(confirmations.map(\.to) == [.creator, .joiner])
    }

    @Test("A side that starts over in the middle is met again", arguments: VerificationPair.Side.allCases)
    func restart(side: VerificationPair.Side) {
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.deliver()
        let fresh = VerificationPair(words: (words, words))
        if side == .creator { pair.creator = fresh.creator } else { pair.joiner = fresh.joiner }
        pair.with(side) { $0.start() }
        pair.connect()
        pair.deliver()
        #expect(pair.isVerified)
    }

    @Test("Messages of an earlier attempt are not mixed into the next one")
    func stale() {
        var earlier = VerificationPair(words: (words, words))
        earlier.start()
        earlier.connect()
        earlier.deliver()
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.connect()
        for message in earlier.sent where message.bytes[1] != 0 {
            pair.with(message.to) { $0.receive(message.bytes) }
        }
        pair.deliver()
        #expect(pair.isVerified)
    }

    @Test("One's own messages sent back verify nothing")
    func reflection() {
        var pair = VerificationPair(words: (words, words))
        pair.with(.creator) { $0.start() }
        pair.with(.creator) { $0.fingerprints(local: creatorPrint, remote: joinerPrint) }
        for message in pair.queue { pair.with(.creator) { $0.receive(message.bytes) } }
        #expect(pair.creator.outcome == .failed(.protocolViolation))
    }

    @Test("Garbage and other versions are ignored")
    func garbage() throws {
        var pair = VerificationPair(words: (words, words))
        pair.start()
        let flags = [1, 0, 255] + [UInt8](0..<16)
        for bytes in [[], [1], [1, 0], [1, 9, 9], [2, 0, 0], [UInt8](repeating: 1, count: 500), flags] {
            pair.with(.creator) { $0.receive(bytes) }
        }
        #expect(pair.creator.outcome == nil)
    }

    @Test("A peer that begins again for ever is given up")
    func endlessHellos() {
        var pair = VerificationPair(words: (words, words))
        for _ in 0..<40 {
            var other = VerificationPair(words: (words, words))
            other.with(.joiner) { $0.start() }
            for message in other.queue { pair.with(.creator) { $0.receive(message.bytes) } }
        }
        #expect(pair.creator.outcome == .failed(.tooManyStarts))
    }

    @Test("A certificate that changes after it was confirmed is noticed")
    func changedCertificate() {
        var pair = VerificationPair(words: (words, words))
        pair.start()
        pair.connect()
        while let message = pair.queue.first(where: { $0.to == .joiner }) {
            pair.queue.removeAll { $0.bytes == message.bytes }
            pair.with(.joiner) { $0.receive(message.bytes) }
            for reply in pair.queue where reply.to == .creator && reply.bytes[1] < 2 {
                pair.with(.creator) { $0.receive(reply.bytes) }
            }
        }
        #expect(pair.attemptsSpent == 1)
        pair.with(.joiner) { $0.fingerprints(local: joinerPrint, remote: [UInt8](repeating: 9, count: 32)) }
        #expect(pair.joiner.outcome == .failed(.certificateChanged))
    }

    @Test("The words of a code give the same key to both, and other digits another")
    func joinKey() throws {
        let code = try JoinCode(parsing: "482913-maple-otter")
        let key = try #require(try JoinKey(code))
        var pair = VerificationPair(
            creator: RoomVerification(role: .creator, roomID: "r", words: key),
            joiner: RoomVerification(
                role: .joiner, roomID: "r", words: try JoinKey(JoinCode(parsing: "482913 MAPLE OTT"))))
        pair.start()
        pair.connect()
        pair.deliver()
        #expect(pair.isVerified)
        #expect(try JoinKey(JoinCode(parsing: "482913")) == nil)
    }
}
