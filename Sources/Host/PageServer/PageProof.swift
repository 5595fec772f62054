import Cryptography
import Foundation

/// How a page that is open knows its host again: when a host process has ended, another user can take its port.
///
/// A page gets the key on its first connection. On every later one it sends a challenge before anything else, and goes on only if the
/// answer is the HMAC-SHA256 (RFC 2104) of ``context`` and the challenge under that key.
struct PageProof: Sendable {
    /// The key outlives the process, like the address.
    let key: String

    /// No other use of the key could mean the same.
    static let context = "alcove page:"

    /// - Parameter key: 64 hexadecimal digits.
    init(key: String) { self.key = key }

    private struct Challenge: Decodable {
        enum Kind: String, Decodable { case prove }
        var type: Kind
        var challenge: String
    }

    private struct Frame: Encodable {
        var type: String
        var key: String?
        var proof: String?
    }

    /// What a page hears first.
    var introduction: String { Self.text(Frame(type: "key", key: key)) }

    /// The answer to a challenge; `nil` for every other frame.
    func answer(to text: String) -> String? {
        guard text.utf8.count < 256, let wanted = try? JSONDecoder().decode(Challenge.self, from: Data(text.utf8))
        else {
            return nil
        }
        let code = HMAC.code((Self.context + wanted.challenge).utf8, key: SecretBytes(copying: bytes))
        return Self.text(Frame(type: "proof", proof: code.map { Self.hexadecimal($0) }.joined()))
    }

    private var bytes: [UInt8] {
        let digits = Array(key)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func text(_ frame: Frame) -> String {
        (try? JSONEncoder().encode(frame)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
