import Components
import Testing
import Wire

@Suite("Limits of messages")
struct MessageLimitTests {
    @Test(
        "Lengths that no message has are refused",
        arguments: [
            "12ffffffff0f", "12ffffffffffffffff7f", "12ffffffffffffffffff01", "12ffffffffffffffffff7f",
            "128080808080808080808000",
        ])
    func lengths(hex: String) throws {
        let bytes = [0x08, 0x01] + (try #require(unhex(hex)))
        #expect(throws: WireError.self) { try FnCallsProto.RequestWithinCallIntoAndroid(decoding: bytes) }
    }

    @Test(
        "A 32-bit field takes no larger number",
        arguments: ["08ffffffff0f", "0880808080f8ffffffff00", "08ffffffffffffffff7f"])
    func wideNumbers(hex: String) throws {
        let bytes = try #require(unhex(hex))
        #expect(throws: WireError.self) { try FnCallsProto.IntValue(decoding: bytes) }
    }

    @Test("Messages nest eight deep")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            var member = RpcProto.AllocateProxyRequestBody.Member(name: "leaf")
            for _ in 1..<levels { member = RpcProto.AllocateProxyRequestBody.Member(members: [member]) }
            return RpcProto.AllocateProxyRequestBody(members: [member]).encoded
        }
        _ = try RpcProto.AllocateProxyRequestBody(decoding: nested(8))
        let error = #expect(throws: WireError.self) { try RpcProto.AllocateProxyRequestBody(decoding: nested(9)) }
        #expect(error?.code == .limitExceeded)
    }

    @Test("A field repeats 262144 times at most")
    func repetitions() throws {
        let most = [[UInt8]](repeating: [0x0a, 0x00], count: ProtobufField.repetitions).flatMap(\.self)
        #expect(try FnCallsProto.StringArrayValue(decoding: most).values.count == ProtobufField.repetitions)
        let error = #expect(throws: WireError.self) {
            try FnCallsProto.StringArrayValue(decoding: most + [0x0a, 0x00])
        }
        #expect(error?.code == .limitExceeded)

        var packed = ProtobufWriter()
        packed.write([UInt64](repeating: 1, count: ProtobufField.repetitions), 2)
        _ = try FileProto.ListVersionsReplyBody(decoding: packed.bytes)
        #expect(throws: WireError.self) { try FileProto.ListVersionsReplyBody(decoding: packed.bytes + [0x10, 0x01]) }
    }

    @Test(
        "Text is UTF-8",
        arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func text(bytes: [UInt8]) {
        let message = FnCallsProto.NamedData(portName: "", data: bytes).encoded
        // The same bytes in the field of text.
        let swapped = [0x0a] + message.dropFirst(3) + [0x12, 0x00]
        #expect(throws: WireError.self) { try FnCallsProto.NamedData(decoding: swapped) }
    }

    @Test("Of a field that comes twice, the last counts; unpacked numbers are read like packed ones")
    func repeatedFields() throws {
        #expect(try FnCallsProto.IntValue(decoding: [0x08, 0x01, 0x08, 0x02]).value == 2)
        let versions = try FileProto.ListVersionsReplyBody(decoding: [0x10, 0x01, 0x12, 0x02, 0x02, 0x03, 0x10, 0x04])
        #expect(versions.archived == [1, 2, 3, 4])
    }

    @Test("A slice of a larger message is read where it lies")
    func slices() throws {
        let bytes: [UInt8] = [0xff, 0x08, 0x07, 0xff]
        #expect(try FnCallsProto.IntValue(decoding: bytes[1..<3]).value == 7)
        #expect(try FnCallsProto.IntValue(decoding: ContiguousArray(bytes[1..<3])).value == 7)
    }
}
