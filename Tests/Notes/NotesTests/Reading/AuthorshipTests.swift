import Testing

@testable import Notes

@Suite("Authors in Markdown")
struct AuthorshipTests {
    private func spans(_ markdown: String, _ text: [(String, String?)]) -> [NoteText.Span] {
        Authorship.spans(of: markdown, by: text.map { WrittenText(text: $0.0, author: $0.1) })
    }

    @Test("Each piece keeps its author")
    func pieces() {
        let found = spans("Hello brave world\n", [("Hello ", "Ada"), ("brave", "Ben"), (" world", "Ada")])
        #expect(found.map(\.author) == ["Ada", "Ben", "Ada"])
        #expect(found.map(\.text).joined() == "Hello brave world\n")
        #expect(found[1].text.contains("brave"))
    }

    @Test("A bullet belongs to whoever wrote the item")
    func bullets() {
        let found = spans("- one\n- two\n", [("one", "Ada"), ("two", "Ben")])
        #expect(found == [.init(text: "- one\n", author: "Ada"), .init(text: "- two\n", author: "Ben")])
    }

    @Test(
        "Nothing is left out, whatever the spelling does",
        arguments: ["", "***x***", "\\*a\\*", "`` ` ``", "a&nbsp;b", "😀 **é**", "no such text"])
    func whole(markdown: String) {
        let found = spans(markdown, [("x*a", "Ada"), ("`\u{a0}b😀é", nil), ("zzz", "Ben")])
        #expect(found.map(\.text).joined() == markdown)
    }
}
