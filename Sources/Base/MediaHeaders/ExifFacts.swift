import Wire

/// How a picture is to be turned, and its small copy: Exif 2.3, 4.6.
struct ExifFacts {
    /// 1 to 8; 1 for what lies as it is shown.
    private(set) var orientation = 1
    /// As JPEG, at most ``thumbnailLimit`` bytes.
    private(set) var thumbnail: [UInt8]?

    /// Bytes of a small copy: what an offer may have.
    static let thumbnailLimit = 16 << 10
    /// Entries of one directory that are looked at.
    private static let entryLimit = 512

    private enum Tag {
        static let orientation: UInt16 = 0x0112
        static let copyOffset: UInt16 = 0x0201
        static let copyLength: UInt16 = 0x0202
    }

    /// Nil if these are no such facts; what of them is broken is left out.
    init?(_ source: inout MediaBytes, at offset: Int64, count: Int64) {
        guard count > 14, let mark = try? source.slice(at: offset, 6), mark.elementsEqual("Exif\0\0".utf8) else {
            return nil
        }
        let base = offset + 6
        guard let order = try? source.slice(at: base, 2) else { return nil }
        let isLittle = order.elementsEqual("II".utf8)
        guard isLittle || order.elementsEqual("MM".utf8) else { return nil }
        try? read(Fields(base: base, end: offset + count, isLittle: isLittle), &source)
    }

    private mutating func read(_ fields: Fields, _ source: inout MediaBytes) throws(WireError) {
        let first = try fields.long(4, &source)
        var next: Int64 = 0
        for (tag, value) in try fields.directory(first, &next, &source, atMost: Self.entryLimit)
        where tag == Tag.orientation {
            orientation = Int(try fields.short(value, &source))
        }
        guard next > 0 else { return }
        var (copy, length): (Int64, Int64) = (0, 0)
        var last: Int64 = 0
        for (tag, value) in try fields.directory(next, &last, &source, atMost: Self.entryLimit) {
            if tag == Tag.copyOffset { copy = try fields.long(value, &source) }
            if tag == Tag.copyLength { length = try fields.long(value, &source) }
        }
        guard copy > 0, (1...Int64(Self.thumbnailLimit)).contains(length) else { return }
        thumbnail = [UInt8](try fields.slice(copy, Int(length), &source))
    }
}

/// Numbers of a TIFF file, with offsets from its beginning.
private struct Fields {
    let base: Int64
    let end: Int64
    let isLittle: Bool

    func slice(_ offset: Int64, _ count: Int, _ source: inout MediaBytes) throws(WireError) -> ArraySlice<UInt8> {
        guard offset >= 0, Int64(count) <= end - base - offset else {
            throw WireError(.truncated, "the Exif data ends before what it names")
        }
        return try source.slice(at: base + offset, count)
    }

    func short(_ offset: Int64, _ source: inout MediaBytes) throws(WireError) -> UInt16 {
        var reader = ByteReader(try slice(offset, 2, &source))
        let value = try reader.readInteger(UInt16.self)
        return isLittle ? value.byteSwapped : value
    }

    func long(_ offset: Int64, _ source: inout MediaBytes) throws(WireError) -> Int64 {
        var reader = ByteReader(try slice(offset, 4, &source))
        let value = try reader.readInteger(UInt32.self)
        return Int64(isLittle ? value.byteSwapped : value)
    }

    /// The tags of a directory and where their values are.
    func directory(
        _ offset: Int64, _ next: inout Int64, _ source: inout MediaBytes, atMost limit: Int
    ) throws(WireError) -> [(tag: UInt16, value: Int64)] {
        let count = Int(try short(offset, &source))
        guard count <= limit else { throw WireError(.limitExceeded, "the Exif data have more than \(limit) entries") }
        var entries: [(UInt16, Int64)] = []
        for index in 0..<Int64(count) {
            let entry = offset + 2 + 12 * index
            entries.append((try short(entry, &source), entry + 8))
        }
        next = (try? long(offset + 2 + 12 * Int64(count), &source)) ?? 0
        return entries
    }
}
