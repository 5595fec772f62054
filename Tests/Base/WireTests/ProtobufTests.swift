import Testing
import Wire

@Suite("Protobuf wire format")
struct ProtobufTests {
    @Test("The examples of the protobuf encoding guide")
    func guideExamples() throws {
        var integer = ProtobufWriter()
        integer.write(UInt64(150), 1)
        #expect(integer.bytes == [0x08, 0x96, 0x01])

        var text = ProtobufWriter()
        text.write("testing", 2)
        #expect(text.bytes == [0x12, 0x07] + Array("testing".utf8))

        var nested = ProtobufWriter()
        nested.write(message: integer, 3)
        #expect(nested.bytes == [0x1a, 0x03, 0x08, 0x96, 0x01])

        var packed = ProtobufWriter()
        packed.write([3, 270, 86942], 6)
        #expect(packed.bytes == [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05])
    }

    @Test("Every kind of field is read back")
    func roundTrip() throws {
        var inner = ProtobufWriter()
        inner.write(true, 1)
        var writer = ProtobufWriter()
        writer.write(UInt64.max, 1)
        writer.writeSigned(.min, 2)
        writer.write(-0.25, 3)
        writer.write(Float(1.5), 4)
        writer.write("naïve", 5)
        writer.write([1, 2, 3] as [UInt8], 6)
        writer.write(message: inner, 7)
        writer.write([1, 300] as [UInt64], 8)
        writer.write(UInt64(0), 9)

        var seen: [Int] = []
        var reader = ProtobufReader(writer.bytes)
        while let field = try reader.next() {
            seen.append(field.number)
            switch field.number {
            case 1: #expect(try field.uint64() == .max)
            case 2: #expect(try field.sint64() == .min)
            case 3: #expect(try field.double() == -0.25)
            case 4: #expect(try field.float() == 1.5)
            case 5: #expect(try field.string(atMost: 6) == "naïve")
            case 6: #expect(try field.bytes(atMost: 3) == [1, 2, 3])
            case 7:
                var nested = try field.message()
                #expect(try nested.next()?.bool() == true)
                #expect(try nested.next() == nil)
            case 8: #expect(try field.uint64s(atMost: 2) == [1, 300])
            default: Issue.record("field \(field.number) should not be there")
            }
        }
        #expect(seen == Array(1...8))
    }

    @Test(
        "Malformed messages are refused",
        arguments: [
            [0x00], [0x08], [0x08, 0x80], [0x12, 0x05, 0x61], [0x0b], [0x0c], [0x0f], [0x0d, 1, 2, 3], [0x09, 1, 2],
            [0x12] + [UInt8](repeating: 0xff, count: 9) + [0x01], [0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00],
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(throws: WireError.self) {
            var reader = ProtobufReader(bytes)
            while try reader.next() != nil {}
        }
    }

    @Test("Kind, limits and UTF-8 are checked")
    func checks() throws {
        var writer = ProtobufWriter()
        writer.write([0xff, 0xfe] as [UInt8], 1)
        var reader = ProtobufReader(writer.bytes)
        let field = try #require(try reader.next())
        #expect(throws: WireError(.wrongType, "field 1 is not an integer")) { try field.uint64() }
        #expect(throws: WireError(.limitExceeded, "field 1 is longer than 1 bytes")) { try field.bytes(atMost: 1) }
        #expect(throws: WireError(.malformed, "field 1 is not UTF-8")) { try field.string(atMost: 2) }
        #expect(throws: WireError.self) { try field.uint64s(atMost: 1) }
    }

    @Test("Nesting is bounded")
    func depth() throws {
        var writer = ProtobufWriter()
        for _ in 0..<4 {
            var outer = ProtobufWriter()
            outer.write(message: writer, 1)
            writer = outer
        }
        var reader = ProtobufReader(writer.bytes, depth: 3)
        for _ in 0..<3 { reader = try #require(try reader.next()).message() }
        let deepest = try #require(try reader.next())
        let error = #expect(throws: WireError.self) { try deepest.message() }
        #expect(error?.code == .limitExceeded)
    }
}
