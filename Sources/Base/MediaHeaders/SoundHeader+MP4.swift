import Wire

/// M4A and MP4: boxes of ISO/IEC 14496-12.
extension SoundHeader {
    private struct Box {
        var type: String
        var content: Int64
        var end: Int64
    }

    /// Boxes one after the other that are looked at.
    private static let boxLimit = 10_000

    static func mp4(_ source: inout MediaBytes) throws(WireError) -> SoundHeader {
        guard let movie = try find("moov", &source, from: 0, to: source.count) else {
            throw WireError(.malformed, "the M4A file does not say how long the sound is")
        }
        guard let header = try find("mvhd", &source, from: movie.content, to: movie.end) else {
            throw WireError(.malformed, "the M4A file has no header")
        }
        // What comes before: a version, flags, and two times.
        let isLong = try source.slice(at: header.content, 1).first == 1
        let scale = try source.bigEndian(UInt32.self, at: header.content + (isLong ? 20 : 12))
        guard scale > 0 else { throw WireError(.malformed, "the M4A file has no time scale") }
        var length = try number(&source, at: header.content + (isLong ? 24 : 16), isLong: isLong)
        if length == 0 || length == .max { length = try lengthOfFragments(&source, movie) ?? 0 }
        return try SoundHeader(seconds: Double(length) / Double(scale))
    }

    /// What is recorded in pieces has its length in a box of its own, if anywhere.
    private static func lengthOfFragments(_ source: inout MediaBytes, _ movie: Box) throws(WireError) -> UInt64? {
        guard let extends = try find("mvex", &source, from: movie.content, to: movie.end),
            let header = try find("mehd", &source, from: extends.content, to: extends.end)
        else { return nil }
        let isLong = try source.slice(at: header.content, 1).first == 1
        return try number(&source, at: header.content + 4, isLong: isLong)
    }

    /// A duration, of which all bits set say that nobody knows it.
    private static func number(_ source: inout MediaBytes, at offset: Int64, isLong: Bool) throws(WireError) -> UInt64 {
        if isLong { return try source.bigEndian(UInt64.self, at: offset) }
        let number = try source.bigEndian(UInt32.self, at: offset)
        return number == .max ? .max : UInt64(number)
    }

    private static func find(
        _ type: String, _ source: inout MediaBytes, from begin: Int64, to end: Int64
    ) throws(WireError) -> Box? {
        var offset = begin
        for _ in 0..<boxLimit {
            guard offset < end, end - offset >= 8 else { return nil }
            let box = try box(&source, at: offset, limit: end)
            if box.type == type { return box }
            offset = box.end
        }
        throw WireError(.limitExceeded, "the M4A file has more than \(boxLimit) boxes")
    }

    private static func box(_ source: inout MediaBytes, at offset: Int64, limit: Int64) throws(WireError) -> Box {
        var size = UInt64(try source.bigEndian(UInt32.self, at: offset))
        var head: UInt64 = 8
        if size == 1 {
            (size, head) = (try source.bigEndian(UInt64.self, at: offset + 8), 16)
        } else if size == 0 {
            size = UInt64(limit - offset)
        }
        guard size >= head, size <= UInt64(limit - offset) else {
            throw WireError(.malformed, "a box of the M4A file has a wrong size")
        }
        return Box(type: try source.tag(at: offset + 4), content: offset + Int64(head), end: offset + Int64(size))
    }
}
