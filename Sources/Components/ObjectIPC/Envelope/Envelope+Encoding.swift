extension Envelope {
    /// The envelope's bytes. Number and body are spelt out even when they are zero or empty, as JavaScript writers do.
    static func encode(
        _ kind: Kind, number: UInt64? = nil, path: [String] = [], body: (some Collection<UInt8>)? = [UInt8]?.none
    ) -> [UInt8] {
        let headers = headersSize(kind, number, path)
        var size = 1 + varintSize(headers) + headers
        if let body { size += bodySize(body.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        bytes.append(0x0a)
        append(headers, to: &bytes)
        append(field: 0x0a, kind.rawValue, to: &bytes)
        if let number {
            bytes.append(0x12)
            append(1 + varintSize(number), to: &bytes)
            bytes.append(0x08)
            append(number, to: &bytes)
        }
        for name in path { append(field: 0x1a, name, to: &bytes) }
        if let body {
            bytes.append(0x12)
            append(1 + varintSize(body.count) + body.count, to: &bytes)
            bytes.append(0x0a)
            append(body.count, to: &bytes)
            bytes.append(contentsOf: body)
        }
        return bytes
    }

    private static func headersSize(_ kind: Kind, _ number: UInt64?, _ path: [String]) -> Int {
        var size = textSize(kind.rawValue)
        if let number {
            let value = 1 + varintSize(number)
            size += 1 + varintSize(value) + value
        }
        for name in path { size += textSize(name) }
        return size
    }

    private static func bodySize(_ count: Int) -> Int {
        let value = 1 + varintSize(count) + count
        return 1 + varintSize(value) + value
    }

    private static func textSize(_ text: String) -> Int {
        1 + varintSize(text.utf8.count) + text.utf8.count
    }

    private static func varintSize(_ value: some BinaryInteger) -> Int {
        max(1, (UInt64(value).bitWidth - UInt64(value).leadingZeroBitCount + 6) / 7)
    }

    private static func append(_ value: some BinaryInteger, to bytes: inout [UInt8]) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func append(field key: UInt8, _ text: String, to bytes: inout [UInt8]) {
        bytes.append(key)
        append(text.utf8.count, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }
}
