import Testing

@testable import Wire

struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12", "-1.50", "1e5", "1E-7", "\"\"", "\"a\"", "[]", "[1,[2,{}]]", "{}",
        #"{"a":{"b":[null,"c"]},"ä":"🙂"}"#,
    ])
    func whatIsReadIsWrittenTheSame(_ text: String) throws {
        #expect(try JSONValue(text.utf8).text == text)
    }

    @Test(arguments: [
        (#""\u0041\n\t\"\\\/\b\f\r""#, "A\n\t\"\\/\u{8}\u{c}\r"),
        (#""\ud83d\ude42""#, "🙂"), (#""\ud83dx""#, "\u{fffd}x"), (#""\ude42""#, "\u{fffd}"),
        (#""\ud83d\u0041""#, "\u{fffd}A"), (#""\u0000""#, "\u{0}"),
    ])
    func escapesAreRead(_ text: String, _ expected: String) throws {
        let value = try JSONValue(text.utf8)
        #expect(value == .string(expected))
        #expect(try JSONValue(value.text.utf8) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "truee", "01", "1.", ".5", "-", "+1", "1e", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "[",
        "[1",
        "[1,]", "[,1]", "{", "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "1 2", "\"\u{1}\"", "NaN", "'a'",
    ])
    func whatIsNotJSONIsRefused(_ text: String) {
        #expect(throws: JSONError.malformed(line: 1)) { try JSONValue(text.utf8) }
    }

    @Test(arguments: [
        ("{\n\"a\": 1\n\"b\": 2\n}\n", 3), ("[\n1,\n]", 3), ("{\n\"a\": \"b\n\"}", 2), ("{}\n\nx", 3),
        ("[1,\r\n[\r\n", 3),
    ])
    func theLineIsNamedWhereReadingStopped(_ text: String, _ line: Int) {
        #expect(throws: JSONError.malformed(line: line)) { try JSONValue(text.utf8) }
    }

    @Test func bytesThatAreNotTextAreRefused() {
        #expect(throws: JSONError.malformed(line: 1)) { try JSONValue([0x22, 0xff, 0x22]) }
        #expect(throws: JSONError.malformed(line: 1)) { try JSONValue([0x22, 0xed, 0xa0, 0x80, 0x22]) }
    }

    @Test func depthIsBounded() throws {
        let deep = { (count: Int) in
            Array(String(repeating: "[", count: count).utf8) + Array(String(repeating: "]", count: count).utf8)
        }
        _ = try JSONValue(deep(JSONValue.depthLimit))
        #expect(throws: JSONError.tooDeep) { try JSONValue(deep(JSONValue.depthLimit + 1)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue(deep(50_000)) }
        try JSONValue.check(deep(JSONValue.depthLimit))
        try JSONValue.check(deep(100_000), depthLimit: 100_000)
        #expect(throws: JSONError.tooDeep) { try JSONValue.check(deep(JSONValue.depthLimit + 1)) }
        #expect(throws: JSONError.tooDeep) { try JSONValue.check(deep(1_000_000)) }
    }

    /// Random texts made of pieces: both ways of reading agree.
    @Test func checkingFindsWhatReadingFinds() {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "1", "-0.5e3", "true", "null", " ", "\n", "\"\\u12\"", "x", "[]",
            "{}",
            "\"a\":1", "[1,2]", "{\"b\":[{}]}",
        ]
        func outcome(_ read: () throws(JSONError) -> Void) -> JSONError? {
            do throws(JSONError) {
                try read()
                return nil
            } catch { return error }
        }
        var random = SystemRandomNumberGenerator()
        var accepted = 0
        for _ in 0..<50_000 {
            let text = (0..<Int.random(in: 1...7)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let read = outcome { () throws(JSONError) in _ = try JSONValue(text.utf8, depthLimit: 4) }
            let checked = outcome { () throws(JSONError) in try JSONValue.check(text.utf8, depthLimit: 4) }
            #expect(read == checked, "\(text)")
            if read == nil { accepted += 1 }
        }
        #expect(accepted > 100)
    }

    @Test func theLastOfTwoMembersCounts() throws {
        #expect(try JSONValue(#"{"a":1,"a":2}"#.utf8).object?["a"] == 2)
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}"#, true), ("{}", true), (#"{"a":1,"a":1}"#, false),
        (#"{"b":[[{"a":1,"c":2,"a":3}]]}"#, false), (#"{"a":1,"\u0061":2}"#, false), ("[1]", false), ("{", false),
    ])
    func whatCanBeReadInTwoWaysIsRefusedWhereItIsAskedFor(_ text: String, _ isRead: Bool) {
        #expect((JSONObject(unambiguous: text.utf8) != nil) == isRead)
    }

    @Test func onlyKnownMembersAreKnown() throws {
        let object = try #require(JSONObject(unambiguous: #"{"a":1,"b":2}"#.utf8))
        #expect(object.has(only: ["a", "b", "c"]))
        #expect(!object.has(only: ["a", "B"]))
    }
}
