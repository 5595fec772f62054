import Testing

@testable import LineEditor

struct TerminalScreenTests {
    private struct Window {
        var screen: TerminalScreen
        var model: ScreenModel

        init(columns: Int = 40, rows: Int = 8) {
            screen = TerminalScreen(columns: columns, rows: rows)
            model = ScreenModel(columns: columns, rows: rows)
            model.write(screen.draw(status: "Ben · Connected"))
        }

        mutating func add(_ text: String, id: String? = nil) { model.write(screen.add(text, id: id)) }

        mutating func type(_ text: String, back: Int = 0) {
            var line = EditedLine()
            line.replace(with: text)
            line.move(to: line.characters.count - back)
            model.write(screen.draw(line: LineRow(line, columns: screen.lineColumns)))
        }

        mutating func replace(_ id: String, with text: String) -> Bool {
            guard let written = screen.replace(id, with: text) else { return false }
            model.write(written)
            return true
        }
    }

    @Test func `what arrives comes above what is being typed, which stays`() {
        var window = Window()
        window.type("half a sent", back: 2)
        window.add("< hello")
        window.add("< two\n  rows")
        #expect(window.model.text == ["< hello", "< two", "  rows", "Ben · Connected", "Say: half a sent"])
        #expect(window.model.row == 4 && window.model.column == 14)
        #expect(window.model.surprises.isEmpty)
    }

    @Test func `a message changes in its place while it is on the screen, and not when it has left it`() {
        var window = Window()
        var isReplaced: Bool
        window.add("> one  [Sending]", id: "1")
        window.add("< other")
        isReplaced = window.replace("1", with: "> one\n  [Seen]")
        #expect(isReplaced)
        #expect(window.model.text == ["> one", "  [Seen]", "< other", "Ben · Connected", "Say: "])
        isReplaced = window.replace("1", with: "> one  [Seen]")
        #expect(isReplaced)
        #expect(window.model.text == ["> one  [Seen]", "< other", "Ben · Connected", "Say: "])
        for number in 0..<4 { window.add("< \(number)") }
        isReplaced = window.replace("1", with: "> one  [Read]")
        #expect(isReplaced)
        window.add("< 4")
        isReplaced = window.replace("1", with: "> one  [Lost]")
        #expect(!isReplaced)
        #expect(window.model.scrolled == ["> one  [Read]"])
        #expect(window.model.text.suffix(3) == ["< 4", "Ben · Connected", "Say: "])
        isReplaced = window.replace("unknown", with: "x")
        #expect(!isReplaced)
    }

    @Test func `nothing is changed above a line whose rows the terminal made`() {
        var window = Window()
        let isReplaced: Bool
        window.add("> one", id: "1")
        window.add(String(repeating: "x", count: 90))
        isReplaced = window.replace("1", with: "> one  [Seen]")
        #expect(!isReplaced)
        #expect(window.model.text.suffix(2) == ["Ben · Connected", "Say: "])
    }

    @Test func `a status that is wider than the window is cut`() {
        var window = Window(columns: 20)
        window.model.write(window.screen.draw(status: String(repeating: "我", count: 30)))
        window.add("< hello")
        #expect(window.model.text == ["< hello", String(repeating: "我", count: 9), "Say: "])
    }

    @Test(arguments: [(20, 6), (200, 50), (80, 3)])
    func `another size keeps the last two rows whole`(columns: Int, rows: Int) {
        var window = Window()
        window.add("< before")
        window.type("words that are being typed just now")
        window.screen.resize(columns: columns, rows: rows)
        var model = ScreenModel(columns: columns, rows: rows)
        model.write(window.screen.draw(line: LineRow(EditedLine(), columns: window.screen.lineColumns)))
        model.write(window.screen.add("< after"))
        #expect(model.text.suffix(3) == ["< after", "Ben · Connected", "Say: "])
    }

    @Test func `while somebody else has the terminal the last two rows are not drawn`() {
        var window = Window()
        window.model.write(window.screen.pause())
        window.add("< meanwhile")
        window.type("x")
        #expect(window.model.text == ["< meanwhile"])
        window.screen.resume()
        window.type("back")
        #expect(window.model.text == ["< meanwhile", "Ben · Connected", "Say: back"])
    }

    @Test func `at the end the last two rows are gone`() {
        var window = Window()
        window.add("< bye")
        window.model.write(window.screen.end())
        #expect(window.model.text == ["< bye"])
    }
}
