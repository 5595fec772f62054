/// Puts a chunked body together (RFC 9112 section 7.1). Trailer fields are skipped.
struct HTTPChunkReader {
    private enum Phase {
        case size
        case data(left: Int)
        case dataEnd
        case trailer
    }

    private(set) var body: [UInt8] = []
    private var phase = Phase.size
    private var trailerBytes = 0

    /// Reads on. Returns whether the body is complete, and how many bytes were used up.
    mutating func read(_ bytes: [UInt8], limit: Int) throws(HTTPReadError) -> (isComplete: Bool, used: Int) {
        var position = 0
        while true {
            switch phase {
            case .size:
                guard let line = try Self.line(bytes, from: position) else { return (false, position) }
                position = line.end
                let size = try Self.size(bytes[line.content])
                guard body.count + size <= limit else { throw .bodyTooLarge }
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
