/// SCTP payload protocol identifiers of WebRTC (RFC 8831 section 8).
enum PayloadIdentifier {
    /// DCEP.
    static let control: UInt32 = 50
    static let text: UInt32 = 51
    /// Old: a piece of a binary message.
    static let partialBinary: UInt32 = 52
    static let binary: UInt32 = 53
    /// Old: a piece of a text message.
    static let partialText: UInt32 = 54
    /// SCTP cannot carry empty messages: one zero byte stands for them.
    static let emptyText: UInt32 = 56
    static let emptyBinary: UInt32 = 57
}

/// One message of a channel.
public enum DataChannelMessage: Sendable, Hashable {
    /// Text; UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// Size on the wire in bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// The payload for SCTP.
    var payload: (identifier: UInt32, bytes: [UInt8]) {
        switch self {
        case .text(""): (PayloadIdentifier.emptyText, [0])
        case .text(let text): (PayloadIdentifier.text, Array(text.utf8))
        case .binary([]): (PayloadIdentifier.emptyBinary, [0])
        case .binary(let bytes): (PayloadIdentifier.binary, bytes)
        }
    }

    /// `nil` for identifiers that mean nothing to data channels. Ill-formed UTF-8 is repaired.
    init?(identifier: UInt32, bytes: [UInt8]) {
        switch identifier {
        case PayloadIdentifier.text, PayloadIdentifier.partialText: self = .text(String(decoding: bytes, as: UTF8.self))
        case PayloadIdentifier.binary, PayloadIdentifier.partialBinary: self = .binary(bytes)
        case PayloadIdentifier.emptyText: self = .text("")
        case PayloadIdentifier.emptyBinary: self = .binary([])
        default: return nil
        }
    }
}
