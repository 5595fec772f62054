import Testing

@testable import RichText

@Suite struct MarkdownTests {
    @Test(arguments: 0..<40) func whatIsPrintedIsRead(seed: Int) {
        var writer = Writer(seed: seed)
        for _ in 0..<15 {
            let document = writer.document()
            let markdown = document.markdown()
            let read = RichText(markdown: markdown)
            #expect(Schema.problems(in: read) == [])
            guard read == document else {
                Issue.record("\(markdown)\n\(difference(document, read))")
                return
            }
        }
    }

    @Test(arguments: 0..<30) func foreignDocumentsSurviveTheEditor(seed: Int) {
        var writer = Writer(seed: seed)
        for _ in 0..<15 {
            let document = writer.foreign()
            let markdown = document.markdown()
            guard RichText(markdown: markdown, editing: document) == document else {
                Issue.record("\(markdown)\n\(difference(document, RichText(markdown: markdown, editing: document)))")
                return
            }
            // An edit elsewhere leaves all blocks alone, whatever they are.
            let longer = RichText(markdown: markdown + "\nOne more", editing: document)
            guard RichText.difference(from: document, to: longer).count == 1 else {
                Issue.record("\(markdown)\n\(difference(document, longer))")
                return
            }
        }
    }
}

/// The first blocks that differ, as JSON.
func difference(_ left: RichText, _ right: RichText) -> String {
    let pairs = zip(left.blocks.map(Optional.some) + [nil], right.blocks.map(Optional.some) + [nil])
    guard let pair = pairs.first(where: { $0 != $1 }) else {
        return "\(left.blocks.count) and \(right.blocks.count) blocks"
    }
    return [pair.0, pair.1].map { $0?.jsonText ?? "nothing" }.joined(separator: "\n")
}
