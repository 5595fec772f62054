/// Takes a chunked body out of its chunks (RFC 9112 section 7.1). Trailer fields are skipped.
struct HTTPChunkReader {
    private enum Phase {
        case size
        case data(left: Int)
        case dataEnd
        case trailer
    }

    /// What was read and not taken yet.
    private var body: [UInt8] = []
    /// Bytes of the whole body so far.
    private var total = 0
    private var phase = Phase.size
    private var trailerBytes = 0

    /// What was read since the last call.
    mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    /// Reads on. Returns whether the body is complete, and how many bytes were used up.
    /// - Parameter limit: bytes of the whole body.
    mutating func read(_ bytes: [UInt8], limit: Int) throws(HTTPReadError) -> (isComplete: Bool, used: Int) {
        var position = 0
        while true {
            switch phase {
            case .size:
                guard let line = try Self.line(bytes, from: position) else { return (false, position) }
                position = line.end
                let size = try Self.size(bytes[line.content])
                guard size <= limit - total else { throw .bodyTooLarge }
                total += size
                phase = size == 0 ? .trailer : .data(left: size)
            case .data(let left):
                let count = min(left, bytes.count - position)
                body.append(contentsOf: bytes[position..<position + count])
                position += count
                guard count == left else {
                    phase = .data(left: left - count)
                    return (false, position)
                }
                phase = .dataEnd
            case .dataEnd:
                guard let line = try Self.line(bytes, from: position) else { return (false, position) }
                guard line.content.isEmpty else { throw .malformed }
                position = line.end
                phase = .size
            case .trailer:
                guard let line = try Self.line(bytes, from: position) else { return (false, position) }
                position = line.end
                if line.content.isEmpty { return (true, position) }
                trailerBytes += line.content.count
                guard trailerBytes <= 4096 else { throw .headTooLarge }
            }
        }
    }

    /// The line that begins here, without its end; nil if it is not complete.
    private static func line(_ bytes: [UInt8], from start: Int) throws(HTTPReadError) -> (
        content: Range<Int>, end: Int
    )? {
        guard let feed = bytes[start...].prefix(1024).firstIndex(of: 10) else {
            guard bytes.count - start < 1024 else { throw .malformed }
            return nil
        }
        guard feed > start, bytes[feed - 1] == 13 else { throw .malformed }
        return (start..<feed - 1, feed + 1)
    }

    private static func size(_ line: ArraySlice<UInt8>) throws(HTTPReadError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...8).contains(digits.count) else { throw .malformed }
        var size = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { throw .malformed }
            size = size << 4 | value
        }
        return size
    }
}
