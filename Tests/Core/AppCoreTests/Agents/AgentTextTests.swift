import Testing

@testable import AppCore

/// The texts around agents: what changes in a file, the words of a command, names of what was shown.
@Suite struct AgentTextTests {
    @Test(
        arguments: [
            (nil, "a\nb\n", "+ a\n+ b"), ("a\n", "a\n", ""), ("a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n+ x\n  c"),
            ("", "", ""), ("a", nil as String? ?? "", "- a"), ("a", "a\n", "- a\n+ a\n\\ Newline added at end of file"),
            ("b\n", "a", "- b\n+ a\n\\ No newline at end of file"), (nil, "a", "+ a\n\\ No newline at end of file"),
            ("b", "a", "- b\n+ a"),
            ("a\nb\n", "a\n# note\r\n  curl\nb\n", "  a\n+ # note\u{240D}\n+   curl\n  b"),
            ("x\u{37E} y\n", "x; y\n", "- x\u{37E} y\n+ x; y"), ("e\u{301}\n", "é\n", "- e\u{301}\n+ é"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n10\n", "@@ 6 @@\n  6\n  7\n  8\n- 9\n+ 10"),
        ] as [(String?, String, String)])
    func `a difference says what goes and what comes`(old: String?, new: String, lines: String) {
        #expect(LineDifference(from: old, to: new).text == lines)
    }

    @Test func `a difference is the same whatever is compared`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in ["a", "b", "c"].randomElement(using: &random)! }
            }
            let difference = LineDifference(
                from: texts[0].joined(separator: "\n"), to: texts[1].joined(separator: "\n"))
            #expect(texts[0].count - difference.removed == texts[1].count - difference.added)
        }
        let long = (0..<2000).map { "\($0)" }.joined(separator: "\n")
        let other = (0..<2000).map { "x\($0)" }.joined(separator: "\n")
        #expect(LineDifference(from: long, to: other).added == 2000)
    }

    @Test(
        arguments: [
            ("opencode acp", ["opencode", "acp"]), ("a 'b c' \"d\\\"e\" f\\ g ''", ["a", "b c", "d\"e", "f g", ""]),
            ("", []), ("'a", nil), ("a\\", nil), ("  a  ", ["a"]),
        ] as [(String, [String]?)])
    func `a command is divided as a shell would`(text: String, words: [String]?) {
        #expect(text.shellWords == words)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests are those of FIPS 180-4`(text: String, digest: String) {
        #expect(SHA256.digest(text.utf8) == digest)
    }

    @Test func `what is cut is counted, and whole characters stay`() {
        var text = CutText("ab")
        text.add("c👩‍👩‍👧", upTo: 4)
        #expect(text.text == "abc" && text.omitted == "👩‍👩‍👧".utf8.count)
        text.add("d", upTo: 100)
        #expect(text.text == "abc" && text.omitted == "👩‍👩‍👧".utf8.count + 1)
        #expect(Int.max.clampedSum(1) == .max)
    }
}
