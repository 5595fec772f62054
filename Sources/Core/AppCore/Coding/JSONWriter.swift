/// Writes a value as ``JSON`` says: snake_case keys in sorted order, no white space, nothing escaped that need not be.
///
/// The bytes are those of Foundation's encoder with the same settings (a test compares them). It exists because Foundation
/// spends most of a dispatch on turning `sentAt` into `sent_at`. `Date`, `Data` and `URL` have no meaning of their own here.
final class JSONWriter: Encoder {
    /// What a value was written as.
    enum Text {
        case null
        case bool(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        /// Digits.
        case number(String)
        case string(String)
        case nested(JSONWriter)
    }

    struct Member {
        let key: String
        let text: Text
    }

    private enum Shape { case empty, single, array, object }

    private var shape = Shape.empty
    private var single = Text.null
    private(set) var members: [Member] = []

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        shape = .object
        return KeyedEncodingContainer(JSONObjectContainer<Key>(writer: self, keepsKeys: Self.keepsKeys(type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        shape = .array
        return JSONArrayContainer(writer: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleContainer(writer: self) }

    func append(_ text: Text, key: String = "") { members.append(Member(key: key, text: text)) }

    func set(_ text: Text) {
        shape = .single
        single = text
    }

    /// What `value` is written as.
    static func text(of value: some Encodable) throws -> Text {
        let writer = JSONWriter()
        try value.encode(to: writer)
        switch writer.shape {
        case .single: return writer.single
        case .array, .object: return .nested(writer)
        case .empty:
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "it encodes to nothing"))
        }
    }

    static func text(of number: some BinaryFloatingPoint & CustomStringConvertible & Encodable) throws -> Text {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        let digits = number.description
        return .number(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
    }

    /// The value as JSON.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try text(of: value).write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        guard shape == .object else {
            bytes.append(UInt8(ascii: "["))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                member.text.write(to: &bytes)
            }
            return bytes.append(UInt8(ascii: "]"))
        }
        // The sort is stable: of two members with one key the later counts.
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (index, member) in sorted.enumerated() {
            if index + 1 < sorted.count, sorted[index + 1].key == member.key { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.Text.string(member.key).write(to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.text.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension JSONWriter.Text {
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .unsigned(let number): bytes += String(number).utf8
        case .number(let digits): bytes += digits.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .nested(let writer): writer.write(to: &bytes)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for (index, byte) in utf8.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes += utf8[start..<index]
                write(escaped: byte, to: &bytes)
                start = index + 1
            }
            bytes += utf8[start...]
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func write(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes += (byte < 0x10 ? "u000" : "u00").utf8
            bytes += String(byte, radix: 16).utf8
        default: bytes.append(byte)
        }
    }
}
