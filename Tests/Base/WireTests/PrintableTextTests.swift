import Testing
import Wire

/// Texts for a terminal contain nothing that a terminal would obey, and every script stays readable.
@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("\u{1B}[2J\u{1B}[H", "\\u{1b}[2J\\u{1b}[H"), ("\u{1B}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
        ("\u{1B}P1$r\u{1B}\\", "\\u{1b}P1$r\\u{1b}\\"), ("\u{9B}31m", "\\u{9b}31m"),
        ("\u{9D}52;c;x\u{9C}", "\\u{9d}52;c;x\\u{9c}"),
        ("ab\u{8}\u{8}cd", "ab\\u{8}\\u{8}cd"), ("real\rforged", "real\\u{d}forged"),
        ("a\u{0}b\u{7F}", "a\\u{0}b\\u{7f}"),
        ("one\ntwo", "one\\ntwo"), ("one\r\ntwo\r", "one\\ntwo\\u{d}"), ("a\tb", "a\tb"),
        ("\u{202E}evil\u{202C}", "\\u{202e}evil\\u{202c}"), ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
        ("a\u{200E}\u{200F}\u{61C}b", "a\\u{200e}\\u{200f}\\u{61c}b"), ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
        ("a\u{85}b", "a\\u{85}b"), ("Be\u{200B}n", "Be\\u{200b}n"), ("Be\u{200D}n", "Be\\u{200d}n"),
        ("Be\u{AD}n\u{FEFF}", "Be\\u{ad}n\\u{feff}"), ("\u{FFF9}a\u{FFFB}", "\\u{fff9}a\\u{fffb}"),
        ("x\u{E0041}\u{E0042}", "x\\u{e0041}\\u{e0042}"), ("\u{3164}", "\\u{3164}"),
    ])
    func `what a terminal would obey, or nobody can see, is written out`(text: String, printed: String) {
        #expect(PrintableText.line(text) == printed)
    }

    @Test(arguments: [
        "", "plain ASCII, with \"signs\" \\ and {braces}", "Grüße, naïve café", "Ελληνικά", "кириллица", "עברית",
        "العربية",
        "می‌خواهم", "क्‍ष हिन्दी", "தமிழ்", "ภาษาไทย", "မြန်မာ", "한국어", "日本語、漢字", "葛󠄀城", "ᠮᠣᠩᠭᠣᠯ", "👩‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ ☎︎ 👍🏽 🇩🇪",
        "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "e\u{301}\u{323}", "\u{FFFD}",
    ])
    func `every script and every emoji stays as it is`(text: String) {
        #expect(PrintableText.line(text) == text)
        #expect(PrintableText.lines(text, margin: "  ") == text)
        #expect(PrintableText.json(text) == text)
    }

    @Test func `a flag hides no message`() {
        let tags = String(String.UnicodeScalarView((0xE0061..<0xE0075).compactMap(Unicode.Scalar.init)))
        #expect(PrintableText.line("🏴" + tags).contains("\\u{e0068}"))
    }

    @Test func `lines of somebody else cannot be taken for a line of ours`() {
        #expect(
            PrintableText.lines("hi\n* Connected, verified\r\n> mine\u{1B}[A", margin: "  ")
                == "hi\n  * Connected, verified\n  > mine\\u{1b}[A")
        #expect(!PrintableText.lines("hi\r* Connected\u{85}* x\u{2028}* y", margin: "  ").contains("\n"))
    }

    @Test(arguments: [" ", "\u{A0}", "\u{2007}", "\u{3000}", "\t", "\u{2800}", " \u{2003}", "\u{3000}\u{FE00}"])
    func `blanks push no words to the next row`(blank: String) {
        let text = "hi" + String(repeating: blank, count: 200) + "* Connected"
        for printed in [PrintableText.line(text), PrintableText.lines("x\n" + text, margin: "  ")] {
            #expect(printed.hasSuffix("* Connected"))
            #expect(printed.unicodeScalars.count <= 40, "\(printed)")
        }
        #expect(PrintableText.json("\"\(text)\"").unicodeScalars.count >= text.unicodeScalars.count)
        #expect(PrintableText.lines(text) == text)
    }

    @Test func `a few blanks and the indentation of code stay`() {
        let code = "if x {\n" + String(repeating: " ", count: 40) + "y        = 1"
        #expect(PrintableText.lines(code, margin: "") == code)
        #expect(PrintableText.lines(code, margin: "| ") == code.replacing("\n", with: "\n| "))
        #expect(PrintableText.lines("x\n" + String(repeating: " ", count: 90) + "y", margin: " ").count == 68)
        #expect(PrintableText.line("a        b") == "a        b")
        #expect(PrintableText.line("a         b") == "a        b")
    }

    @Test func `no letter carries a heap of marks`() {
        let heap = "e" + String(repeating: "\u{301}", count: 16)
        #expect(PrintableText.line(heap + "x") == heap + "x")
        let printed = PrintableText.line(heap + String(repeating: "\u{301}\u{20DD}", count: 500) + "xe\u{301}")
        #expect(Array(printed.unicodeScalars) == Array((heap + "\\u{301}xe\u{301}").unicodeScalars))
        #expect(PrintableText.json(heap + "\u{301}\u{302}").hasSuffix("\\u0301\\u0302"))
    }

    @Test(
        arguments: [16, 20, 40, 80],
        [
            "< hi" + String(repeating: " ", count: 76) + "* Connected, verified",
            "< " + String(repeating: "x", count: 38) + "* Connected, verified " + String(repeating: "y", count: 300),
            "< " + String(repeating: "漢", count: 39) + "* Connected, verified" + String(repeating: "👩‍👩‍👧‍👦", count: 20),
            "< one\n  two " + String(repeating: "three ", count: 50),
            "< " + String(repeating: "👩\u{200D}", count: 90), "< a\tb\tc\td\te\tf\tg\th\ti\tj\tk\tl",
        ])
    func `a terminal never goes on at its left edge`(columns: Int, text: String) {
        let rows = PrintableText.wrapped(text, columns: columns).split(separator: "\n")
        #expect(rows.count > 1 && rows.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        for row in rows {
            let wide = row.unicodeScalars.count { $0.value >= 0x1100 && $0 != "\u{200D}" }
            let tabs = row.count { $0 == "\t" }
            let joiners = row.unicodeScalars.count { $0 == "\u{200D}" }
            #expect(row.unicodeScalars.count + wide + 7 * tabs - joiners <= columns, "\(row)")
        }
        let letters = { (text: String) in Array(text.unicodeScalars).filter { $0 != " " && $0 != "\n" } }
        #expect(letters(rows.joined(separator: "\n")) == letters(text))
    }

    @Test func `words stay whole in rows, and a line of one word too`() {
        // A digit that is made an emoji has two cells in many terminals.
        let emoji = String(repeating: "1\u{FE0F}", count: 34) + " * Forged"
        let most = PrintableText.wrapped(emoji, columns: 40).split(separator: "\n").map {
            $0.count { $0 == "1\u{FE0F}" }
        }
        #expect(most == [20, 14])
        #expect(PrintableText.wrapped("* one two three four five", columns: 16) == "* one two three \n  four five")
        let key = String(repeating: "k", count: 100)
        #expect(PrintableText.wrapped(key + "\n\n", columns: 16) == key + "\n\n")
    }

    @Test func `JSON means the same afterwards`() throws {
        let text = "{\"a\":\"\u{9B}31m\u{202E}\u{85}\u{E0041}é👩‍🚀\",\n \"b\":\"\u{7F}\"}"
        let printed = PrintableText.json(text)
        #expect(printed == "{\"a\":\"\\u009b31m\\u202e\\u0085\\udb40\\udc41é👩‍🚀\",\n \"b\":\"\\u007f\"}")
        #expect(try JSONValue(printed.utf8) == JSONValue(text.utf8))
    }

    @Test func `no scalar at all reaches a terminal that could move its cursor or reorder its line`() {
        let obeyed: (Unicode.Scalar) -> Bool = { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl || scalar == "\u{2028}"
                || scalar == "\u{2029}"
        }
        for start in stride(from: UInt32(0), through: 0x10FFFF, by: 256) {
            let scalars = (start..<start + 256).compactMap(Unicode.Scalar.init).filter { $0 != "\t" }
            for before in ["", "a", "я", "👩"] {
                let text = scalars.map { before + String($0) }.joined()
                #expect(!PrintableText.line(text).unicodeScalars.contains(where: obeyed), "\(start)")
            }
        }
    }
}
