extension JSONValue {
    /// The value as compact JSON.
    public var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the value as JSON, without blanks.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let spelling): bytes += spelling.utf8
        case .string(let string): Self.write(string, to: &bytes)
        case .array(let elements):
            Self.write("[", "]", elements, to: &bytes) { $0.write(to: &$1) }
        case .object(let object):
            Self.write("{", "}", object.members, to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func write<Element>(
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ elements: [Element],
        to bytes: inout [UInt8],
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element, &bytes)
        }
        bytes.append(UInt8(ascii: close))
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case 0x22, 0x5c: bytes += [0x5c, byte]
            case 0x0a: bytes += "\\n".utf8
            case 0x0d: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case ..<0x20:
                bytes += "\\u00".utf8
                bytes += [byte >> 4, byte & 0x0f].map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
