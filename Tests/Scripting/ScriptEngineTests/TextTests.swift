import Testing

@testable import ScriptEngine

@Suite struct TextTests {
    @Test(arguments: ["", "plain", "a\u{0}b\u{0}", "äöü", "€", "😀", "e\u{301}", "\u{feff}x", "\u{10ffff}\u{e000}"])
    func stringsPassBothWays(text: String) async throws { try await expectToReturn(text) }

    @Test func longStringsPassBothWays() async throws {
        try await expectToReturn(String(repeating: "x", count: 1_000_000))
        try await expectToReturn(String(repeating: "ä😀", count: 200_000))
    }

    @Test func allOfUnicodePassesBothWays() async throws {
        try await expectToReturn(String(String.UnicodeScalarView((0...0x10ffff).compactMap(Unicode.Scalar.init))))
    }

    private func expectToReturn(_ text: String) async throws {
        let interpreter = try await Interpreter()
        let (length, returned, called) = try await interpreter.run { context in
            try context.setFunction("echo") { arguments in try arguments.string(0) }
            let value = try text.scriptValue(in: context)
            let length = try context.evaluate("(s) => s.length").call(value).integer
            return (length, try value.string, try context.evaluate("(s) => echo(s)").call(text).string)
        }
        // `==` would take other spellings of the same character, too.
        let isSame = length == text.utf16.count && returned.utf8.elementsEqual(text.utf8)
        #expect(isSame && called.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: [
        (#""\ud83d""#, "\u{fffd}"), (#""\ude00""#, "\u{fffd}"), (#""a\ud83db""#, "a\u{fffd}b"),
        (#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"), (#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
    ])
    func loneSurrogatesAreReplaced(source: String, expected: String) async throws {
        #expect(try await evaluate(source) == .string(expected))
        #expect(try await evaluate("new TextEncoder().encode(\(source))") == .bytes(Array(expected.utf8)))
    }

    @Test(arguments: [
        "", "short", "exactly thirty-two characters !!", "a text that is longer than that is", "ä€😀", "a\u{0}b",
    ])
    func encodes(text: String) async throws {
        let interpreter = try await Interpreter()
        let (encoded, written) = try await interpreter.run { context in
            (
                try context.evaluate("(s) => new TextEncoder().encode(s)").call(text).bytes,
                try context.evaluate(
                    """
                    (s) => { const a = new Uint8Array(200), b = a.subarray(3);
                        const { read, written } = new TextEncoder().encodeInto(s, b);
                        if (read !== s.length) throw new Error(`${read}`);
                        return b.slice(0, written); }
                    """
                ).call(text).bytes
            )
        }
        #expect(encoded == Array(text.utf8))
        #expect(written == Array(text.utf8))
    }

    @Test(arguments: [
        ("abc", 2, 2, 2), ("ä€😀", 1, 0, 0), ("ä€😀", 4, 1, 2), ("ä€😀", 5, 2, 5), ("ä€😀", 8, 2, 5), ("ä€😀", 9, 4, 9),
    ])
    func encodesAsMuchAsFits(text: String, size: Int, read: Double, written: Double) async throws {
        let result = try await evaluate(
            "const r = new TextEncoder().encodeInto('\(text)', new Uint8Array(\(size))); [r.read, r.written]")
        #expect(result == .array([.number(read), .number(written)]))
    }

    private static let malformed: [([UInt8], String)] = [
        ([0xff], "\u{fffd}"), ([0x80], "\u{fffd}"), ([0xc0, 0x80], "\u{fffd}\u{fffd}"), ([0xe2, 0x82], "\u{fffd}"),
        ([0xe2, 0x82, 0x41], "\u{fffd}A"), ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
        ([0xf0, 0x9f, 0x98], "\u{fffd}"), ([0xf4, 0x90, 0x80, 0x80], "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ([0xf0, 0x9f, 0x41], "\u{fffd}A"), ([0xe0, 0x80, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
    ]

    @Test(arguments: malformed)
    func malformedBytesAreReplaced(bytes: [UInt8], expected: String) async throws {
        let source = "new TextDecoder().decode(new Uint8Array(\(bytes)))"
        #expect(try await evaluate(source) == .string(expected))
        let fatal = "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(\(bytes)))"
        #expect(await failure { try await evaluate(fatal) }?.name == "TypeError")
    }

    /// However the bytes are cut, the text is the same.
    @Test(arguments: malformed + [(Array("aä€😀\u{feff}b".utf8), "aä€😀\u{feff}b"), (Array("\u{feff}x".utf8), "x")])
    func decodesStreams(bytes: [UInt8], expected: String) async throws {
        let texts = try await evaluate(
            """
            const bytes = new Uint8Array(\(bytes)), texts = new Set();
            for (let a = 0; a <= bytes.length; a++) for (let b = a; b <= bytes.length; b++) {
                const decoder = new TextDecoder(), part = (from, to) =>
                    decoder.decode(bytes.subarray(from, to), { stream: true });
                texts.add(part(0, a) + part(a, b) + part(b, bytes.length) + decoder.decode());
            }
            [...texts]
            """)
        #expect(texts == .array([.string(expected)]))
    }

    @Test(arguments: [
        ("new TextDecoder('UTF8 ').encoding", ScriptData.string("utf-8")),
        ("new TextDecoder('unicode').encoding", .string("utf-16le")),
        ("new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0, 0xde]))", .string("a😀")),
        ("new TextDecoder('utf-16').decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0x62]))", .string("a\u{fffd}\u{fffd}")),
        ("new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf])).length", .number(1)),
        ("new TextDecoder().decode(new Uint8Array([0, 65, 66, 0]).subarray(1, 3))", .string("AB")),
        ("new TextDecoder().decode(new Uint16Array([0x4241]).buffer)", .string("AB")),
        ("new TextDecoder().decode()", .string("")),
        (
            "(() => { const d = new TextDecoder('utf-16le'), p = (...b) => d.decode(new Uint8Array(b), { stream: true });"
                + "return p(0x3d) + p(0xd8, 0) + p(0xde) + d.decode(); })()", .string("😀")
        ),
    ])
    func decodes(source: String, expected: ScriptData) async throws {
        #expect(try await evaluate(source) == expected)
    }

    @Test func unknownEncodingsAreRefused() async throws {
        #expect(await failure { try await evaluate("new TextDecoder('latin1')") }?.name == "RangeError")
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("\u{0}ÿ", "AP8="),
    ])
    func base64(text: String, encoded: String) async throws {
        let interpreter = try await Interpreter()
        let results = try await interpreter.run { context in
            [
                try context.evaluate("btoa").call(text).string, try context.evaluate("atob").call(encoded).string,
                try context.evaluate("(s) => atob(s.replace(/=/g, '').replace(/(.)/, '$1 \\n'))").call(encoded).string,
            ]
        }
        #expect(results == [encoded, text, text])
    }

    @Test(arguments: ["btoa('€')", "atob('a')", "atob('ab!=')", "atob('a===')", "atob('ab=c')", "atob('abcde')"])
    func badBase64Throws(source: String) async throws {
        #expect(await failure { try await evaluate(source) }?.name == "InvalidCharacterError")
    }
}
