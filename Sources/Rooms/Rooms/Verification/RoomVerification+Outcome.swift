package import Cryptography

extension RoomVerification {
    /// Who made the room and who joined it. The join code decides that, not who connects first.
    package enum Role: Hashable, Sendable {
        case creator
        case joiner
    }

    /// What the caller of the state machine has to do, in this order.
    package enum Output: Equatable, Sendable {
        /// Relay these bytes to the other side.
        case send([UInt8])
        /// Add one to the durable count of attempts of this join code, before anything that follows is sent.
        case attemptSpent
        /// It is over; nothing more will come.
        case finished(Outcome)
    }

    package enum Outcome: Equatable, Sendable {
        /// Both sides know the words, or the secret of an earlier verification, and there is no attacker in the middle.
        /// Keep `resumption` in the vault and pass it to the next verification of the same room, which then needs no
        /// words.
        case verified(resumption: SecretBytes)
        /// Nothing was checked. Content may flow if the person agrees, and a ``SafetyNumber`` can be compared.
        case unverified(UnverifiedReason)
        /// Content must not flow.
        case failed(Failure)
    }

    package enum UnverifiedReason: Hashable, Sendable {
        /// This side joined by the digits alone.
        case noWordsHere
        /// The other side joined by the digits alone.
        case peerHasNoWords
    }

    package enum Failure: String, Hashable, Sendable {
        /// The words differ, or there is an attacker in the middle.
        case wrongWords
        /// The words were tried too often without an answer.
        case codeSpent
        /// The other side was verified before and now cannot prove that it is the same.
        case peerChanged
        /// A certificate changed while it was being confirmed.
        case certificateChanged
        /// The other side started over too often on one connection.
        case tooManyStarts
        /// The other side sent a message that honest sides never send.
        case protocolViolation

        /// Whether the join code must not be tried again.
        package var isFinal: Bool {
            switch self {
            case .wrongWords, .codeSpent, .peerChanged, .protocolViolation: true
            case .certificateChanged, .tooManyStarts: false
            }
        }

        /// One sentence for a person.
        package var message: String {
            switch self {
            case .wrongWords: "the words do not match; this code is spent, make a new one"
            case .codeSpent: "this code was tried too often; make a new one"
            case .peerChanged: "the other side is not the one that was verified before; make a new room"
            case .certificateChanged: "the connection changed while it was being verified; it is tried again"
            case .tooManyStarts: "the other side began too often; it is tried again on the next connection"
            case .protocolViolation: "the other side broke the verification; this code is spent, make a new one"
            }
        }
    }
}
