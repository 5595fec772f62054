import AgentProtocols
import Testing
import Wire

/// What an answer is put together from, whatever server sends it.
@Suite struct CompletionPartsTests {
    // MARK: Calls

    private static func deltas(_ texts: [String]) throws -> [CompletionChunk.ToolCallDelta] {
        let data = #"{"choices":[{"delta":{"tool_calls":[\#(texts.joined(separator: ","))]}}]}"#
        return try #require(try CompletionChunk.read(data)).toolCalls
    }

    @Test func `pieces of calls belong together by their index`() throws {
        let deltas = try Self.deltas([
            #"{"index":0,"id":"a","function":{"name":"read","arguments":""}}"#,
            #"{"index":1,"id":"a","function":{"name":"write","arguments":"{"}}"#,
            #"{"index":0,"function":{"arguments":"{}"}}"#, #"{"index":2,"function":{"name":"x"}}"#, #"{"index":9999}"#,
        ])
        var calls = CompletionToolCalls(prefix: "call-7")
        let found = deltas.map { calls.add($0) }
        #expect(found.map(\.id) == ["a", "a'", "a", "call-7-2"])
        #expect(found.map(\.began) == ["read", "write", nil, "x"])
        #expect(calls.all.map(\.name) == ["read", "write", "x"] && calls.all.map(\.arguments) == ["{}", "{", ""])
    }

    struct Pieces: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let deltas: [String]
        let calls: [String]

        init(_ testDescription: String, _ deltas: [String], _ calls: [String]) {
            (self.testDescription, self.deltas, self.calls) = (testDescription, deltas, calls)
        }
    }

    @Test(arguments: [
        Pieces(
            "without numbers",
            [
                #"{"id":"a","function":{"name":"f","arguments":"1"}}"#, #"{"function":{"arguments":"2"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"3"}}"#, #"{"function":{"arguments":"4"}}"#,
            ],
            ["a f 12", "b g 34"]),
        Pieces(
            "one number for all",
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"1"}}"#,
                #"{"index":0,"id":"b","function":{"name":"g","arguments":"2"}}"#,
                #"{"index":0,"function":{"arguments":"3"}}"#,
            ],
            ["a f 1", "b g 23"]),
        Pieces(
            "another id in each piece of a number",
            [
                #"{"index":0,"id":"a","function":{"name":"f","arguments":"1"}}"#,
                #"{"index":0,"id":"b","function":{"arguments":"2"}}"#,
            ],
            ["a f 12"]),
        Pieces(
            "an id in each piece",
            [
                #"{"index":null,"id":"a","function":{"name":"f","arguments":"1"}}"#,
                #"{"id":"a","function":{"arguments":"2"}}"#, #"{"id":"","function":{"arguments":"3"}}"#,
            ],
            ["a f 123"]),
        Pieces(
            "in turns",
            [
                #"{"id":"a","function":{"name":"f"}}"#, #"{"id":"b","function":{"name":"g"}}"#,
                #"{"id":"a","function":{"arguments":"1"}}"#, #"{"function":{"arguments":"2"}}"#,
                #"{"id":"b","function":{"arguments":"3"}}"#,
            ],
            ["a f 12", "b g 3"]),
        Pieces(
            "a late id",
            [
                #"{"function":{"name":"f","arguments":"1"}}"#, #"{"id":"a","function":{"arguments":"2"}}"#,
                #"{"id":"b","function":{"name":"g","arguments":"3"}}"#,
            ],
            ["call-0 f 12", "b g 3"]),
        Pieces("nothing at all", [#"{}"#, #"{"function":null}"#], ["call-0  "]),
    ])
    func `a new id begins another call`(_ pieces: Pieces) throws {
        var calls = CompletionToolCalls()
        for delta in try Self.deltas(pieces.deltas) { calls.add(delta) }
        #expect(calls.all.map { "\($0.id) \($0.name) \($0.arguments)" } == pieces.calls)
    }

    @Test func `no more calls are kept than there may be`() throws {
        var calls = CompletionToolCalls()
        let limit = CompletionChunk.toolCallLimit
        let numbered = (0..<(limit + 2)).map { #"{"id":"\#($0)","function":{"name":"f","arguments":"x"}}"# }
        var ids: [String] = []
        // The last piece is of a call that is one too many, and goes to no other one.
        for delta in try Self.deltas(numbered + [#"{"function":{"arguments":"y"}}"#]) {
            let (id, _) = calls.add(delta)
            ids.append(id)
        }
        #expect(ids == (0..<limit).map { "\($0)" } + ["", "", ""])
        #expect(calls.all.count == limit && calls.all.allSatisfy { $0.arguments == "x" })
    }

    @Test func `what a call is given is bounded`() throws {
        var calls = CompletionToolCalls()
        let long = String(repeating: "é", count: CompletionToolCalls.argumentBytes / 2)
        for text in ["x", long, "end"] {
            for delta in try Self.deltas([#"{"id":"a","function":{"arguments":"\#(text)"}}"#]) { calls.add(delta) }
        }
        #expect(calls.all.count == 1 && calls.all[0].arguments.utf8.count == CompletionToolCalls.argumentBytes - 1)
        #expect(calls.all[0].omitted == 2 + 3, "behind what is left out nothing more is kept")
    }

    // MARK: Thoughts

    private static let answers: [(String, String, String)] = [
        ("<think>hm</think>\n\nyes", "hm", "yes"), (" \n<think>\nhm\n</think>yes", "\nhm\n", "yes"),
        ("<think>no end", "no end", ""), ("<think>no end</thin", "no end</thin", ""), ("<think></think>", "", ""),
        ("<think>a</b></think><think>b</think>", "a</b>", "<think>b</think>"),
        ("<think>é</think>\u{301}", "é", "\u{301}"), ("yes <think>hm</think>", "", "yes <think>hm</think>"),
        ("<thin", "", "<thin"), ("<thinker>", "", "<thinker>"), (" \n", "", " \n"), ("  yes", "", "  yes"),
        ("", "", ""),
        ("<<think>", "", "<<think>"), ("</think>", "", "</think>"),
        (String(repeating: " ", count: 65) + "<think>", "", String(repeating: " ", count: 65) + "<think>"),
    ]

    @Test(arguments: answers)
    func `thoughts stand at the beginning of an answer, however it is cut`(
        _ answer: String, _ thought: String, _ text: String
    ) {
        let scalars = answer.unicodeScalars.map { String($0) }
        for size in 1...9 {
            var thoughts = CompletionThoughts()
            var pieces: [CompletionThoughts.Piece] = []
            for start in stride(from: 0, to: scalars.count, by: size) {
                pieces += thoughts.take(scalars[start..<min(start + size, scalars.count)].joined())
            }
            pieces += thoughts.end()
            var found = (thought: "", text: "")
            for piece in pieces {
                switch piece {
                case .thought(let words):
                    found.thought += words
                    #expect(!words.isEmpty && found.text.isEmpty)
                case .text(let words):
                    found.text += words
                    #expect(!words.isEmpty)
                }
            }
            #expect(found.thought == thought && found.text == text, "in pieces of \(size)")
        }
    }

    @Test func `only what may be a mark is held back`() {
        var thoughts = CompletionThoughts()
        let told = ["<think>a<", "b</thi", "nk> ", " c<", ""].map { thoughts.take($0) }
        #expect(told == [[.thought("a")], [.thought("<b")], [], [.text("c<")], []])
        let rest = thoughts.end()
        #expect(rest.isEmpty)
    }

    // MARK: Errors

    private static let lines: [(String, String)] = [
        ("error: {}\n\n", "\n\nevent: error\ndata: {}\n\n"),
        ("data: a\r\nerror:x\rerror:y", "data: a\r\n\n\nevent: error\ndata:x\r\n\nevent: error\ndata:y"),
        ("data: error: {}\n", "data: error: {}\n"), ("errors: 1\nerr\nerrerror:\n", "errors: 1\nerr\nerrerror:\n"),
        ("", ""),
    ]

    @Test(arguments: lines)
    func `a line that only older servers write becomes an event`(_ text: String, _ event: String) {
        for size in 1...8 {
            let bytes = Array(text.utf8)
            var lines = CompletionErrorLines()
            var read: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                read += lines.read(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(String(decoding: read, as: UTF8.self) == event, "in pieces of \(size)")
        }
    }

    private static let refusals: [(String, String?)] = [
        (#"{"error":{"message":"why"}}"#, "why"), (#"{"error":"why"}"#, "why"), (#"{"error":{"code":1}}"#, "unknown"),
        (#"{"detail":"why"}"#, "why"), (#"{"detail":[{"msg":"why","loc":["body"]},{},{"msg":"so"}]}"#, "why; so"),
        (#"{"object":"error","message":"why"}"#, "why"), (#"{"message":"why"}"#, "why"), (#"{"detail":[1]}"#, nil),
        (#"{"message":1,"detail":{}}"#, nil), ("{}", nil),
    ]

    @Test(arguments: refusals)
    func `every kind of server says in its own way why it refuses`(_ body: String, _ words: String?) throws {
        #expect(CompletionRefusal.words(in: try BoundedJSON.object(Array(body.utf8))) == words)
    }

    private static let bodies: [(String, String, String?)] = [
        ("Internal Server\r\n Error\u{1b}[0m", "", "Internal Server Error [0m"),
        ("no model", "text/plain; charset=utf-8", "no model"), (#"{"a":1}"#, "Text/Plain", nil),
        (#"{"a":1}"#, "application/json", nil), (#"{"a":"cut"#, "", nil), ("[1]", "", nil), (#""text""#, "", nil),
        (" <!doctype html>", "", nil), ("<p>no</p>", "text/plain", nil), ("no", "text/html", nil), ("a\u{0}b", "", nil),
        ("", "text/plain", nil), (" \n", "text/plain", nil),
    ]

    @Test(arguments: bodies)
    func `a text is told in one line, and no page and no object`(_ body: String, _ type: String, _ words: String?) {
        #expect(CompletionRefusal.text(of: Array(body.utf8), type: type) == words)
    }
}
