import Testing
import Wire

/// What a terminal would obey is never in a text that goes to one, and every script stays readable.
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
