import AppCore
import Testing

@testable import Layout

@Suite struct TerminalTests {
    @Test func anOutlineHasALineForEachNode() {
        let tree = Samples.screen([
            ViewNode(
                "text_field", "chat.draft", "Message", value: "a\nb\u{1B}[2J", isFocused: true, actions: ["set_text"]),
            ViewNode("button", "chat.send", "Send", detail: "Later", isEnabled: false),
        ])
        #expect(
            tree.outline == """
                page [Screen] "Page"
                  chat.draft [TextField] "Message" = "a⏎b\u{FFFD}[2J" {set_text} focused
                  chat.send [Button] "Send" (Later) not enabled

                """)
    }

    @Test func aTalkReadsFromBothSides() {
        let tree = Samples.screen([
            ViewNode("heading", "h", "Ann"),
            ViewNode(
                "list", "l", "Messages",
                [
                    ViewNode("message", "1", "You", value: "Hello", detail: "Seen", side: .own),
                    ViewNode("message", "2", "The other person", value: "你好 world", side: .other),
                ]),
            ViewNode("choice", "c", "1 hour", isSelected: true),
            ViewNode("text_field", "d", "Message", value: "", isFocused: true, actions: ["set_text"]),
            ViewNode("button", "b", "Send", actions: ["tap"]),
        ])
        #expect(
            tree.terminalLines(columns: 30, hasColours: false) == [
                "  Ann", "  Messages", "                           You", "                         Hello",
                "                          Seen", "    The other person", "    你好 world", "  (•) 1 hour",
                "› Message: ▏",
                "  [ Send ]",
            ])
        #expect(tree.terminalLines(columns: 30).contains("  \u{1B}[34m[ Send ]\u{1B}[0m"))
        #expect(tree.terminalLines(columns: 30, hasColours: false, focused: "b").contains("› [ Send ]"))
    }

    @Test(arguments: [0, 20, 33, 80]) func noLineIsTooWide(columns: Int) {
        let text =
            "A long text, 你好世界你好世界你好世界, 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦 and\ttabs \u{202E}reversed \u{200F}\u{61C}\u{2067}\u{9B}1m\u{2028}\u{1B}]0;title\u{7}"
        var tree = Samples.chat(4) { _ in text }
        tree.children.append(contentsOf: Samples.rooms.children)
        for level in 0..<40 { tree = ViewNode("section", "s\(level)", text, [tree]) }
        for line in tree.terminalLines(columns: columns, hasColours: false) {
            #expect(PlainText.cells(line) <= max(columns, 20), "\(line)")
            #expect(
                !line.unicodeScalars.contains { scalar in
                    scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
                        || scalar == "\u{2028}"
                })
        }
    }
}
