import Foundation
import Testing

@testable import ComponentStorage

@Suite("What a search matches") struct RegularExpressionTests {
    @Test(
        "expressions match as in JavaScript",
        arguments: [
            ("", "", true), ("", "x", true), ("a", "xay", true), ("^a", "xay", false), ("^a", "ay", true),
            ("a$", "xa", true), ("a$", "ax", false), ("^$", "", true), ("^$", "a", false), ("^abc$", "abc", true),
            ("a.c", "abc", true), ("a.c", "ac", false), ("ab*c", "ac", true), ("ab+c", "ac", false),
            ("ab+c", "abbbc", true), ("^ab?c$", "abbc", false), ("^a{2}$", "aa", true), ("^a{2}$", "aaa", false),
            ("^a{2,}$", "aaaa", true), ("^a{2,3}$", "aaaa", false), ("^a{0}$", "", true), ("a{x", "a{x", true),
            ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abc", false), ("^(?:a|b)$", "b", true),
            ("^a|b$", "xb", true), ("(|a)b", "b", true), ("[abc]", "b", true), ("^[^abc]$", "b", false),
            ("^[a-c]+$", "abc", true), ("^[a-c]+$", "abd", false), ("^[-a]+$", "-a", true), ("^[a-]+$", "a-", true),
            ("^[\\]]$", "]", true), ("\\.txt$", "a.txt", true), ("\\.txt$", "atxt", false), ("^\\d+$", "123", true),
            ("^\\w+$", "a_1", true), ("^\\W$", "-", true), ("^[\\d.]+$", "1.2", true), ("^.$", "🦋", true),
            ("ö", "höhe", true), ("^(a*)*$", "aaa", true), ("^(a+)+$", "aab", false), ("a*?b", "aab", true),
            ("$a", "a", false), ("(a$|b)c", "bc", true), ("(^|x)a$", "a", true), ("\\$", "$", true),
            ("[$^]", "^", true), ("^(a|b|cd|)$", "cd", true), ("^(a|b|cd|)$", "c", false), ("a|b|c|d", "xd", true),
            ("^[c-xa-db]$", "x", true), ("^[c-xa-db]$", "y", false), ("^(a{2}){2}$", "aaaa", true),
        ])
    func matching(expression: String, name: String, isFound: Bool) throws {
        #expect(try RegularExpression(expression).matches(name) == isFound)
    }

    @Test(
        "patterns match whole names",
        arguments: [
            ("*.txt", "a.txt", true), ("*.txt", "a.txt.old", false), ("*", "", true), ("a?c", "abc", true),
            ("a?c", "ac", false), ("a.c", "abc", false), ("(x)[1]+", "(x)[1]+", true), ("*ä*", "nähe", true),
        ])
    func patterns(pattern: String, name: String, isFound: Bool) throws {
        #expect(try RegularExpression(pattern: pattern).matches(name) == isFound)
    }

    @Test(
        "what cannot be matched is refused",
        arguments: [
            "(", ")", "a)", "[a", "[b-a]", "*", "+a", "(?=a)", "(?<n>a)", "\\1", "\\b", "\\", "a{3,2}", "a{300}",
            "[\\W]", "(?", String(repeating: "(", count: 60), String(repeating: "(a{200}){200}", count: 3),
            "((((()" + "{200}){200}){200}){200}){200}", "(((a{0}){255}){255}){255}", String(repeating: "a", count: 600),
            "a**", "a{1}{1}", "a*?*", "a+{2}", "a" + String(repeating: "{1}", count: 200_000),
            String(repeating: "|", count: 200_000), "[" + String(repeating: "a", count: 2_000_000) + "]",
            "a" + String(repeating: "?", count: 200_000), String(repeating: "(", count: 200_000),
            String(repeating: "(?:", count: 60) + String(repeating: ")*", count: 60),
        ])
    func refused(expression: String) {
        #expect(throws: RegularExpression.Malformed.self) { try RegularExpression(expression) }
    }

    @Test("no expression takes longer than its length times that of the name") func linear() throws {
        // In an engine that goes back and tries again, each of these takes longer than anybody lives.
        let name = String(repeating: "a", count: 250) + "!"
        for expression in ["^(a+)+$", "^(a|a)*$", "^(a*)*$", "^(a?){100}a{100}$"] {
            #expect(try !RegularExpression(expression).matches(name))
        }
    }

    @Test("a pattern has a limit on its length, too") func longPatterns() throws {
        #expect(throws: RegularExpression.Malformed.self) {
            try RegularExpression(pattern: String(repeating: "*", count: 200_000))
        }
        #expect(throws: RegularExpression.Malformed.self) {
            try RegularExpression(pattern: String(repeating: "a", count: 1025))
        }
        #expect(try RegularExpression(pattern: String(repeating: "*", count: 100)).matches("x"))
    }

    /// The worst that is accepted, in a stack that is sixteen times smaller than what threads have.
    @Test(
        "what is accepted needs little of the stack",
        arguments: [
            String(repeating: "(", count: 49) + "a" + String(repeating: ")*", count: 49),
            String(repeating: "(|", count: 49) + String(repeating: "){1,2}", count: 4)
                + String(repeating: ")", count: 45),
            String(repeating: "|", count: 170), String(repeating: "a|", count: 127),
        ])
    func stack(expression: String) async throws {
        let isRead = await withCheckedContinuation { continuation in
            let thread = Thread {
                let isRead = (try? RegularExpression(expression))?.matches("b") != nil
                continuation.resume(returning: isRead)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(isRead)
    }

    @Test("the work of matching is counted, and is bounded by both lengths") func steps() throws {
        let name = String(repeating: "a", count: 255)
        let ranges = (0..<100).map { "\(Unicode.Scalar(UInt8(0x80 + $0)))" }.joined()
        let worst = try RegularExpression("[\(ranges)a]{250}[b]{250}$")
        var steps = 0
        #expect(!worst.matches(name, steps: &steps))
        #expect(steps > 10_000 && steps <= 256 * RegularExpression.instructionLimit)
    }
}
