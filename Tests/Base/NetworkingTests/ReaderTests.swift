import Testing

@testable import Networking

/// Tests of the readers alone: the messages do not depend on how the bytes are cut.
@Suite struct ReaderTests {
    private func append(_ bytes: some Collection<UInt8>, to reader: inout HTTPReader) {
        Array(bytes).withUnsafeBytes { reader.append($0) }
    }

    @Test func everyCutOfARequestReadsTheSame() throws {
        let text = "\r\nPOST /a?b=c HTTP/1.1\r\nX: 1\r\nx:  2 \r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = HTTPReader(.requests, bodyLimit: 10)
            var messages: [HTTPReader.Message] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                append(part, to: &reader)
                while let message = try reader.next() { messages.append(message) }
            }
            #expect(messages.count == 2)
            #expect(messages.first?.head.fields.values("X") == ["1", "2"])
            #expect(messages.first?.body == Array("abc".utf8))
            #expect(!reader.isInMessage)
        }
    }

    @Test func theLimitOfOneBodyIsNotThatOfTheNext() throws {
        var reader = HTTPReader(.requests)
        append(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: &reader)
        guard case .head = try reader.nextPart() else { return #expect(Bool(false), "no head") }
        try reader.limitBody(to: 1)
        guard case .end = try reader.nextPart() else { return #expect(Bool(false), "no end") }
        append(Array("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc".utf8), to: &reader)
        #expect(try reader.next()?.body == Array("abc".utf8))
    }

    @Test func everyCutOfAChunkedResponseReadsTheSame() throws {
        let bytes = Array(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"
                .utf8)
        for cut in 0...bytes.count {
            var reader = HTTPReader(.response(toHead: false), bodyLimit: 13)
            append(bytes[..<cut], to: &reader)
            var message = try reader.next()
            append(bytes[cut...], to: &reader)
            if message == nil { message = try reader.next() }
            #expect(message?.head.status == 200)
            #expect(message?.body == Array("abc0123456789".utf8))
        }
    }

    @Test func aResponseWithoutLengthLastsUntilTheEnd() throws {
        var reader = HTTPReader(.response(toHead: false), bodyLimit: 10)
        append(Array("HTTP/1.0 200 OK\r\n\r\nab".utf8), to: &reader)
        #expect(try reader.next() == nil)
        append(Array("cd".utf8), to: &reader)
        #expect(try reader.next() == nil)
        #expect(try reader.finish()?.body == Array("abcd".utf8))
    }

    @Test func fieldsOfOldServersAreReadAndThoseOfOldClientsRefused() throws {
        let fields = Array("X-Name: caf".utf8) + [0xe9] + Array("\r\nX-Long: one,\r\n  two\r\n\tthree\r\n\r\n".utf8)
        var response = HTTPReader(.response(toHead: true), bodyLimit: 10)
        append(Array("HTTP/1.1 200 OK\r\n".utf8) + fields, to: &response)
        let head = try #require(try response.next()?.head)
        #expect(head.fields["x-name"] == "caf\u{e9}")
        #expect(head.fields["x-long"] == "one, two three")
        var request = HTTPReader(.requests, bodyLimit: 10)
        append(Array("GET / HTTP/1.1\r\n".utf8) + fields, to: &request)
        #expect(throws: HTTPReadError.malformed) { try request.next() }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"])
    func anEndInTheMiddleIsNoMessage(text: String) throws {
        var reader = HTTPReader(.response(toHead: false), bodyLimit: 10)
        append(Array(text.utf8), to: &reader)
        _ = try reader.next()
        if text.isEmpty {
            #expect(try reader.finish() == nil)
        } else {
            #expect(throws: HTTPReadError.malformed) { try reader.finish() }
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", false),
        ("HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", true),
    ])
    func someResponsesHaveNoBodyWhateverTheySay(text: String, toHead: Bool) throws {
        var reader = HTTPReader(.response(toHead: toHead), bodyLimit: 10)
        append(Array(text.utf8), to: &reader)
        #expect(try reader.next()?.body == [])
    }

    @Test(arguments: [true, false]) func whatTheWriterWritesTheReaderReads(isMasked: Bool) throws {
        for size in [0, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let message = WebSocketMessage.binary((0..<size).map { UInt8(truncatingIfNeeded: $0) })
            var reader = WebSocketReader(expectsMask: isMasked, limit: 70_000)
            WebSocketWriter.message(message, isMasked: isMasked).withUnsafeBytes { reader.append($0) }
            #expect(try reader.next() == .message(message))
            #expect(try reader.next() == nil)
        }
    }

    /// Copying what has arrived for every further fragment would move half a terabyte here.
    @Test(.timeLimit(.minutes(1))) func aMessageOfCountlessFragmentsIsCheap() throws {
        let (start, count) = (8 << 20, 60_000)
        var reader = WebSocketReader(expectsMask: false, limit: start + count)
        var first: [UInt8] = [0x02, 127] + (0..<8).map { UInt8(truncatingIfNeeded: start >> (56 - 8 * $0)) }
        first += [UInt8](repeating: 7, count: start)
        first.withUnsafeBytes { reader.append($0) }
        for number in 1...count {
            let fragment: [UInt8] = [number == count ? 0x80 : 0x00, 1, 7]
            fragment.withUnsafeBytes { reader.append($0) }
            let input = try reader.next()
            if number == count {
                #expect(input == .message(.binary([UInt8](repeating: 7, count: start + count))))
            } else if input != nil {
                Issue.record("a message too early")
                return
            }
        }
    }

    @Test func aCloseReasonIsCutBetweenCharacters() throws {
        let frame = WebSocketWriter.close(.normal, String(repeating: "é", count: 100), isMasked: false)
        #expect(frame.count == 2 + 2 + 122)
        var reader = WebSocketReader(expectsMask: false, limit: 0)
        frame.withUnsafeBytes { reader.append($0) }
        #expect(try reader.next() == .close(.normal, reason: String(repeating: "é", count: 61)))
    }

    @Test(arguments: [
        ("https://example.org", "https://example.org", true, 443),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", false, 8080),
        ("wss://example.org:99/a/b/", "https://example.org:99/a/b", true, 99),
        ("example.org", "https://example.org", true, 443),
        ("ws://[::1]:81", "http://[::1]:81", false, 81),
    ])
    func readsServerAddresses(text: String, canonical: String, isSecure: Bool, port: Int) throws {
        let url = try ServerURL(text)
        #expect(url.description == canonical)
        #expect(url.isSecure == isSecure)
        #expect(url.port == port)
    }

    @Test(arguments: [
        "", "http://", "ftp://a", "http://a:b", "http://a:0", "http://a:70000", "http://u@a", "http://[::1",
        "http://a b",
        "http://a?b", "http://a/b#c", "http://\r\n",
    ])
    func refusesWhatIsNoServerAddress(text: String) {
        #expect(throws: NetworkingError.self) { try ServerURL(text) }
    }

    @Test func aFieldCannotSmuggleAnotherOne() {
        let fields: HTTPFields = ["a": "b\r\nc: d"]
        #expect(fields["A"] == "b  c: d")
    }
}
