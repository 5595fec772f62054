import Wire

/// The first message of both sides whenever the relay connects them: the sender's instance of the link, and the
/// instance of the other side that it knows. They negotiate only when each knows the other's current instance. So a
/// socket that reconnects does not disturb a healthy peer connection, and a restarted process gets a new one.
package struct Greeting: Sendable, Equatable {
    package static let version: UInt8 = 1

    package var own: LinkInstance
    package var known: LinkInstance?

    package init(own: LinkInstance, known: LinkInstance?) {
        self.own = own
        self.known = known
    }
}

/// One life of a peer connection: made anew with each one.
package struct LinkInstance: Sendable, Hashable {
    /// Fresh for each run of a link.
    package let run: UInt64
    /// Counts the peer connections of that run, from 1.
    package var generation: UInt64

    package init(run: UInt64, generation: UInt64 = 1) {
        self.run = run
        self.generation = generation
    }

    package func next() -> Self { Self(run: run, generation: generation &+ 1) }
}

/// The content of the relay's opaque `verify` messages: one kind byte, then the body.
package enum RelayFrame: Sendable, Equatable {
    case greeting(Greeting)
    /// A message of the room's verification, opaque here.
    case verification([UInt8])

    private static let greetingKind: UInt8 = 0
    private static let verificationKind: UInt8 = 1

    package var text: String {
        var bytes: [UInt8]
        switch self {
        case .greeting(let greeting):
            bytes = [Self.greetingKind, Greeting.version]
            for instance in [greeting.own, greeting.known ?? LinkInstance(run: 0, generation: 0)] {
                Self.append(instance.run, to: &bytes)
                Self.append(instance.generation, to: &bytes)
            }
        case .verification(let message):
            bytes = [Self.verificationKind] + message
        }
        return Base64URL.encode(bytes)
    }

    /// Nil for unknown frames, because the other end of the relay is not trusted.
    package init?(text: String) {
        guard let bytes = try? Base64URL.decode(text), let kind = bytes.first else { return nil }
        switch kind {
        case Self.greetingKind:
            guard bytes.count == 34, bytes[1] == Greeting.version else { return nil }
            let numbers = (0..<4).map { index in Self.number(in: bytes, at: 2 + index * 8) }
            let known = LinkInstance(run: numbers[2], generation: numbers[3])
            self = .greeting(
                Greeting(
                    own: LinkInstance(run: numbers[0], generation: numbers[1]),
                    known: known.generation == 0 ? nil : known
                )
            )
        case Self.verificationKind:
            self = .verification(Array(bytes.dropFirst()))
        default:
            return nil
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func number(in bytes: [UInt8], at start: Int) -> UInt64 {
        bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
