internal import Wire

/// Whether bytes have the shape of a Yjs update (V1): blocks, then deletions, then nothing. Used where only that tells
/// two readings of a file apart; what an update means is for Yjs.
enum UpdateShape {
    private static let depthLimit = 64

    static func fits(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        do throws(WireError) {
            try blocks(&reader)
            try deletions(&reader)
            return reader.isAtEnd
        } catch {
            return false
        }
    }

    private static func blocks(_ reader: inout ByteReader) throws(WireError) {
        for _ in 0..<(try reader.readVarint()) {
            let count = try reader.readVarint()
            try numbers(2, &reader)
            for _ in 0..<count { try block(&reader) }
        }
    }

    private static func deletions(_ reader: inout ByteReader) throws(WireError) {
        for _ in 0..<(try reader.readVarint()) {
            _ = try reader.readVarint()
            for _ in 0..<(try reader.readVarint()) { try numbers(2, &reader) }
        }
    }

    private static func block(_ reader: inout ByteReader) throws(WireError) {
        let info = try reader.readByte()
        let kind = info & 0x1f
        // Removed items and gaps are only a length.
        if kind == 0 || kind == 10 { return try numbers(1, &reader) }
        let origins = (info & 0x80 != 0 ? 1 : 0) + (info & 0x40 != 0 ? 1 : 0)
        try numbers(2 * origins, &reader)
        if origins == 0 {
            if try reader.readVarint() == 1 { try string(&reader) } else { try numbers(2, &reader) }
            if info & 0x20 != 0 { try string(&reader) }
        }
        try content(kind, &reader)
    }

    private static func content(_ kind: UInt8, _ reader: inout ByteReader) throws(WireError) {
        switch kind {
        case 1: try numbers(1, &reader)
        case 2: for _ in 0..<(try reader.readVarint()) { try string(&reader) }
        case 3, 4, 5: try string(&reader)
        case 6:
            try string(&reader)
            try string(&reader)
        case 7:
            let type = try reader.readVarint()
            guard type <= 6 else { throw WireError(.malformed, "no such type") }
            if type == 3 || type == 5 { try string(&reader) }
        case 8: for _ in 0..<(try reader.readVarint()) { try any(&reader, depth: 0) }
        case 9:
            try string(&reader)
            try any(&reader, depth: 0)
        default: throw WireError(.malformed, "no such content")
        }
    }

    private static func any(_ reader: inout ByteReader, depth: Int) throws(WireError) {
        guard depth < depthLimit else { throw WireError(.limitExceeded, "a value is nested too deep") }
        switch try reader.readByte() {
        case 127, 126, 121, 120: return
        // A signed integer has the frame of an unsigned one.
        case 125: try numbers(1, &reader)
        case 124: try reader.skip(4)
        case 123, 122: try reader.skip(8)
        case 119, 116: try string(&reader)
        case 118:
            for _ in 0..<(try reader.readVarint()) {
                try string(&reader)
                try any(&reader, depth: depth + 1)
            }
        case 117: for _ in 0..<(try reader.readVarint()) { try any(&reader, depth: depth + 1) }
        default: throw WireError(.malformed, "no such value")
        }
    }

    private static func numbers(_ count: Int, _ reader: inout ByteReader) throws(WireError) {
        for _ in 0..<count { _ = try reader.readVarint() }
    }

    /// Also any other bytes with their length in front.
    private static func string(_ reader: inout ByteReader) throws(WireError) {
        guard let count = Int(exactly: try reader.readVarint()) else {
            throw WireError(.malformed, "a length is absurd")
        }
        try reader.skip(count)
    }
}
