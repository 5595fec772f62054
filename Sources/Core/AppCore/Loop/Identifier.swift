/// An opaque name of one thing of kind `Kind`: a room, a message, a device, a secret.
///
/// As JSON it is a string. Decoding accepts 1 to 128 bytes of letters, digits, `-`, `_`, `.` and `~` only, so an id
/// can be part of a file name, a URL or a ``RecordKey`` without escaping.
package struct Identifier<Kind>: Sendable, Hashable {
    package let text: String

    /// Wraps an id that the program made itself; ids from outside come in through `Decodable`, which checks them.
    package init(_ text: String) { self.text = text }

    /// Whether a text can be an id.
    package static func isValid(_ text: some StringProtocol) -> Bool {
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
package typealias RoomID = Identifier<Room>
/// A message; both sides of a room use the same id.
package typealias MessageID = Identifier<Message>
/// The identity this device has in one room and nowhere else.
package typealias DeviceID = Identifier<DeviceKind>
/// The room's id on the rendezvous server.
package typealias ServerRoomID = Identifier<ServerRoomKind>
/// Stands for a secret that only the host can resolve: join words, a passphrase, a credential.
///
/// The secret itself never enters state, effects, records or traces. A reference is forgotten by
/// ``Effect/Kind/forgetSecrets(secrets:)``.
package typealias SecretRef = Identifier<SecretKind>

package enum DeviceKind {}
package enum ServerRoomKind {}
package enum SecretKind {}

extension Identifier: Comparable { package static func < (left: Self, right: Self) -> Bool { left.text < right.text } }

extension Identifier: ExpressibleByStringLiteral { package init(stringLiteral text: String) { self.init(text) } }

extension Identifier: CustomStringConvertible { package var description: String { text } }

extension Identifier: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard Self.isValid(text) else {
            throw DecodingError.unfit(
                decoder, "an id is 1 to 128 letters, digits, '-', '_', '.' or '~'")
        }
        self.init(text)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Names one effect of one profile, for ever: the numbers go up and are not used again, also after a restart.
package struct EffectID: Sendable, Hashable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package static func < (left: EffectID, right: EffectID) -> Bool { left.number < right.number }
}

extension EffectID: Codable {
    package init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(UInt64.self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
