internal import Cryptography
internal import Wire

/// The unencrypted head of a sealed message. ``SealingSession/peek(_:)`` reads it before it is authenticated; once
/// ``SealingSession/open(_:)`` has returned, all of it is authentic.
///
/// A sealed message is a NanoTDF of one exact shape, so there is only one encoding, and all others are refused.
public struct SealedHeader: Hashable, Sendable {
    /// The epoch of the reader's pool.
    public let epoch: UInt32
    /// The index of the one-time key in it; nil for the last-resort key.
    public let index: UInt32?
    /// The sender's number of the message.
    public let sequence: UInt64
    /// The sender: the beginning of the digest of its identity, 6 bytes.
    public let senderHint: [UInt8]
    /// The receiver: the beginning of the digest of its identity, 6 bytes.
    public let receiverHint: [UInt8]
    /// The sender's key for this message alone: 0x04, x, y.
    let ephemeral: [UInt8]

    /// Whether it was sealed to the last-resort key.
    public var isLastResort: Bool { index == nil }
    /// Identifies the message: the beginning of the key that its sender made for it alone.
    public var message: UInt64 { ephemeral[1..<9].reduce(0) { $0 << 8 | UInt64($1) } }

    static let byteCount = 119
    /// How many bytes longer a sealed message is than its content.
    public static let overhead = byteCount + lengthByteCount + ivByteCount + SealedPayload.codeByteCount + tagByteCount
    /// The most bytes of content, which the three bytes of NanoTDF's payload length allow.
    public static let contentLimit = (1 << 24) - 1 - ivByteCount - tagByteCount - SealedPayload.codeByteCount
    /// Magic and version of NanoTDF. These three bytes distinguish a sealed message from other messages.
    public static let magic: [UInt8] = [0x4C, 0x31, 0x4C]

    static let lengthByteCount = 3
    static let ivByteCount = 3
    static let tagByteCount = AESGCM.tagByteCount
    /// The key is used once, so the nonce may be constant.
    static let iv: [UInt8] = [0, 0, 1]
    private static let policyByteCount = 54
    private static let bindingByteCount = 8
    private static let policyVersion: UInt8 = 1

    /// Everything before the policy: a locator with an identifier of 8 bytes in the shared resource directory, no
    /// signature, AES-256-GCM with whole tags, P-256.
    private static let locator: [UInt8] = [0x2F, 6] + Array("alcove".utf8)
    private static let modes: [UInt8] = [0x00, 0x05]
    private static let policyKind: [UInt8] = [1, 0, UInt8(policyByteCount)]

    /// The bytes on the wire.
    var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.writeBytes(Self.magic)
        writer.writeBytes(Self.locator)
        writer.writeInteger(epoch)
        writer.writeInteger(index ?? .max)
        writer.writeBytes(Self.modes)
        writer.writeBytes(Self.policyKind)
        let policy = policy
        writer.writeBytes(policy)
        writer.writeBytes(Self.binding(of: policy))
        writer.writeByte(2 | ephemeral[64] & 1)
        writer.writeBytes(ephemeral[1..<33])
        return writer.bytes
    }

    /// Version, flags, sequence, both hints, and the y coordinate of the sender's key: NanoTDF compresses that point.
    /// With y the reader does not need a square root, which costs a quarter of a Diffie-Hellman agreement.
    private var policy: [UInt8] {
        var writer = ByteWriter(reserving: Self.policyByteCount)
        writer.writeByte(Self.policyVersion)
        writer.writeByte(isLastResort ? 1 : 0)
        writer.writeInteger(sequence)
        writer.writeBytes(senderHint)
        writer.writeBytes(receiverHint)
        writer.writeBytes(ephemeral[33...])
        return writer.bytes
    }

    /// NanoTDF's unkeyed policy binding. Other readers expect it. The message's own authentication code protects the
    /// header.
    private static func binding(of policy: [UInt8]) -> ArraySlice<UInt8> {
        HashFunction.sha256.digest(policy).suffix(bindingByteCount)
    }

    init(
        epoch: UInt32, index: UInt32?, sequence: UInt64, senderHint: [UInt8], receiverHint: [UInt8],
        ephemeral: [UInt8]
    ) {
        self.epoch = epoch
        self.index = index
        self.sequence = sequence
        self.senderHint = senderHint
        self.receiverHint = receiverHint
        self.ephemeral = ephemeral
    }

    /// Reads the head of a message and leaves the reader at its payload. It does not check the policy binding, because
    /// the message's authentication code covers it, too.
    init(_ reader: inout ByteReader) throws(WireError) {
        try Self.expect(Self.magic + Self.locator, &reader)
        epoch = try reader.readInteger()
        let index = try reader.readInteger(UInt32.self)
        self.index = index == .max ? nil : index
        try Self.expect(Self.modes + Self.policyKind + [Self.policyVersion, index == .max ? 1 : 0], &reader)
        sequence = try reader.readInteger()
        senderHint = try reader.readBytes(IdentityKey.hintByteCount)
        receiverHint = try reader.readBytes(IdentityKey.hintByteCount)
        let y = try reader.readSlice(32)
        try reader.skip(Self.bindingByteCount)
        let compressed = try reader.readSlice(33)
        guard compressed.first == 2 | (y.last ?? 0) & 1 else { throw Self.otherShape }
        ephemeral = [4] + compressed.dropFirst() + y
    }

    private static func expect(_ bytes: [UInt8], _ reader: inout ByteReader) throws(WireError) {
        guard try reader.readSlice(bytes.count).elementsEqual(bytes) else { throw otherShape }
    }

    private static var otherShape: WireError { WireError(.malformed, "this is not a sealed message of this version") }
}
