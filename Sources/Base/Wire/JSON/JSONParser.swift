/// Reads JSON (RFC 8259). Total: any bytes give a value or an error, in linear time and bounded depth.
struct JSONParser {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var position = 0

    init(_ text: some Collection<UInt8>, depthLimit: Int) {
        bytes = Array(text)
        self.depthLimit = depthLimit
    }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw malformed }
        return value
    }

    /// Checks a whole document without building values.
    mutating func check() throws(JSONError) {
        var closers: [Unicode.Scalar] = []
        while true {
            guard closers.count < depthLimit else { throw .tooDeep }
            skipSpace()
            if take("{") {
                skipSpace()
                if !take("}") {
                    closers.append("}")
                    try memberName()
                    continue
                }
            } else if take("[") {
                skipSpace()
                if !take("]") {
                    closers.append("]")
                    continue
                }
            } else {
                // Arrays and objects were handled above.
                _ = try value(depth: closers.count)
            }
            guard try end(of: &closers) else { continue }
            guard position == bytes.count else { throw malformed }
            return
        }
    }

    /// After a value: closes the arrays and objects that end here. True if the document is complete.
    private mutating func end(of closers: inout [Unicode.Scalar]) throws(JSONError) -> Bool {
        skipSpace()
        while let closer = closers.last {
            if take(",") {
                skipSpace()
                if closer == "}" { try memberName() }
                return false
            }
            guard take(closer) else { throw malformed }
            closers.removeLast()
            skipSpace()
        }
        return true
    }

    private mutating func memberName() throws(JSONError) {
        guard next == UInt8(ascii: "\"") else { throw malformed }
        _ = try string()
        skipSpace()
        guard take(":") else { throw malformed }
    }

    /// Reading stopped here.
    private var malformed: JSONError { .malformed(line: 1 + bytes[..<position].count { $0 == 0x0a }) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < depthLimit else { throw .tooDeep }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let end = position + word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[position..<end].elementsEqual(expected) else { throw malformed }
        position = end
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        position += 1
        var object = JSONObject()
        skipSpace()
        if take("}") { return object }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw malformed }
            let name = try string()
            skipSpace()
            guard take(":") else { throw malformed }
            object.append(name, try value(depth: depth + 1))
            skipSpace()
            if take("}") { return object }
            guard take(",") else { throw malformed }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return elements }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw malformed }
        }
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw malformed }
    }

    private mutating func number() throws(JSONError) -> String {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            while let byte = next, byte != 0x22, byte != 0x5c, byte >= 0x20 { position += 1 }
            text += bytes[start..<position]
            if take("\"") { break }
            guard take("\\") else { throw malformed }
            try escape(into: &text)
        }
        guard let string = String(validating: text, as: UTF8.self) else { throw malformed }
        return string
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += String(try escapedScalar()).utf8
        default: throw malformed
        }
    }

    /// What follows `\u`: one UTF-16 unit, or a surrogate pair in two escapes. Half a pair becomes U+FFFD.
    private mutating func escapedScalar() throws(JSONError) -> Character {
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
        let start = position
        if UTF16.isLeadSurrogate(unit), take("\\"), take("u") {
            let trail = try hexUnit()
            if UTF16.isTrailSurrogate(trail) {
                let scalar = 0x10000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(trail) - 0xdc00)
                return Unicode.Scalar(scalar).map(Character.init) ?? "\u{fffd}"
            }
        }
        position = start
        return "\u{fffd}"
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw malformed }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw malformed }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
