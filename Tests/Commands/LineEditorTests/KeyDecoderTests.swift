import Testing

@testable import LineEditor

struct KeyDecoderTests {
    @Test(arguments: [
        ("a", [Key.character("a")]), ("é", [.character("é")]), ("我", [.character("我")]),
        ("👋", [.character("👋")]), ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]),
        ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5C", [.wordRight]), ("\u{1B}[1;3D", [.wordLeft]),
        ("\u{1B}b", [.wordLeft]), ("\u{1B}[3~", [.delete]), ("\u{1B}[H", [.home]), ("\u{1B}[4~", [.end]),
        ("\u{1B}\r", [.newline]), ("\u{17}", [.deleteWord]), ("\u{1A}", [.suspend]),
        ("\u{1B}[200~two\r\n\tlines\u{1B}[201~x", [.paste("two\n\tlines"), .character("x")]),
        // What a terminal would obey does not come in by the clipboard.
        ("\u{1B}[200~a\u{1B}]0;b\u{7}c\u{85}\u{1B}[201~", [.paste("a]0;bc")]),
        // What is not known is left out, however long it is.
        ("\u{1B}[99;99R\u{1B}[?1;2c\u{1B}[\(String(repeating: "1", count: 1000))Zz", [.character("z")]),
        ("\u{1B}\u{1B}[A", [.up]), ("\u{85}", [.malformed]),
    ]) func `bytes become keys, in whatever pieces they come`(text: String, keys: [Key]) {
        var whole = KeyDecoder()
        let read = whole.keys(text.utf8)
        #expect(read == keys)
        var pieces = KeyDecoder()
        let inPieces = text.utf8.flatMap { pieces.keys([$0]) }
        #expect(inPieces == keys)
    }

    @Test(
        arguments: [
            [0xFF], [0xC3, 0x28], [0xE2, 0x82], [0xF5, 0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x80],
        ] as [[UInt8]]) func `what is not UTF-8 is told, and what follows is read`(bytes: [UInt8])
    {
        var decoder = KeyDecoder()
        let keys = decoder.keys(bytes + Array("ok".utf8))
        #expect(keys.contains(.malformed))
        #expect(keys.last == .character("k"))
    }

    @Test func `a paste has a limit, and what comes after it is typed`() {
        var decoder = KeyDecoder()
        let flood = [UInt8](repeating: UInt8(ascii: "x"), count: 3 * KeyDecoder.pasteLimit)
        let keys = decoder.keys("\u{1B}[200~".utf8) + decoder.keys(flood) + decoder.keys("\u{1B}[201~y".utf8)
        #expect(keys == [.tooLong, .character("y")])
    }
}
