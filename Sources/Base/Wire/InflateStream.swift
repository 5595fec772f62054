/// A DEFLATE stream while it is read, bit by bit from the lowest of each byte.
struct InflateStream {
    private let bytes: [UInt8]
    private let limit: Int
    private var position = 0
    private var buffer: UInt32 = 0
    private var count = 0
    private var output: [UInt8] = []

    init(_ bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    /// The next `need` bits, at most 16.
    mutating func bits(_ need: Int) throws(WireError) -> Int {
        while count < need {
            guard position < bytes.count else { throw WireError(.truncated, "a DEFLATE stream ends too early") }
            buffer |= UInt32(bytes[position]) << UInt32(count)
            position += 1
            count += 8
        }
        defer {
            buffer >>= UInt32(need)
            count -= need
        }
        return Int(buffer & (1 << UInt32(need) - 1))
    }

    /// Everything that came out, if the stream ends here.
    mutating func finish() throws(WireError) -> [UInt8] {
        guard position == bytes.count else {
            throw WireError(.trailingBytes, "bytes follow the end of a DEFLATE stream")
        }
        return output
    }

    /// A block that is not compressed.
    mutating func stored() throws(WireError) {
        // It begins at a whole byte, and at most seven bits are left of the last one.
        (buffer, count) = (0, 0)
        let length = try bits(16)
        guard try bits(16) == length ^ 0xffff else { throw Inflate.malformed("the length of a stored block is wrong") }
        guard length <= bytes.count - position else { throw WireError(.truncated, "a stored block ends too early") }
        try makeRoom(for: length)
        output += bytes[position..<position + length]
        position += length
    }

    /// A block of literals and of copies of what came before.
    mutating func compressed(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(WireError) {
        while true {
            let symbol = try symbol(literals)
            switch symbol {
            case ..<256:
                try makeRoom(for: 1)
                output.append(UInt8(symbol))
            case 256: return
            case ..<286: try copy(symbol - 257, distances)
            default: throw Inflate.malformed("a length has no meaning")
            }
        }
    }

    private mutating func copy(_ symbol: Int, _ distances: HuffmanCode) throws(WireError) {
        let length = Self.lengths[symbol] + (try bits(Self.lengthBits[symbol]))
        let code = try self.symbol(distances)
        guard code < 30 else { throw Inflate.malformed("a distance has no meaning") }
        let distance = Self.distances[code] + (try bits(code < 2 ? 0 : code / 2 - 1))
        guard distance <= output.count else { throw Inflate.malformed("a distance leads before the beginning") }
        try makeRoom(for: length)
        // A copy may overlap itself, so it goes byte by byte.
        for _ in 0..<length { output.append(output[output.count - distance]) }
    }

    /// The codes of a block that brings its own (RFC 1951, section 3.2.7).
    mutating func dynamicCodes() throws(WireError) -> (literals: HuffmanCode, distances: HuffmanCode) {
        let (literals, distances, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        guard literals <= 286, distances <= 30 else { throw Inflate.malformed("a block has too many codes") }
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count) { lengths[place] = try bits(3) }
        let code = try HuffmanCode(lengths, mayBeIncomplete: false)
        var all: [Int] = []
        while all.count < literals + distances {
            let symbol = try symbol(code)
            guard symbol > 15 else {
                all.append(symbol)
                continue
            }
            guard symbol > 16 || !all.isEmpty else { throw Inflate.malformed("there is no code length to repeat") }
            let value = symbol == 16 ? all[all.count - 1] : 0
            let times = symbol == 16 ? try bits(2) + 3 : symbol == 17 ? try bits(3) + 3 : try bits(7) + 11
            all += [Int](repeating: value, count: times)
        }
        guard all.count == literals + distances, all[256] > 0 else {
            throw Inflate.malformed("code lengths do not add up")
        }
        return (
            try HuffmanCode(Array(all[..<literals]), mayBeIncomplete: true),
            try HuffmanCode(Array(all[literals...]), mayBeIncomplete: true)
        )
    }

    private mutating func symbol(_ huffman: HuffmanCode) throws(WireError) -> Int {
        var (code, first, index) = (0, 0, 0)
        for length in 1...HuffmanCode.longest {
            code |= try bits(1)
            let count = huffman.counts[length]
            if code - count < first { return huffman.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw Inflate.malformed("a code has no meaning")
    }

    private func makeRoom(for more: Int) throws(WireError) {
        guard more <= limit - output.count else {
            throw WireError(.limitExceeded, "what is compressed has more than \(limit) bytes")
        }
    }

    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
}

/// A canonical Huffman code (RFC 1951, section 3.2.2).
struct HuffmanCode {
    static let longest = 15

    /// How many codes there are of each length.
    let counts: [Int]
    /// The symbols in the order of their codes.
    let symbols: [Int]

    /// - Parameters:
    ///   - lengths: of the symbols' codes in bits; 0 for those that do not occur.
    ///   - mayBeIncomplete: whether one single code of one bit is allowed, or none at all.
    init(_ lengths: [Int], mayBeIncomplete: Bool) throws(WireError) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[length] += 1 }
        let used = lengths.count - counts[0]
        counts[0] = 0
        var left = 1
        for length in 1...Self.longest {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw Inflate.malformed("there are more codes than fit") }
        }
        let isSingle = used == 0 || used == 1 && counts[1] == 1
        guard left == 0 || mayBeIncomplete && isSingle else { throw Inflate.malformed("a code is incomplete") }
        self.counts = counts
        symbols = (1...Self.longest).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    private init(fixed lengths: [Int]) {
        var counts = [Int](repeating: 0, count: Self.longest + 1)
        for length in lengths { counts[length] += 1 }
        self.counts = counts
        symbols = (1...Self.longest).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    static let fixedLiterals = HuffmanCode(
        fixed: [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8))
    static let fixedDistances = HuffmanCode(fixed: [Int](repeating: 5, count: 30))
}
