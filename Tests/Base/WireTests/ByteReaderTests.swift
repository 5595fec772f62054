import Testing
import Wire

@Suite("Byte reader and writer")
struct ByteReaderTests {
    @Test("Written values are read back")
    func roundTrip() throws {
        var writer = ByteWriter()
        writer.writeByte(7)
        writer.writeInteger(UInt16(0x0102))
        writer.writeInteger(UInt32(0x0304_0506))
        writer.writeInteger(UInt64.max - 1)
        try writer.writePrefixed([9, 8, 7], by: UInt16.self)
        writer.writeBytes([1, 2])
        #expect(writer.bytes.prefix(7) == [7, 1, 2, 3, 4, 5, 6])

        var reader = ByteReader(writer.bytes)
        #expect(try reader.readByte() == 7)
        #expect(try reader.readInteger(UInt16.self) == 0x0102)
        #expect(try reader.readInteger(UInt32.self) == 0x0304_0506)
        #expect(try reader.readInteger(UInt64.self) == .max - 1)
        #expect(try reader.readPrefixed(by: UInt16.self, atMost: 3) == [9, 8, 7])
        #expect(reader.remaining == 2)
        #expect(reader.readRemaining() == [1, 2])
        try reader.expectEnd()
    }

    @Test("Varints round-trip at every length", arguments: 0..<64)
    func varint(bit: Int) throws {
        for value in [UInt64(1) << bit, (UInt64(1) << bit) - 1, .max >> bit] {
            var writer = ByteWriter()
            writer.writeVarint(value)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.readVarint() == value)
            #expect(reader.isAtEnd)
        }
    }

    @Test(
        "Varints beyond 64 bits are refused",
        arguments: [
            [UInt8](repeating: 0x80, count: 10), [UInt8](repeating: 0xff, count: 9) + [2],
            [UInt8](repeating: 0x80, count: 11) + [1],
        ]
    )
    func longVarint(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        let error = #expect(throws: WireError.self) { try reader.readVarint() }
        #expect(error?.code == .malformed)
    }

    @Test("Reading past the end throws and moves nothing")
    func truncation() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(throws: WireError.self) { try reader.readInteger(UInt32.self) }
        #expect(throws: WireError.self) { try reader.readBytes(4) }
        #expect(throws: WireError.self) { try reader.skip(-1) }
        #expect(throws: WireError.self) { try reader.skip(.max) }
        #expect(reader.remaining == 3)
        #expect(throws: WireError.self) { try reader.expectEnd() }
        #expect(try reader.readBytes(3) == [1, 2, 3])
    }

    @Test("A reader over a slice counts from the slice's start")
    func slices() throws {
        var reader = ByteReader([9, 9, 1, 2][2...])
        #expect(try reader.readByte() == 1)
        #expect(reader.offset == 1)
        #expect(reader.remaining == 1)
    }

    @Test("Prefixed strings are bounded by the limit and by the width of their length")
    func prefixLimits() {
        var reader = ByteReader([0, 4, 1, 2, 3, 4])
        let error = #expect(throws: WireError.self) { try reader.readPrefixed(by: UInt16.self, atMost: 3) }
        #expect(error?.code == .limitExceeded)
        var huge = ByteReader([UInt8](repeating: 0xff, count: 8))
        #expect(throws: WireError.self) { try huge.readPrefixed(by: UInt64.self, atMost: .max) }
        var writer = ByteWriter()
        #expect(throws: WireError.self) { try writer.writePrefixed([UInt8](repeating: 0, count: 256), by: UInt8.self) }
        #expect(writer.bytes.isEmpty)
    }
}
