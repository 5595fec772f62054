/// Text as the search index has it: `#work` becomes the word `__hashtag__work` and, at the start or after a space, `/date` becomes
/// `__slash__date`, so that `#work` finds only tags and `work` does not find them. All other underscores become spaces, as they
/// are letters to the index. The same is done with what a person searches.
enum SearchText {
    static func transformed(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: isSpecial) else { return nil as String? }
            return String(decoding: transformed(bytes), as: UTF8.self)
        } ?? text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_")
    }

    /// All that matters here is ASCII, which in UTF-8 is never a part of another character.
    private static func transformed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 64)
        var isInMark = false
        var isInAddress = false
        var last = UInt8(ascii: " ")
        for (index, byte) in bytes.enumerated() {
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if isSpace(byte) { isInAddress = false }
            switch byte {
            case UInt8(ascii: "#") where isWord(next) && !isInAddress:
                result += hashtag
                isInMark = true
            case UInt8(ascii: "/") where isWord(next) && isSpace(last):
                result += slash
                isInMark = true
            case UInt8(ascii: "_") where !isInMark:
                result.append(UInt8(ascii: " "))
            default:
                if !isWord(byte), byte < 0x80 { isInMark = false }
                // The `#` of an address begins no tag.
                if byte == UInt8(ascii: "/"), last == UInt8(ascii: "/"), index >= 2 {
                    isInAddress = isInAddress || bytes[index - 2] == UInt8(ascii: ":")
                }
                result.append(byte)
            }
            last = byte
        }
        return result
    }

    private static let hashtag = Array(" __hashtag__".utf8)
    private static let slash = Array("__slash__".utf8)

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
