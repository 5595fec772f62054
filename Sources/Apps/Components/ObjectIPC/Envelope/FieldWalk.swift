import Wire

/// Walks the fields of an envelope in place. `ProtobufReader` does the same for any message; this one hands out positions
/// instead of slices, which is what makes a call cheap.
struct FieldWalk {
    let bytes: [UInt8]
    /// Where reading goes on.
    private(set) var position = 0
    /// Where the message ends that is being read.
    private var end = 0
    private var wireType: UInt64 = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of the next field of a message that ends at `end`, or nil when there is none.
    mutating func next(before end: Int) throws(WireError) -> UInt64? {
        self.end = end
        if position == end { return nil }
        let key = try varint()
        wireType = key & 7
        guard 1..<1 << 29 ~= key >> 3 else { throw WireError(.malformed, "a field number is out of range") }
        return key >> 3
    }

    /// Where the bytes of a field are that has a length; reading goes on at their beginning.
    mutating func range() throws(WireError) -> Range<Int> {
        guard wireType == 2 else { throw WireError(.wrongType, "a field of an envelope has the wrong type") }
        let count = try varint()
        guard count <= UInt64(end - position) else { throw WireError(.truncated, "a field is longer than its message") }
        return position..<position + Int(count)
    }

    /// The same; reading goes on behind them.
    mutating func takeRange() throws(WireError) -> Range<Int> {
        let range = try range()
        position = range.upperBound
        return range
    }

    mutating func integer() throws(WireError) -> UInt64 {
        guard wireType == 0 else { throw WireError(.wrongType, "a field of an envelope has the wrong type") }
        return try varint()
    }

    mutating func text(atMost limit: Int) throws(WireError) -> String {
        let range = try takeRange()
        guard range.count <= limit else { throw WireError(.limitExceeded, "a name is longer than \(limit) bytes") }
        // Names are ASCII as a rule, which needs no validation.
        if bytes[range].allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes[range], as: UTF8.self) }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw WireError(.malformed, "a name is not UTF-8")
        }
        return text
    }

    mutating func skip() throws(WireError) {
        switch wireType {
        case 0: _ = try varint()
        case 1: try skip(8)
        case 2: _ = try takeRange()
        case 5: try skip(4)
        default: throw WireError(.malformed, "wire type \(wireType) is not supported")
        }
    }

    private mutating func skip(_ count: Int) throws(WireError) {
        guard count <= end - position else { throw WireError(.truncated, "a field is longer than its message") }
        position += count
    }

    private mutating func varint() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { throw WireError(.malformed, "a varint is longer than 64 bits") }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw WireError(.truncated, "a message ends in a varint")
    }
}
