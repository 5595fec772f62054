internal import Cryptography
internal import RichText
internal import Wire

/// The mark that shows which text a comment is about.
///
/// Several may be on the same text, so the name of each ends with a hash of what it says: SHA-256 of the mark in lib0's
/// encoding, folded to six bytes, in base64.
struct CommentMark {
    let thread: String

    var name: String {
        var folded = [UInt8](repeating: 0, count: 6)
        for (index, byte) in HashFunction.sha256.digest(encoded).enumerated() { folded[index % 6] ^= byte }
        return "commentMark--" + Base64.encode(folded)
    }

    var value: RichText.Value { ["threadId": .string(thread)] }

    /// `{type: "commentMark", attrs: {threadId}}` as lib0 writes any value: 118 is an object, 119 a text.
    private var encoded: [UInt8] {
        [118, 2] + Self.text("type") + [119] + Self.text("commentMark")
            + Self.text("attrs") + [118, 1] + Self.text("threadId") + [119] + Self.text(thread)
    }

    private static func text(_ text: String) -> [UInt8] {
        var length: [UInt8] = []
        var rest = text.utf8.count
        while rest >= 0x80 {
            length.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return length + [UInt8(rest)] + text.utf8
    }
}
