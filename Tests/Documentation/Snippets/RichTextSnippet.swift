import RichText
import Testing

/// The first block of docs/markdown.md.
@Suite struct RichTextSnippet {
    // swift-format-ignore
    @Test func `a note is printed, edited as text, and compared`() {
        let note = RichText(markdown: "# Groceries\n\n* milk")

        let text = note.markdown()                            // what an editor shows
        let edited = RichText(markdown: text, editing: note)  // what the person made of it
        let edits = RichText.difference(from: note, to: edited)

        #expect(edits.isEmpty && text.contains("milk"))
    }
}
