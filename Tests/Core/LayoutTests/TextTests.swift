import Testing

@testable import Layout

@Suite struct TextTests {
    private func lines(_ text: String, _ width: Int) -> [String] {
        let block = TextBlock(text: text, face: .body, ink: .text)
        return block.lines(within: width).map(block.shown)
    }

    @Test func textBreaksAfterSpacesAndHyphens() {
        #expect(lines("the quick brown fox", 80) == ["the quick", "brown fox"])
        #expect(lines("well-known fact", 60) == ["well-", "known", "fact"])
        #expect(lines("one\ntwo\r\n\nthree\n", 300) == ["one", "two", "", "three", ""])
    }

    @Test func anEmptyTextIsOneEmptyLine() {
        #expect(lines("", 100) == [""])
        #expect(lines("   ", 100) == [""])
    }

    @Test func aLongWordBreaksBetweenGraphemes() {
        let family = "👩‍👩‍👧‍👦"
        #expect(lines(String(repeating: family, count: 5), 33) == [family + family, family + family, family])
        #expect(lines("ee\u{301}ee\u{301}", 18) == ["ee\u{301}", "ee\u{301}"])
        #expect(lines("🇩🇪🇫🇷", 20) == ["🇩🇪", "🇫🇷"])
    }

    @Test func whatIsTooWideForAnyLineStandsAlone() {
        #expect(lines("ab", 1) == ["a", "b"])
        #expect(lines("ab", 0) == ["a", "b"])
    }

    @Test func wideCharactersBreakBesideEachOther() {
        #expect(lines("你好世界", 40) == ["你好", "世界"])
        #expect(lines("ab你好", 40) == ["ab你", "好"])
    }

    @Test(arguments: [
        ("a", 556), ("i", 222), ("你", 1000), ("e\u{301}", 556), ("\u{200D}", 0), ("\u{200F}", 0), ("👩‍👩‍👧‍👦", 1000),
        ("🇩🇪", 1000),
        ("❤\u{FE0F}", 1000), ("É", 722), ("\u{1}", 1000), ("\u{FFFF}", 1000), ("한", 1000), ("ש", 600),
    ]) func aGraphemeIsAsWideAsItsWidestScalar(text: String, advance: Int) throws {
        let character = try #require(text.first)
        #expect(text.count == 1)
        #expect(Advances.of(character) == advance)
    }

    @Test func rightToLeftMarksTakeNoRoom() {
        let plain = LineBreaker.lines(of: "שלום", limit: 10_000)
        let marked = LineBreaker.lines(of: "\u{200F}ש\u{200E}ל\u{202B}ום\u{202C}", limit: 10_000)
        #expect(plain.map(\.advance) == marked.map(\.advance))
    }

    @Test func noBreakSpacesDoNotBreak() {
        #expect(lines("a 10\u{A0}km", 50) == ["a", "10\u{A0}km"])
    }

    /// Whatever the text, its lines are all of it, in order, and none is too wide unless it is one grapheme.
    @Test(arguments: [
        "", "hello world", "a  b   c", "你好, world 👩‍👩‍👧‍👦!", "\r\n\r\n", "\u{301}\u{301}", "x\u{200B}y\u{AD}z", "--- --",
        "\u{0}\u{85}\u{2028}q",
        String(repeating: "long ", count: 200), String(repeating: "w", count: 500),
        String(repeating: "\u{301}", count: 999),
    ]) func linesAreTheWholeText(text: String) {
        for width in [0, 1, 7, 16, 40, 100, 358] {
            let limit = Typeface.body.advance(fitting: width)
            var end = 0
            for line in LineBreaker.lines(of: text, limit: limit) {
                let between = String(decoding: Array(text.utf8)[end..<line.start], as: UTF8.self)
                #expect(!between.contains { !$0.isNewline })
                let block = TextBlock(text: text, face: .body, ink: .text)
                let inked = block.shown(line).count { Advances.of($0) > 0 }
                #expect(line.advance <= limit || inked == 1)
                #expect(Typeface.body.points(line.advance) <= width || inked == 1)
                end = line.end
            }
            #expect(end == text.utf8.count)
        }
    }
}
