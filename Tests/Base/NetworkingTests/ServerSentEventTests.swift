import Networking
import Testing

/// The reader of server-sent events (WHATWG HTML section 9.2).
@Suite struct ServerSentEventTests {
    @Test(
        arguments: [
            ("data: a\n\n", [.init(data: "a")]), ("data:a\r\rdata:b\r\n\r\n", [.init(data: "a"), .init(data: "b")]),
            ("data: YHOO\ndata: +2\ndata: 10\n\n", [.init(data: "YHOO\n+2\n10")]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                [.init(data: "first event", id: "1"), .init(data: "second event"), .init(data: " third event")]
            ),
            ("data\n\ndata\ndata\n\ndata:", [.init(data: ""), .init(data: "\n")]),
            ("event: add\ndata: 1\n\ndata: 2\n\n", [.init(type: "add", data: "1"), .init(data: "2")]),
            ("\u{FEFF}data: a\n\n", [.init(data: "a")]), ("data: a\n\u{FEFF}data: b\n\n", [.init(data: "a")]),
            ("id: 1\ndata: a\n\nid: 2\n\ndata: b\n\n", [.init(data: "a", id: "1"), .init(data: "b", id: "2")]),
            ("id: a\0b\ndata: a\n\n", [.init(data: "a")]), ("event: x\n\ndata: a\n\n", [.init(data: "a")]),
            ("data: never ended", []), ("other: x\nDATA: y\n\n", []), ("data:é\n\n", [.init(data: "é")]),
        ] as [(String, [ServerSentEvent])])
    func readsTheSameHoweverTheStreamIsCut(text: String, events: [ServerSentEvent]) throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = ServerSentEventReader()
            #expect(try reader.read(bytes[..<cut]) + reader.read(bytes[cut...]) == events)
        }
    }

    @Test func remembersWhereToGoOn() throws {
        var reader = ServerSentEventReader()
        _ = try reader.read("retry: 10x\nid: 7\n\nretry: 1500\nid: 8\n".utf8)
        #expect(reader.lastID == "7")
        #expect(reader.retry == 1500)
    }

    @Test func anEventIsLimited() throws {
        var reader = ServerSentEventReader(limit: 20)
        #expect(try reader.read("data: 123456\ndata: 7\n\n".utf8) == [.init(data: "123456\n7")])
        #expect(throws: ServerSentEventReader.TooLong.self) { try reader.read("data: 12345678901234567890".utf8) }
        var slow = ServerSentEventReader(limit: 20)
        #expect(throws: ServerSentEventReader.TooLong.self) {
            for _ in 0..<20 { _ = try slow.read("data: 1\n".utf8) }
        }
    }
}
