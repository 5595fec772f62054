import Wire

/// WebM: elements of EBML (RFC 8794), of Matroska (RFC 9559). Browsers record without knowing the length, so it is that of the last block.
extension SoundHeader {
    private enum Element {
        static let segment: UInt64 = 0x1853_8067
        static let info: UInt64 = 0x1549_a966
        static let scale: UInt64 = 0x2a_d7b1
        static let duration: UInt64 = 0x4489
        static let cluster: UInt64 = 0x1f43_b675
        static let time: UInt64 = 0xe7
        static let group: UInt64 = 0xa0
        static let block: UInt64 = 0xa1
        static let simpleBlock: UInt64 = 0xa3
    }

    static func webM(_ source: inout MediaBytes) throws(WireError) -> SoundHeader {
        var walk = Walk()
        var offset: Int64 = 0
        while offset < source.count {
            if let duration = walk.duration(at: offset) { return try SoundHeader(seconds: duration) }
            // What was not written to the end is heard as far as it goes.
            guard let next = try walk.step(&source, at: offset) else { break }
            offset = next
        }
        return try SoundHeader(seconds: Double(walk.last) * Double(walk.scale) / 1e9)
    }

    /// What was read so far of the elements, which are entered where they may hold what is looked for, and passed over elsewhere.
    private struct Walk {
        /// Nanoseconds of one tick.
        var scale: UInt64 = 1_000_000
        /// Ticks of the last block.
        var last: UInt64 = 0
        private var cluster: UInt64 = 0
        /// Ticks of the whole, if the file says so.
        private var ticks = 0.0
        private var infoEnd = Int64.max

        /// Seconds that the file says, known after all of the element that says it: the length of a tick may stand after their number.
        func duration(at offset: Int64) -> Double? {
            offset >= infoEnd && ticks > 0 ? ticks * Double(scale) / 1e9 : nil
        }

        /// - Returns: where the next element begins; nil if this one is not there as a whole.
        mutating func step(_ source: inout MediaBytes, at offset: Int64) throws(WireError) -> Int64? {
            guard let (id, idLength) = try Self.integer(&source, at: offset, keepsMark: true, atMost: 4),
                let (size, sizeLength) = try Self.integer(&source, at: offset + idLength, keepsMark: false, atMost: 8)
            else { return nil }
            let content = offset + idLength + sizeLength
            let isUnknown = size == (1 << (7 * UInt64(sizeLength))) - 1
            switch id {
            case Element.segment, Element.cluster, Element.group: return content
            case Element.info:
                guard !isUnknown, size <= UInt64(source.count - content) else { return content }
                infoEnd = content + Int64(size)
                return content
            default: break
            }
            guard !isUnknown else { throw WireError(.malformed, "an element of the WebM file has no length") }
            guard size <= UInt64(source.count - content) else { return nil }
            try take(id, &source, at: content, Int64(size))
            return content + Int64(size)
        }

        private mutating func take(
            _ id: UInt64, _ source: inout MediaBytes, at content: Int64, _ size: Int64
        ) throws(WireError) {
            switch id {
            case Element.scale: scale = max(1, try Self.unsigned(&source, at: content, size))
            case Element.time: cluster = try Self.unsigned(&source, at: content, size)
            case Element.duration: ticks = try Self.float(&source, at: content, size) ?? 0
            case Element.block, Element.simpleBlock:
                guard let (_, track) = try Self.integer(&source, at: content, keepsMark: false, atMost: 8),
                    size >= track + 2
                else {
                    return
                }
                let after = try source.bigEndian(UInt16.self, at: content + track)
                // A block may stand before the time of its cluster; the last one of a file does not.
                if after < 0x8000 { last = max(last, cluster &+ UInt64(after)) }
            default: break
            }
        }

        /// An integer that says its own length; nil at the end of the file.
        private static func integer(
            _ source: inout MediaBytes, at offset: Int64, keepsMark: Bool, atMost limit: Int
        ) throws(WireError) -> (value: UInt64, length: Int64)? {
            guard offset < source.count, let first = try source.slice(at: offset, 1).first else { return nil }
            let length = first.leadingZeroBitCount + 1
            guard length <= limit else { throw WireError(.malformed, "a number of the WebM file is too long") }
            guard Int64(length) <= source.count - offset else { return nil }
            let bytes = try source.slice(at: offset, length)
            let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (keepsMark ? value : value & ((1 << (7 * UInt64(length))) - 1), Int64(length))
        }

        private static func unsigned(_ source: inout MediaBytes, at offset: Int64, _ size: Int64) throws(WireError)
            -> UInt64
        {
            guard size <= 8 else { throw WireError(.malformed, "a number of the WebM file is too long") }
            return try source.slice(at: offset, Int(size)).reduce(0) { $0 << 8 | UInt64($1) }
        }

        private static func float(_ source: inout MediaBytes, at offset: Int64, _ size: Int64) throws(WireError)
            -> Double?
        {
            switch size {
            case 4: Double(Float(bitPattern: try source.bigEndian(UInt32.self, at: offset)))
            case 8: Double(bitPattern: try source.bigEndian(UInt64.self, at: offset))
            default: nil
            }
        }
    }
}
