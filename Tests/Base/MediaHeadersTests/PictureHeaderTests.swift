import MediaHeaders
import Testing
import Wire

@Suite struct PictureHeaderTests {
    private func header(_ bytes: [UInt8]) throws(WireError) -> PictureHeader {
        var source = MediaBytes(bytes)
        return try PictureHeader(&source)
    }

    @Test(arguments: zip(Samples.pictures, [[31, 17], [40, 24], [33, 19], [50, 22]]))
    func `the size is read as other programs wrote it`(name: String, size: [Int]) throws {
        let header = try header(try Samples.bytes(name))
        #expect([header.width, header.height] == size)
        #expect(header.thumbnail.isEmpty)
    }

    @Test func `every kind of WebP has its size`() throws {
        let extended = riff("VP8X", [0x10, 0, 0, 0] + little(299, 3) + little(70_00 - 1, 3))
        #expect(try header(extended) == PictureHeader(width: 300, height: 7000))
        let lossless = riff("VP8L", [0x2f] + little(640 - 1 | (480 - 1) << 14, 4))
        #expect(try header(lossless) == PictureHeader(width: 640, height: 480))
    }

    @Test(arguments: [false, true])
    func `what was taken upright is as high as it is shown, and its copy is left out`(isLittle: Bool) throws {
        for orientation in 1...8 {
            let header = try header(jpeg(400, 300, exif: exif(orientation, copy: jpeg(40, 30), isLittle: isLittle)))
            #expect([header.width, header.height] == (orientation < 5 ? [400, 300] : [300, 400]))
            #expect(header.thumbnail == (orientation == 1 ? jpeg(40, 30) : []))
        }
    }

    @Test func `a copy of the whole is not taken for that of a part`() throws {
        #expect(try header(jpeg(400, 400, exif: exif(1, copy: jpeg(40, 30), isLittle: true))).thumbnail.isEmpty)
        #expect(try header(jpeg(400, 300, exif: exif(1, copy: text("<script>"), isLittle: true))).thumbnail.isEmpty)
    }

    @Test func `a copy that is too large or lies outside is left out, and the size is still read`() throws {
        for (offset, length) in [(44, 20_000), (1 << 31, 10), (44, 1 << 31), (0, 0), (44, 200)] {
            var facts = exif(1, copy: jpeg(40, 30), isLittle: true)
            facts.replaceSubrange(6 + 28 + 8..<6 + 28 + 12, with: little(offset, 4))
            facts.replaceSubrange(6 + 40 + 8..<6 + 40 + 12, with: little(length, 4))
            #expect(try header(jpeg(400, 300, exif: facts)) == PictureHeader(width: 400, height: 300))
        }
    }

    @Test func `no size is made up`() throws {
        let png = try Samples.bytes("plain.png")
        for side in [0, 65_536, 1 << 31, 0xffff_ffff] {
            #expect(throws: WireError.self) { try header(Array(png[..<16]) + big(side, 4) + Array(png[20...])) }
        }
        for bytes in [jpeg(0, 10), jpeg(10, 0), [0xff, 0xd8, 0xff] + [UInt8](repeating: 0xff, count: 100_000)] {
            #expect(throws: WireError.self) { try header(bytes) }
        }
        #expect(throws: WireError.self) { try header(text("#!/bin/sh\necho no picture")) }
        #expect(throws: WireError.self) { try header(riff("ALPH", [1, 2, 3, 4])) }
    }

    @Test(arguments: Samples.pictures + Samples.sounds)
    func `whatever is cut off or changed, it is a size or an error`(name: String) throws {
        let bytes = try Samples.bytes(name)
        for count in 0..<min(bytes.count, 700) { _ = try? header(Array(bytes[..<count])) }
        var random = Noise(seed: 7)
        for _ in 0..<2000 {
            var changed = bytes
            for _ in 0..<4 {
                changed[Int(random.next() % UInt64(min(changed.count, 200)))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let header = try? header(changed) else { continue }
            #expect((1...65_535).contains(header.width) && (1...65_535).contains(header.height))
        }
    }

    private func riff(_ tag: String, _ chunk: [UInt8]) -> [UInt8] {
        text("RIFF") + little(12 + chunk.count, 4) + text("WEBP") + text(tag) + little(chunk.count, 4) + chunk
    }

    /// As far as the size.
    private func jpeg(_ width: Int, _ height: Int, exif: [UInt8] = []) -> [UInt8] {
        let facts = exif.isEmpty ? [] : [0xff, 0xe1] + big(exif.count + 2, 2) + exif
        return [0xff, 0xd8] + facts + [0xff, 0xdb, 0, 3, 0] + [0xff, 0xff, 0xc2, 0, 8, 8] + big(height, 2)
            + big(width, 2) + [1]
    }

    /// A directory with the orientation, and one with a small copy.
    private func exif(_ orientation: Int, copy: [UInt8], isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { isLittle ? little(value, count) : big(value, count) }
        func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(1, 4) + value
        }
        let start = text(isLittle ? "II" : "MM") + number(42, 2) + number(8, 4)
        let first = number(1, 2) + entry(0x0112, 3, number(orientation, 2) + [0, 0]) + number(26, 4)
        let second =
            number(2, 2) + entry(0x0201, 4, number(56, 4)) + entry(0x0202, 4, number(copy.count, 4)) + number(0, 4)
        return text("Exif\0\0") + start + first + second + copy
    }
}

/// The same numbers each time.
struct Noise: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33 ^ state << 31
    }
}

extension PictureHeader {
    /// What is expected of one without a small copy.
    init(width: Int, height: Int) throws {
        var source = MediaBytes(
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big(13, 4) + text("IHDR") + big(width, 4)
                + big(height, 4))
        try self.init(&source)
    }
}
