internal import Wire

/// A look through the bytes of a Yjs update (V1) from end to end, before a script reads them.
///
/// lib0 believes every length that an update claims. Here each is checked against what is there, and texts have to be
/// UTF-8, so that a damaged or hostile update never gets as far as a document.
struct UpdateScan {
    /// Whose operations are in the update.
    private(set) var clients: Set<UInt64> = []
    private var reader: ByteReader

    /// Values within each other.
    private static let depthLimit = 128

    init(_ update: some Collection<UInt8>) throws(WireError) {
        reader = ByteReader(Array(update))
        try structs()
        try deleteSet()
    }

    private mutating func structs() throws(WireError) {
        for _ in 0..<(try number()) {
            let count = try number()
            clients.insert(try number())
            _ = try number()
            for _ in 0..<count { try item() }
        }
    }

    private mutating func item() throws(WireError) {
        let info = try reader.readByte()
        // Garbage that was collected, and a gap.
        if info & 0x1f == 0 || info & 0x1f == 10 {
            _ = try number()
            return
        }
        if info & 0x80 != 0 { try id() }
        if info & 0x40 != 0 { try id() }
        if info & 0xc0 == 0 {
            if try number() == 1 { try text() } else { try id() }
            if info & 0x20 != 0 { try text() }
        }
        try content(info & 0x1f)
    }

    private mutating func content(_ kind: UInt8) throws(WireError) {
        switch kind {
        case 1: _ = try number()
        case 2: for _ in 0..<(try number()) { try text() }
        case 3: try bytes()
        case 4, 5: try text()
        case 6:
            try text()
            try text()
        case 7: try type()
        case 8: for _ in 0..<(try number()) { try value(depth: 0) }
        case 9:
            try text()
            try value(depth: 0)
        default: throw WireError(.malformed, "an update has an operation of an unknown kind")
        }
    }

    private mutating func type() throws(WireError) {
        switch try number() {
        // Elements and hooks have a name.
        case 3, 5: try text()
        case 0...6: break
        default: throw WireError(.malformed, "an update has a type of an unknown kind")
        }
    }

    private mutating func value(depth: Int) throws(WireError) {
        guard depth < Self.depthLimit else { throw WireError(.malformed, "an update has a value that nests too deep") }
        switch try reader.readByte() {
        case 127, 126, 121, 120: break
        case 125: try signedNumber()
        case 124: _ = try reader.readSlice(4)
        case 123, 122: _ = try reader.readSlice(8)
        case 119: try text()
        case 118:
            for _ in 0..<(try number()) {
                try text()
                try value(depth: depth + 1)
            }
        case 117: for _ in 0..<(try number()) { try value(depth: depth + 1) }
        case 116: try bytes()
        default: throw WireError(.malformed, "an update has a value of an unknown kind")
        }
    }

    private mutating func deleteSet() throws(WireError) {
        for _ in 0..<(try number()) {
            _ = try number()
            for _ in 0..<(try number()) { try id() }
        }
    }

    /// A number as JavaScript tells it exactly.
    private mutating func number() throws(WireError) -> UInt64 {
        let number = try reader.readVarint()
        guard number < 1 << 53 else { throw WireError(.malformed, "an update has a number of more than 53 bits") }
        return number
    }

    private mutating func signedNumber() throws(WireError) {
        for _ in 0..<8 where try reader.readByte() < 0x80 { return }
        throw WireError(.malformed, "an update has a number of more than 53 bits")
    }

    /// Two numbers: a client and a clock, or a range.
    private mutating func id() throws(WireError) {
        _ = try number()
        _ = try number()
    }

    private mutating func bytes() throws(WireError) { _ = try slice() }

    private mutating func slice() throws(WireError) -> ArraySlice<UInt8> {
        let count = try number()
        guard count <= reader.remaining else { throw WireError(.malformed, "an update ends in the middle") }
        return try reader.readSlice(Int(count))
    }

    private mutating func text() throws(WireError) {
        guard Self.isText(try slice()) else { throw WireError(.malformed, "an update has a text that is not UTF-8") }
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }
}
