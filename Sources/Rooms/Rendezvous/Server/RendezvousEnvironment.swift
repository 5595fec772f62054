internal import Cryptography
internal import Foundation

/// Clock and randomness, which tests replace.
struct RendezvousEnvironment: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Timestamp
    /// Returns this many random bytes.
    var random: @Sendable (Int) -> [UInt8]

    static let system = RendezvousEnvironment(
        now: { Timestamp(Date().timeIntervalSince1970 * 1000) },
        random: { SecureRandom.bytes($0) }
    )

    /// 48 hexadecimal digits, the form of room ids.
    func roomID() -> String { Self.hex(random(24)) }

    /// A version 4 UUID (RFC 9562 section 5.4).
    func uuid() -> String {
        var bytes = random(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let hex = Self.hex(bytes)
        let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return cuts.map { hex.dropFirst($0.lowerBound).prefix($0.count) }.joined(separator: "-")
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
