package import Wire

/// What the header of a PNG, JPEG, GIF or WebP says about a picture. Nothing is decompressed.
package struct PictureHeader: Sendable, Equatable {
    /// Pixels as it is shown, 1 to ``longestSide``.
    package var width: Int
    package var height: Int
    /// A small copy that the file brings along, as JPEG; empty if there is none, or if it does not show the same.
    package var thumbnail: [UInt8] = []

    /// Pixels of a side.
    package static let longestSide = 65_535

    /// - Throws: ``WireError`` if it is none of the formats, has no size, or ends in its header.
    package init(_ source: inout MediaBytes) throws(WireError) {
        let beginning = [UInt8](try source.slice(at: 0, 12))
        if beginning.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = try Self.png(&source)
        } else if beginning.starts(with: [0xff, 0xd8, 0xff]) {
            self = try Self.jpeg(&source)
        } else if beginning.starts(with: Array("GIF87a".utf8)) || beginning.starts(with: Array("GIF89a".utf8)) {
            self = try Self(
                Int(try source.littleEndian(UInt16.self, at: 6)), Int(try source.littleEndian(UInt16.self, at: 8)))
        } else if beginning.starts(with: Array("RIFF".utf8)), beginning[8...].elementsEqual("WEBP".utf8) {
            self = try Self.webP(&source)
        } else {
            throw WireError(.malformed, "the file is no PNG, JPEG, GIF or WebP")
        }
    }

    init(_ width: Int, _ height: Int, thumbnail: [UInt8] = []) throws(WireError) {
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
            throw WireError(.malformed, "the picture has no size from 1 to \(Self.longestSide) pixels")
        }
        (self.width, self.height, self.thumbnail) = (width, height, thumbnail)
    }

    /// ISO/IEC 15948, 11.2.2.
    private static func png(_ source: inout MediaBytes) throws(WireError) -> PictureHeader {
        guard try source.tag(at: 12) == "IHDR" else {
            throw WireError(.malformed, "the PNG does not begin with its size")
        }
        return try PictureHeader(
            Int(clamping: try source.bigEndian(UInt32.self, at: 16)),
            Int(clamping: try source.bigEndian(UInt32.self, at: 20)))
    }

    /// RFC 9649, 2.5 to 2.7.
    private static func webP(_ source: inout MediaBytes) throws(WireError) -> PictureHeader {
        switch try source.tag(at: 12) {
        case "VP8X":
            let bytes = [UInt8](try source.slice(at: 24, 6)).map(Int.init)
            return try PictureHeader(
                1 + bytes[0] + bytes[1] << 8 + bytes[2] << 16, 1 + bytes[3] + bytes[4] << 8 + bytes[5] << 16)
        case "VP8L":
            guard try source.slice(at: 20, 1).first == 0x2f else { break }
            let bits = Int(try source.littleEndian(UInt32.self, at: 21))
            return try PictureHeader(1 + bits & 0x3fff, 1 + bits >> 14 & 0x3fff)
        case "VP8 ":
            guard try source.slice(at: 23, 3).elementsEqual([0x9d, 0x01, 0x2a]) else { break }
            return try PictureHeader(
                Int(try source.littleEndian(UInt16.self, at: 26)) & 0x3fff,
                Int(try source.littleEndian(UInt16.self, at: 28)) & 0x3fff)
        default: break
        }
        throw WireError(.malformed, "the WebP does not begin with a picture")
    }
}
