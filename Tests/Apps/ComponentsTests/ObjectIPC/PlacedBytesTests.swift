import Components
import Testing

struct PlacedBytesTests {
    /// One, two and three bytes of lengths, and more or fewer bytes than were expected.
    @Test(arguments: [0, 1, 113, 127, 300, 20_000], [0, 1, 100, 200, 20_000])
    func onTheWireTheyAreTheMessage(count: Int, expected: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let message = BytesProto.ReadReplyBody(bytes: CommonProto.BytesValue(value: bytes))
        let root = ServiceObject(functions: [
            "placed": .promise { call throws(RuntimeException) in
                PlacedBytes(expecting: expected, inReplyTo: call) { $0 + bytes }
            },
            "message": .promise { _ throws(RuntimeException) in message },
            "encoded": .promise { _ throws(RuntimeException) in message.encoded },
        ])
        var envelopes: [[UInt8]] = []
        for name in ["placed", "message", "encoded"] {
            let service = LoneEnd(root: root)
            service.receive("start", 1 << 40, path: ["w3n", name])
            envelopes += service.take()
        }
        #expect(Reply(envelopes[0]) == Reply("end", 1 << 40, message.encoded))
        #expect(Set(envelopes).count == 1)
    }

    /// An envelope of another call takes the bytes as well.
    @Test func theyAreTheReplyOfAnyCall() throws {
        let kept = Recorded<PlacedBytes>()
        let root = ServiceObject(functions: [
            "keep": .immediate { call throws(RuntimeException) in
                if kept.all.isEmpty { kept.add(PlacedBytes(expecting: 2, inReplyTo: call) { $0 + [7, 8] }) }
                return kept.all[0]
            }
        ])
        let service = LoneEnd(root: root)
        for number in [1, 1 << 20] as [UInt64] { service.receive("start", number, path: ["w3n", "keep"]) }
        let body = BytesProto.ReadReplyBody(bytes: CommonProto.BytesValue(value: [7, 8])).encoded
        #expect(service.takeReplies() == [Reply("end", 1, body), Reply("end", 1 << 20, body)])
        #expect(kept.all[0].count == 2)
    }
}
