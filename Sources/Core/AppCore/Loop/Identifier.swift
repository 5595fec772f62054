/// An opaque name of one thing of kind `Kind`: a room, a message, a device, a secret.
///
/// As JSON it is a string. Decoding accepts 1 to 128 bytes of letters, digits, `-`, `_`, `.` and `~` only, so an id
/// can be part of a file name, a URL or a ``RecordKey`` without escaping.
public struct Identifier<Kind>: Sendable, Hashable {
    public let text: String

    /// Wraps an id that the program made itself; ids from outside come in through `Decodable`, which checks them.
    public init(_ text: String) { self.text = text }

    static func isValid(_ text: some StringProtocol) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "~"):
                    true
                default: false
                }
            }
    }
}

/// A room on this device; other devices and the server know it by other names.
public typealias RoomID = Identifier<Room>
/// A message; both sides of a room use the same id.
public typealias MessageID = Identifier<Message>
/// The identity this device has in one room and nowhere else.
public typealias DeviceID = Identifier<DeviceKind>
/// The room's id on the rendezvous server.
public typealias ServerRoomID = Identifier<ServerRoomKind>
/// Stands for a secret that only the host can resolve: join words, a passphrase, a credential.
///
/// The secret itself never enters state, effects, records or traces. A reference is forgotten by
/// ``Effect/Kind/forgetSecrets(secrets:)``.
public typealias SecretRef = Identifier<SecretKind>

public enum DeviceKind {}
public enum ServerRoomKind {}
public enum SecretKind {}

extension Identifier: Comparable { public static func < (left: Self, right: Self) -> Bool { left.text < right.text } }

extension Identifier: ExpressibleByStringLiteral { public init(stringLiteral text: String) { self.init(text) } }

extension Identifier: CustomStringConvertible { public var description: String { text } }

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard Self.isValid(text) else {
            throw DecodingError.unfit(
                decoder, "an id is 1 to 128 letters, digits, '-', '_', '.' or '~'")
        }
        self.init(text)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Names one effect of one profile, for ever: the numbers go up and are not used again, also after a restart.
public struct EffectID: Sendable, Hashable, Comparable {
    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public static func < (left: EffectID, right: EffectID) -> Bool { left.number < right.number }
}

extension EffectID: Codable {
    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(UInt64.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
