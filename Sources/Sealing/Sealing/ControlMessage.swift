/// Messages between two sessions about their keys, in protobuf wire format. `docs/protocols/one-time-sealing.md` has
/// the tables. Kinds of later versions are read as `unknown` and ignored.
enum ControlMessage: Hashable, Sendable {
    case introduction(Introduction)
    case announcement(SignedPart)
    case holdings(Holdings)
    case refusal(Refusal)
    /// The sender asks for a new epoch of the receiver's pool.
    case renewalRequest
    case revocation(Revocation)
    case unknown

    /// The most bytes of a control message.
    static let maximumByteCount = 1 << 16
    static let version: UInt64 = 1

    /// An identity, bound to the connection by its signature.
    struct Introduction: Hashable, Sendable {
        var identity: [UInt8]
        var signature: [UInt8]
        var holdings: Holdings
        /// Whether it answers an introduction on an existing connection. Then it gets no answer.
        var isAnswer = false
    }

    /// Which of the receiver's keys the sender of this message has. It shows where announcing continues, and whether
    /// more keys are needed.
    struct Holdings: Hashable, Sendable {
        /// The newest epoch; 0 if none was ever announced.
        var epoch: UInt32 = 0
        /// How many of its keys have arrived, counted from the first.
        var received: UInt32 = 0
        /// How many keys are left for sending, of all epochs.
        var remaining: UInt32 = 0
        /// The number of the sender's copy of its profile: 0, or the number from its restore.
        var copy: UInt64 = 0
    }

    /// A ``PoolPart`` as bytes, and the owner's signature of exactly these bytes.
    struct SignedPart: Hashable, Sendable {
        var part: [UInt8]
        var signature: [UInt8]
    }

    /// The key of a message is missing: seal the message again.
    struct Refusal: Hashable, Sendable {
        var sequence: UInt64
        var code: SealingError.Code
        var epoch: UInt32
        /// All keys of that epoch below this index are used. A sender that lost its state continues from here.
        var firstUnused: UInt32
    }

    /// Trust ends. It is signed and names both identities, so it can also be carried by hand.
    struct Revocation: Hashable, Sendable {
        var revoker: [UInt8]
        var revoked: [UInt8]
        var signature: [UInt8]
    }
}
