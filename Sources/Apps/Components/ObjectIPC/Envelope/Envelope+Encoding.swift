extension Envelope {
    /// The envelope's bytes. Number and body are spelt out even when they are zero or empty, as JavaScript writers do.
    static func encode(
        _ kind: Kind, number: UInt64? = nil, path: [String] = [], body: (any CallBody)? = nil
    ) -> [UInt8] {
        var bytes = head(kind, number: number, path: path, bodySize: body?.encodedSize)
        body?.append(to: &bytes)
        return bytes
    }

    /// What stands before the body, with room for it.
    static func head(_ kind: Kind, number: UInt64?, path: [String] = [], bodySize: Int?) -> [UInt8] {
        let headers = headersSize(kind, number, path)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(delimitedSize(headers) + (bodySize.map { delimitedSize(delimitedSize($0)) } ?? 0))
        begin(0x0a, headers, in: &bytes)
        append(0x0a, kind.rawValue, to: &bytes)
        if let number {
            begin(0x12, 1 + varintSize(number), in: &bytes)
            bytes.append(0x08)
            append(number, to: &bytes)
        }
        for name in path { append(0x1a, name, to: &bytes) }
        if let bodySize {
            begin(0x12, delimitedSize(bodySize), in: &bytes)
            begin(0x0a, bodySize, in: &bytes)
        }
        return bytes
    }

    private static func headersSize(_ kind: Kind, _ number: UInt64?, _ path: [String]) -> Int {
        var size = delimitedSize(kind.rawValue.utf8.count)
        if let number { size += delimitedSize(1 + varintSize(number)) }
        for name in path { size += delimitedSize(name.utf8.count) }
        return size
    }

    /// The size of a field that has a length.
    static func delimitedSize(_ count: Int) -> Int { 1 + varintSize(UInt64(count)) + count }

    private static func varintSize(_ value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }

    /// Writes the key and the length of a field.
    static func begin(_ key: UInt8, _ count: Int, in bytes: inout [UInt8]) {
        bytes.append(key)
        append(UInt64(count), to: &bytes)
    }

    private static func append(_ key: UInt8, _ text: String, to bytes: inout [UInt8]) {
        begin(key, text.utf8.count, in: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
