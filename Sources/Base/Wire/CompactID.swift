/// A 128-bit random identifier, written as 22 characters of base64url.
///
/// It is compared, sorted and stored as 16 bytes; the text form is canonical, so texts may be compared too.
package struct CompactID: Hashable, Sendable, Comparable, CustomStringConvertible, Codable {
    /// Bytes of an id.
    package static let byteCount = 16
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A fresh identifier. Pass a seeded generator for one that can be repeated.
    package static func random(using generator: inout some RandomNumberGenerator) -> CompactID {
        CompactID(high: generator.next(), low: generator.next())
    }

    /// A fresh identifier from the system's secure generator.
    package static func random() -> CompactID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// Throws unless there are exactly 16 bytes.
    package init(bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count == Self.byteCount else { throw WireError(.malformed, "an identifier has 16 bytes") }
        var reader = ByteReader(Array(bytes))
        high = try reader.readInteger()
        low = try reader.readInteger()
    }

    /// Throws unless `text` is the 22 characters that ``description`` gives.
    package init(_ text: some StringProtocol) throws(WireError) {
        guard text.utf8.count == 22 else { throw WireError(.malformed, "an identifier has 22 characters") }
        try self.init(bytes: try Base64URL.decode(text))
    }

    /// Its 16 bytes.
    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: Self.byteCount)
        writer.writeInteger(high)
        writer.writeInteger(low)
        return writer.bytes
    }

    package var description: String { Base64URL.encode(bytes) }

    package static func < (left: CompactID, right: CompactID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
