import Wire

extension Envelope {
    /// Reads an envelope. Unknown fields are skipped; of several values for one field the last counts.
    init(_ bytes: [UInt8], limits: ConnectionLimits) throws(WireError) {
        var reader = FieldWalk(bytes)
        self.init()
        while let field = try reader.next(before: bytes.count) {
            switch field {
            case 1: try readHeaders(&reader, limits)
            case 2: body = try Self.bytesValue(&reader)
            default: try reader.skip()
            }
        }
    }

    private mutating func readHeaders(_ reader: inout FieldWalk, _ limits: ConnectionLimits) throws(WireError) {
        let end = try reader.range().upperBound
        (kind, number, path) = (nil, nil, [])
        path.reserveCapacity(4)
        while let field = try reader.next(before: end) {
            switch field {
            case 1: kind = Kind(rawValue: try reader.text(atMost: limits.name))
            case 2: number = try Self.integerValue(&reader)
            case 3:
                guard path.count < limits.pathDepth else {
                    throw WireError(.limitExceeded, "a path has more than \(limits.pathDepth) names")
                }
                path.append(try reader.text(atMost: limits.name))
            default: try reader.skip()
            }
        }
    }

    /// `common.UInt64Value`.
    private static func integerValue(_ reader: inout FieldWalk) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        let end = try reader.range().upperBound
        while let field = try reader.next(before: end) {
            if field == 1 { value = try reader.integer() } else { try reader.skip() }
        }
        return value
    }

    /// `common.BytesValue`.
    private static func bytesValue(_ reader: inout FieldWalk) throws(WireError) -> ArraySlice<UInt8> {
        var value = 0..<0
        let end = try reader.range().upperBound
        while let field = try reader.next(before: end) {
            if field != 1 { try reader.skip() } else { value = try reader.takeRange() }
        }
        return reader.bytes[value]
    }
}
