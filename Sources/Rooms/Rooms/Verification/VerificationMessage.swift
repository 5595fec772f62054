internal import Cryptography
internal import Wire

/// A message between the two sides of a ``RoomVerification``, through the server.
///
/// On the wire: a version byte, a kind byte, and fields of fixed length. `docs/protocols/room-verification.md` has the
/// table.
enum VerificationMessage: Hashable, Sendable {
    /// The secrets with which the sender can authenticate.
    case hello(Hello)
    /// The sender's SPAKE2 share.
    case share(run: RunTag, share: [UInt8])
    /// Proof that the sender has the same key and sees the same certificates.
    case confirm(run: RunTag, code: [UInt8])
    /// The sender has finally given up.
    case abort(run: RunTag)

    struct Hello: Hashable, Sendable {
        static let nonceByteCount = 16
        static let resumptionIDByteCount = 8
        /// Distinguishes this attempt of the sender from its earlier ones.
        let nonce: [UInt8]
        let hasWords: Bool
        /// Identifies the secret of an earlier verification; nil if there is none.
        let resumptionID: [UInt8]?
    }

    /// Identifies the two hellos that a message belongs to, so that late messages of earlier attempts are recognized.
    struct RunTag: Hashable, Sendable {
        static let byteCount = 8
        let bytes: [UInt8]
    }

    static let version: UInt8 = 1
    /// No message is longer.
    static let maximumByteCount = 128

    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.maximumByteCount)
        writer.writeByte(Self.version)
        switch self {
        case .hello(let hello):
            writer.writeByte(0)
            writer.writeByte((hello.hasWords ? 1 : 0) | (hello.resumptionID == nil ? 0 : 2))
            writer.writeBytes(hello.nonce)
            writer.writeBytes(hello.resumptionID ?? [])
        case .share(let run, let share):
            writer.writeByte(1)
            writer.writeBytes(run.bytes + share)
        case .confirm(let run, let code):
            writer.writeByte(2)
            writer.writeBytes(run.bytes + code)
        case .abort(let run):
            writer.writeByte(3)
            writer.writeBytes(run.bytes)
        }
        return writer.bytes
    }

    /// Throws for anything that is not exactly one message of this version.
    init(_ bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw WireError(.limitExceeded, "a verification message is longer than \(Self.maximumByteCount) bytes")
        }
        var reader = ByteReader(bytes)
        guard try reader.readByte() == Self.version else {
            throw WireError(.malformed, "the verification message has another version")
        }
        switch try reader.readByte() {
        case 0: self = .hello(try Self.readHello(&reader))
        case 1:
            self = .share(
                run: try Self.readTag(&reader), share: try reader.readBytes(SPAKE2Exchange.shareByteCount))
        case 2:
            self = .confirm(
                run: try Self.readTag(&reader),
                code: try reader.readBytes(SPAKE2Agreement.Confirmation.byteCount))
        case 3: self = .abort(run: try Self.readTag(&reader))
        default: throw WireError(.malformed, "the verification message is of an unknown kind")
        }
        try reader.expectEnd()
    }

    private static func readHello(_ reader: inout ByteReader) throws(WireError) -> Hello {
        let flags = try reader.readByte()
        guard flags < 4 else { throw WireError(.malformed, "the verification hello has unknown flags") }
        return Hello(
            nonce: try reader.readBytes(Hello.nonceByteCount),
            hasWords: flags & 1 != 0,
            resumptionID: flags & 2 == 0 ? nil : try reader.readBytes(Hello.resumptionIDByteCount))
    }

    private static func readTag(_ reader: inout ByteReader) throws(WireError) -> RunTag {
        RunTag(bytes: try reader.readBytes(RunTag.byteCount))
    }
}
