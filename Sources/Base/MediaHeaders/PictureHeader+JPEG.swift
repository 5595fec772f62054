import Wire

/// ISO/IEC 10918-1, annex B.
extension PictureHeader {
    static func jpeg(_ source: inout MediaBytes) throws(WireError) -> PictureHeader {
        var exif: ExifFacts?
        var offset: Int64 = 2
        while true {
            guard try source.slice(at: offset, 1).first == 0xff, let marker = try source.slice(at: offset + 1, 1).first
            else {
                throw WireError(.malformed, "the JPEG has no size")
            }
            if marker == 0xff {
                // Any number of these may stand before a marker.
                offset += 1
                continue
            }
            let length = Int64(try source.bigEndian(UInt16.self, at: offset + 2))
            guard length >= 2 else { throw WireError(.malformed, "a part of the JPEG is shorter than its length") }
            if isFrame(marker) {
                let height = Int(try source.bigEndian(UInt16.self, at: offset + 5))
                let width = Int(try source.bigEndian(UInt16.self, at: offset + 7))
                return try shown(width, height, exif)
            }
            if marker == 0xe1, exif == nil { exif = ExifFacts(&source, at: offset + 4, count: length - 2) }
            offset += 2 + length
        }
    }

    /// Whether a marker begins a frame, which has the size.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
    }

    private static func shown(_ width: Int, _ height: Int, _ exif: ExifFacts?) throws(WireError) -> PictureHeader {
        guard let exif, (2...8).contains(exif.orientation) else {
            var header = try PictureHeader(width, height)
            if let thumbnail = exif?.thumbnail, header.looksLike(thumbnail) { header.thumbnail = thumbnail }
            return header
        }
        // Its own small copy would lie as the picture does in the file, and nothing turns that.
        return exif.orientation >= 5 ? try PictureHeader(height, width) : try PictureHeader(width, height)
    }

    /// Whether a small copy has the same proportions. Programs that crop a picture may leave the copy of the whole in it.
    private func looksLike(_ thumbnail: [UInt8]) -> Bool {
        var source = MediaBytes(thumbnail)
        guard thumbnail.starts(with: [0xff, 0xd8, 0xff]), let copy = try? PictureHeader(&source) else { return false }
        let (mine, its) = (Double(width) / Double(height), Double(copy.width) / Double(copy.height))
        return abs(mine / its - 1) < 0.03
    }
}
