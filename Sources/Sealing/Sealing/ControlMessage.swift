/// What two sessions tell each other about their keys, in protobuf wire format. `docs/protocols/one-time-sealing.md` has
/// the tables. Kinds that a later version adds read as `unknown` and are ignored.
enum ControlMessage: Hashable, Sendable {
    case introduction(Introduction)
    case announcement(SignedPart)
    case holdings(Holdings)
    case refusal(Refusal)
    /// The sender asks for a new epoch of the receiver's pool.
    case renewalRequest
    case revocation(Revocation)
    case unknown

    /// No control message is longer.
    static let maximumByteCount = 1 << 16
    static let version: UInt64 = 1

    /// An identity, bound to the connection by its signature.
    struct Introduction: Hashable, Sendable {
        var identity: [UInt8]
        var signature: [UInt8]
        var holdings: Holdings
        /// Whether it answers one that came on a connection that stood already. It is not answered in turn.
        var isAnswer = false
    }

    /// What the sender of this message has of the receiver's keys: where to go on announcing, and whether it is time to.
    struct Holdings: Hashable, Sendable {
        /// The newest epoch; 0 if none was ever announced.
        var epoch: UInt32 = 0
        /// How many of its keys have come, counted from the first.
        var received: UInt32 = 0
        /// How many keys are left for sending, of all epochs.
        var remaining: UInt32 = 0
        /// Which copy of the sender's profile says so: 0, or the number that it took when it was restored.
        var copy: UInt64 = 0
    }

    /// A ``PoolPart`` as bytes, and the owner's signature of exactly these bytes.
    struct SignedPart: Hashable, Sendable {
        var part: [UInt8]
        var signature: [UInt8]
    }

    /// A message came whose key is not there: seal it again.
    struct Refusal: Hashable, Sendable {
        var sequence: UInt64
        var code: SealingError.Code
        var epoch: UInt32
        /// All keys of that epoch below this are used: a sender that lost its memory goes on from here.
        var firstUnused: UInt32
    }

    /// Trust ends. It is signed and names both identities, so it can also be carried by hand.
    struct Revocation: Hashable, Sendable {
        var revoker: [UInt8]
        var revoked: [UInt8]
        var signature: [UInt8]
    }
}
