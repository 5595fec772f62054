import Testing

@testable import LineEditor

struct LineEditorTests {
    /// Expects this on the line after these bytes, with `|` where the cursor is.
    private func expect(_ editor: inout LineEditor, _ bytes: String, _ wanted: String) {
        var decoder = KeyDecoder()
        for key in decoder.keys(bytes.utf8) { _ = editor.take(key) }
        let line = editor.line
        let shown = String(line.characters[..<line.cursor]) + "|" + String(line.characters[line.cursor...])
        #expect(shown == wanted)
    }

    @Test(arguments: [
        ("hello", "hello|"), ("hello\u{1B}[D\u{1B}[D!", "hel!|lo"), ("ab\u{1}c", "c|ab"), ("ab\u{1}\u{4}", "|b"),
        ("one two\u{17}", "one |"), ("one two\u{17}\u{1}\u{19}", "two|one "), ("one\u{15}\u{19}\u{19}", "oneone|"),
        ("one two\u{1B}b\u{1B}b\u{0B}", "|"), ("e\u{301}x\u{7F}\u{7F}", "|"), ("👨\u{200D}👩\u{200D}👧\u{7F}", "|"),
        ("\u{1B}[200~  a\n    b\n\u{1B}[201~", "  a\n    b|"), ("a\u{1B}\rb", "a\nb|"),
        ("\u{7F}\u{1B}[D\u{1B}[3~x", "x|"),
    ]) func `keys edit the line`(bytes: String, line: String) {
        var editor = LineEditor()
        expect(&editor, bytes, line)
    }

    @Test func `up and down go through what was entered, and back to what was being written`() {
        var editor = LineEditor()
        expect(&editor, "one\rtwo\rthr", "thr|")
        expect(&editor, "\u{1B}[A", "two|")
        expect(&editor, "\u{1B}[A\u{1B}[A", "one|")
        expect(&editor, "\u{1B}[B\u{1B}[B", "thr|")
        expect(&editor, "\u{1B}[B", "thr|")
    }

    @Test func `a line that is entered comes whole`() {
        var editor = LineEditor()
        _ = editor.take(.paste("if x {\n\ty()\n}\n"))
        let outcomes = [Key.enter, .endOfInput].map { editor.take($0) }
        #expect(outcomes == [.line("if x {\n\ty()\n}"), .end])
    }

    @Test func `a line has a limit, and keeps what fitted`() {
        var editor = LineEditor()
        let much = String(repeating: "x", count: EditedLine.limit)
        let outcomes = [Key.paste(much), .character("y")].map { editor.take($0) }
        #expect(outcomes == [nil, .refused(.tooLong)])
        #expect(editor.line.text == much)
    }

    @Test(arguments: ["a", "我", "👩🏽‍🚀", "e\u{301}\u{302}\u{303}", "שלום", "\u{202E}", "\u{7}"])
    func `a row of a long line fits, wherever the cursor is`(piece: String) {
        var line = EditedLine()
        line.replace(with: String(repeating: piece, count: 300))
        for columns in [4, 5, 10, 40, 79] {
            for place in stride(from: 0, through: line.characters.count, by: 7) {
                line.move(to: place)
                let row = LineRow(line, columns: columns)
                #expect(ScreenModel.cells(row.before + row.after) < max(columns, 4))
                #expect(!(row.before + row.after).contains("\u{7}"))
            }
        }
    }

    @Test func `marks that are heaped on one letter have a limit`() {
        var editor = LineEditor()
        _ = editor.take(.character("e"))
        let outcomes = (0..<1000).map { _ in editor.take(.character("\u{301}")) }
        #expect(outcomes.last == .refused(.tooLong))
        #expect(editor.line.characters.count == 1 && editor.line.text.utf8.count < 300)
    }

    @Test func `a short line is shown whole`() {
        var line = EditedLine()
        line.replace(with: "two\nrows\tand a tab")
        line.move(to: 4)
        #expect(LineRow(line, columns: 80).before == "two↵")
        #expect(LineRow(line, columns: 80).after == "rows and a tab")
    }
}
