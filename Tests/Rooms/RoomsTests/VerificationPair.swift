import Cryptography
import Rooms

/// Two verifications and the relay between them, driven step by step.
struct VerificationPair {
    enum Side: CaseIterable {
        case creator
        case joiner

        var other: Side { self == .creator ? .joiner : .creator }
    }

    var creator: RoomVerification
    var joiner: RoomVerification
    /// What the relay has yet to deliver, and to whom.
    var queue: [(to: Side, bytes: [UInt8])] = []
    /// Everything that was ever sent.
    private(set) var sent: [(to: Side, bytes: [UInt8])] = []
    private(set) var attemptsSpent = 0

    init(creator: RoomVerification, joiner: RoomVerification) {
        self.creator = creator
        self.joiner = joiner
    }

    /// Both sides hold `words` and `resumption` unless told otherwise.
    init(
        words: (P256.Scalar?, P256.Scalar?), resumption: (SecretBytes?, SecretBytes?) = (nil, nil),
        attemptsSpent: Int = 0
    ) {
        self.init(
            creator: RoomVerification(
                role: .creator, roomID: "room", words: words.0.map(JoinKey.init(scalar:)), resumption: resumption.0),
            joiner: RoomVerification(
                role: .joiner, roomID: "room", words: words.1.map(JoinKey.init(scalar:)), resumption: resumption.1,
                attemptsSpent: attemptsSpent))
    }

    mutating func with(_ side: Side, _ step: (inout RoomVerification) -> [RoomVerification.Output]) {
        let outputs = side == .creator ? step(&creator) : step(&joiner)
        for output in outputs {
            switch output {
            case .send(let bytes):
                queue.append((side.other, bytes))
                sent.append((side.other, bytes))
            case .attemptSpent: attemptsSpent += 1
            case .finished: break
            }
        }
    }

    mutating func start() {
        for side in Side.allCases { with(side) { $0.start() } }
    }

    /// Tells both sides the certificates as the two of them see them when nobody is in between.
    mutating func connect(creatorSees: [UInt8] = joinerPrint, joinerSees: [UInt8] = creatorPrint) {
        with(.creator) { $0.fingerprints(local: creatorPrint, remote: creatorSees) }
        with(.joiner) { $0.fingerprints(local: joinerPrint, remote: joinerSees) }
    }

    /// Delivers until nothing is left; `choose` picks the next message.
    mutating func deliver(choosing choose: (Int) -> Int = { _ in 0 }) {
        while !queue.isEmpty {
            let message = queue.remove(at: choose(queue.count))
            with(message.to) { $0.receive(message.bytes) }
        }
    }

    var isVerified: Bool {
        guard case .verified(let first)? = creator.outcome, case .verified(let second)? = joiner.outcome else {
            return false
        }
        return first == second
    }
}

let creatorPrint = [UInt8](repeating: 0xc1, count: 32)
let joinerPrint = [UInt8](repeating: 0x70, count: 32)
