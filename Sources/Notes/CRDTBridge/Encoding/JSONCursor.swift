internal import RichText

/// Reads the JSON that our scripts give, straight into the values that are wanted.
struct JSONCursor {
    private let bytes: [UInt8]
    private var position = 0
    private static let depthLimit = 256

    /// The text is not what a script was to give.
    struct Malformed: Error {}

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next byte; zero at the end. The scripts write no space between tokens.
    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: Unicode.Scalar) throws(Malformed) {
        guard take(byte) else { throw Malformed() }
    }

    /// Reads an array element by element.
    mutating func array(_ element: (inout JSONCursor) throws(Malformed) -> Void) throws(Malformed) {
        try expect("[")
        if take("]") { return }
        repeat { try element(&self) } while take(",")
        try expect("]")
    }

    mutating func object(depth: Int = 0) throws(Malformed) -> [String: RichText.Value] {
        var members: [String: RichText.Value] = [:]
        try expect("{")
        if take("}") { return members }
        repeat {
            let name = try string()
            try expect(":")
            members[name] = try value(depth: depth + 1)
        } while take(",")
        try expect("}")
        return members
    }

    mutating func value(depth: Int = 0) throws(Malformed) -> RichText.Value {
        guard depth < Self.depthLimit else { throw Malformed() }
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["):
            var elements: [RichText.Value] = []
            try array { cursor throws(Malformed) in elements.append(try cursor.value(depth: depth + 1)) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: RichText.Value) throws(Malformed) -> RichText.Value {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw Malformed() }
        position += expected.count
        return value
    }

    mutating func number() throws(Malformed) -> Double {
        let start = position
        let signs: [UInt8] = [0x2b, 0x2d, 0x2e, 0x45, 0x65]
        while (0x30...0x39).contains(next) || signs.contains(next) { position += 1 }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else { throw Malformed() }
        return number
    }

    mutating func string() throws(Malformed) -> String {
        try expect("\"")
        let start = position
        while next != 0x22, next != 0x5c, position < bytes.count { position += 1 }
        // Most texts have no escape at all.
        if take("\"") { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
            if byte == 0x5c { text += try escape().utf8 } else { text.append(byte) }
        }
        throw Malformed()
    }

    private mutating func escape() throws(Malformed) -> String {
        let byte = next
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { throw Malformed() }
            let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            guard let unit = UInt16(digits, radix: 16) else { throw Malformed() }
            position += 4
            // Only half a surrogate pair is written this way, besides control characters.
            return Unicode.Scalar(unit).map { String(Character($0)) } ?? "\u{fffd}"
        default: return String(decoding: [byte], as: UTF8.self)
        }
    }
}
