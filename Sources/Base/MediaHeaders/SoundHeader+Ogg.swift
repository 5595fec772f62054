import Wire

/// Ogg with Opus or Vorbis: RFC 3533, RFC 7845. The last page says where the sound ends.
extension SoundHeader {
    /// Bytes of the longest page.
    private static let longestPage: Int64 = 65_307

    static func ogg(_ source: inout MediaBytes) throws(WireError) -> SoundHeader {
        let segments = Int64(try source.slice(at: 26, 1).first ?? 0)
        let head = 27 + segments
        let (rate, skipped) = try rateAndSkip(&source, head)
        let serial = try source.littleEndian(UInt32.self, at: 14)
        guard rate > 0, let last = try lastPosition(&source, serial) else {
            throw WireError(.malformed, "the Ogg file does not say how long the sound is")
        }
        return try SoundHeader(seconds: (Double(last) - Double(skipped)) / Double(rate))
    }

    /// Samples of a second, and samples before the first that is heard.
    private static func rateAndSkip(_ source: inout MediaBytes, _ head: Int64) throws(WireError) -> (UInt32, UInt16) {
        if try source.slice(at: head, 8).elementsEqual("OpusHead".utf8) {
            return (48_000, try source.littleEndian(UInt16.self, at: head + 10))
        }
        if try source.slice(at: head, 7).elementsEqual([1] + Array("vorbis".utf8)) {
            return (try source.littleEndian(UInt32.self, at: head + 12), 0)
        }
        throw WireError(.malformed, "the Ogg file has neither Opus nor Vorbis first")
    }

    /// Looks from the end on for the last page of this stream on which something ends.
    private static func lastPosition(_ source: inout MediaBytes, _ serial: UInt32) throws(WireError) -> UInt64? {
        let step = Int64(MediaBytes.window - 27)
        // The last page may be one of another stream.
        let first = max(0, source.count - 4 * longestPage)
        var end = source.count
        while end > first {
            let begin = max(first, end - step)
            let bytes = [UInt8](try source.slice(at: begin, Int(min(source.count, end + 26) - begin)))
            for place in stride(from: bytes.count - 27, through: 0, by: -1) {
                guard let found = position(bytes[place...], of: serial) else { continue }
                return found
            }
            end = begin
        }
        return nil
    }

    /// Where the sound is after a page; nil if it is none of this stream, or nothing ends on it.
    private static func position(_ page: ArraySlice<UInt8>, of serial: UInt32) -> UInt64? {
        let mark: [UInt8] = [0x4f, 0x67, 0x67, 0x53, 0]
        guard page.first == mark[0], page.starts(with: mark) else { return nil }
        var reader = ByteReader(page.dropFirst(6))
        guard let position = try? reader.readInteger(UInt64.self).byteSwapped,
            let its = try? reader.readInteger(UInt32.self).byteSwapped
        else { return nil }
        return its == serial && position != .max ? position : nil
    }
}
