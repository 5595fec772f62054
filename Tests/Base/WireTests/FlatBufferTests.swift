import Testing
import Wire

@Suite("FlatBuffers wire format")
struct FlatBufferTests {
    /// A table that can hold itself.
    private struct Nest: FlatBufferTable, Equatable {
        var number: UInt16 = 0
        var inner: [Nest] = []

        mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.number(&number)
            try fields.tables(&inner, atMost: 3)
        }
    }

    @Test("A table by hand: root offset, vtable, distance back to it, field")
    func byHand() throws {
        let bytes: [UInt8] = [12, 0, 0, 0, 0, 0, 6, 0, 6, 0, 4, 0, 6, 0, 0, 0, 42, 1]
        #expect(try Nest(flatBuffer: bytes) == Nest(number: 298))
    }

    @Test("Defaults take no room, and a field that the writer did not know is left out")
    func defaults() throws {
        #expect(try Nest().flatBuffer() == [8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0])
        #expect(try Nest(flatBuffer: [8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0]) == Nest())
    }

    @Test("A truncated buffer is refused")
    func truncated() throws {
        let bytes = try Nest(number: 1, inner: [Nest(number: 2), Nest(number: 3)]).flatBuffer()
        for count in 0..<bytes.count - 2 {
            #expect(throws: WireError.self, "\(count)") { try Nest(flatBuffer: Array(bytes.prefix(count))) }
        }
    }

    @Test(
        "Invalid offsets are refused",
        arguments: [
            [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],  // the root lies outside
            [4, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f],  // the vtable lies before the buffer
            [4, 0, 0, 0, 0, 0, 0, 0x80],  // and behind it
            [8, 0, 0, 0, 3, 0, 4, 0, 4, 0, 0, 0],  // a vtable shorter than its own sizes
            [8, 0, 0, 0, 5, 0, 4, 0, 4, 0, 0, 0],  // half an entry
            [8, 0, 0, 0, 4, 0, 5, 0, 4, 0, 0, 0],  // a table longer than the buffer
            [8, 0, 0, 0, 4, 0, 2, 0, 4, 0, 0, 0],  // a table shorter than its offset
            [12, 0, 0, 0, 0, 0, 6, 0, 6, 0, 5, 0, 6, 0, 0, 0, 42, 1],  // a field that leaves its table
            [12, 0, 0, 0, 0, 0, 6, 0, 6, 0, 2, 0, 6, 0, 0, 0, 42, 1],  // a field in the offset to the vtable
        ] as [[UInt8]])
    func astray(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try Nest(flatBuffer: bytes) }
    }

    @Test("Depth and counts are bounded, for a table that holds itself too")
    func bounds() throws {
        var nest = Nest()
        for _ in 0..<7 { nest = Nest(inner: [nest]) }
        #expect(try Nest(flatBuffer: nest.flatBuffer()) == nest)
        let deep = try Nest(inner: [nest]).flatBuffer()
        #expect(throws: WireError(.limitExceeded, "tables are nested too deeply")) { try Nest(flatBuffer: deep) }
        let many = Nest(inner: [Nest](repeating: Nest(), count: 4))
        #expect(throws: WireError(.limitExceeded, "a field has more than 3 elements")) { try many.flatBuffer() }
    }
}
