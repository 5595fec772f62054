import MediaHeaders
import Testing
import Wire

@Suite struct SoundHeaderTests {
    private func header(_ bytes: [UInt8]) throws(WireError) -> SoundHeader {
        var source = MediaBytes(bytes)
        return try SoundHeader(&source)
    }

    /// An encoder adds a piece at the beginning or end, and the last piece of a live recording has no end.
    @Test(arguments: zip(Samples.sounds, [1500...1500, 1490...1540, 1460...1520, 1490...1560, 500...500]))
    func `the length is read as other programs wrote it`(name: String, length: ClosedRange<Int64>) throws {
        let header = try header(try Samples.bytes(name))
        #expect(length.contains(header.duration), "\(header.duration)")
        #expect(header.waveform.isEmpty == (name != "plain.wav"))
    }

    @Test func `a sound that grows louder is seen to`() throws {
        let waveform = try header(try Samples.bytes("plain.wav")).waveform
        #expect(waveform.count == SoundHeader.values)
        let (early, late) = (waveform[10].magnitude, waveform[110].magnitude)
        #expect(early < late && late > 200)
    }

    @Test func `what was recorded in pieces without a length is refused with a reason`() throws {
        let bytes = try Samples.bytes("fragments.m4a")
        #expect(throws: WireError(.malformed, "the file does not say how long the sound is")) { try header(bytes) }
    }

    @Test func `Vorbis counts by its own rate`() throws {
        let first = page(0, [1] + text("vorbis") + little(0, 4) + [1] + little(44_100, 4))
        let bytes = first + page(44_100, [1]) + page(88_200, [2]) + page(7, [3], serial: 9) + page(-1, [4])
        #expect(try header(bytes).duration == 2000)
    }

    @Test func `a day and more is no message`() throws {
        let head = text("OpusHead") + [1, 1] + little(312, 2) + little(48_000, 4) + [0, 0, 0]
        #expect(try header(page(0, head) + page(86_400 * 48_000 + 312, [1])).duration == SoundHeader.longest)
        #expect(throws: WireError.self) { try header(page(0, head) + page(86_401 * 48_000 + 312, [1])) }
        #expect(throws: WireError.self) { try header(page(0, head) + page(100, [1])) }
        #expect(throws: WireError.self) { try header(page(0, head) + page(Int.max, [1])) }
        #expect(throws: WireError.self) { try header(page(0, head)) }
    }

    @Test func `a WAV is as long as what there is of it`() throws {
        func wave(rate: Int, frame: Int, written: Int, _ data: [UInt8]) -> [UInt8] {
            text("RIFF") + little(0, 4) + text("WAVE") + text("LIST") + little(3, 4) + [1, 2, 3, 0] + text("fmt ")
                + little(16, 4)
                + little(1, 2) + little(1, 2) + little(8000, 4) + little(rate, 4) + little(frame, 2) + little(16, 2)
                + text("data")
                + little(written, 4) + data
        }
        let second = [UInt8](repeating: 0, count: 16_000)
        #expect(try header(wave(rate: 16_000, frame: 2, written: 16_000, second)).duration == 1000)
        #expect(try header(wave(rate: 16_000, frame: 2, written: 0xffff_ffff, second)).duration == 1000)
        #expect(try header(wave(rate: 16_000, frame: 0, written: 16_000, second)).waveform.isEmpty)
        #expect(try header(wave(rate: 16_000, frame: 65_534, written: 16_000, second)).waveform.isEmpty)
        #expect(throws: WireError.self) { try header(wave(rate: 0, frame: 2, written: 16_000, second)) }
        #expect(throws: WireError.self) { try header(wave(rate: 16_000, frame: 2, written: 0, [])) }
    }

    @Test func `headers that lead nowhere end`() throws {
        let boxes = (0..<20_000).flatMap { _ in big(8, 4) + text("free") }
        #expect(throws: WireError.self) { try header(big(8, 4) + text("ftyp") + boxes) }
        #expect(throws: WireError.self) {
            try header(big(8, 4) + text("ftyp") + big(1, 4) + text("mdat") + big(.max, 8))
        }
        #expect(throws: WireError.self) {
            try header([0x1a, 0x45, 0xdf, 0xa3, 0xff] + [UInt8](repeating: 0x80, count: 100_000))
        }
        // A file that says to be larger than what is read of it, whose parts are all small and all far away.
        var looks = 0
        let part = text("RIFF____WAVE") + text("junk") + little(1 << 20, 4) + [UInt8](repeating: 0, count: 40_000)
        var source = MediaBytes(count: .max) { offset, count in
            looks += 1
            return Array((offset == 0 ? part[...] : part[12...]).prefix(count))
        }
        #expect(throws: WireError.self) { try SoundHeader(&source) }
        #expect(looks <= 1024)
    }

    @Test(arguments: Samples.sounds + Samples.pictures + ["fragments.m4a"])
    func `whatever is cut off or changed, it is a length or an error`(name: String) throws {
        let bytes = try Samples.bytes(name)
        for count in stride(from: 0, to: bytes.count, by: 7) { _ = try? header(Array(bytes[..<count])) }
        var random = Noise(seed: 11)
        for _ in 0..<1000 {
            var changed = bytes
            for _ in 0..<4 {
                changed[Int(random.next() % UInt64(min(changed.count, 400)))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let header = try? header(changed) else { continue }
            #expect((1...SoundHeader.longest).contains(header.duration))
        }
    }

    /// A page of an Ogg file with one piece.
    private func page(_ position: Int, _ content: [UInt8], serial: Int = 5) -> [UInt8] {
        text("OggS") + [0, 0] + little(position, 8) + little(serial, 4) + little(0, 4) + little(0, 4) + [
            1, UInt8(content.count),
        ] + content
    }
}
