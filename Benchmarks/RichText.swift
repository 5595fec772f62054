import RichText

extension Suite {
    static let richText = Suite(name: "richtext", about: "a note of 100 KB as Markdown, and what an edit changed") {
        recorder in
        let note = note(paragraphs: 480)
        let markdown = note.markdown()
        await recorder.time("printing \(markdown.utf8.count / 1024) KB", aim: 20) {
            blackHole(note.markdown().utf8.count)
        }
        await recorder.time("reading it", aim: 20) { blackHole(RichText(markdown: markdown).blocks.count) }
        let changed = markdown.replacing("paragraph 99 tells", with: "paragraph 99 says")
        await recorder.time("reading it as an edit", aim: 60) {
            blackHole(RichText(markdown: changed, editing: note).blocks.count)
        }
        let edited = RichText(markdown: changed, editing: note)
        await recorder.time("the edits for one word", aim: 5) {
            blackHole(RichText.difference(from: note, to: edited).count)
        }
        let lines = { (text: String) in
            RichText((0..<10_000).map { paragraph("\(text) \($0) with some words in it") })
        }
        let (old, new) = (lines("the old line"), lines("another text"))
        await recorder.time("the edits for 10 000 lines that all change", aim: 1000, rounds: 3) {
            blackHole(RichText.difference(from: old, to: new).count)
        }
        await recorder.time("title, text, tags, links and tasks", aim: 10) {
            blackHole(note.title.count + note.tags.count + note.noteLinks.count + note.tasks.count + note.snippet.count)
        }
    }

    private static func paragraph(_ text: String) -> RichText.Node {
        .element(.init("paragraph", [:], [.text([.init(text)])]))
    }

    private static func note(paragraphs: Int) -> RichText {
        let blocks = (0..<paragraphs).flatMap { number -> [RichText.Node] in
            let text = RichText.Node.text([
                .init(
                    "This paragraph \(number) tells of snake_case names, of 2 * 3 = 6, of #tags, and of the fox that "),
                .init("jumps", ["bold": [:]]), .init(" over "),
                .init("a dog", ["link": ["href": "https://example.org"]]),
                .init(" which lies there and thinks about what to do with the rest of its lazy day."),
            ])
            let block = RichText.Node.element(.init("paragraph", [:], [text]))
            switch number % 8 {
            case 0: return [.element(.init("heading", ["level": 2], [.text([.init("Part \(number)")])])), block]
            case 3:
                return [
                    .element(.init("bulletList", [:], [.element(.init("taskItem", ["checked": "checked"], [block]))]))
                ]
            default: return [block]
            }
        }
        return RichText(blocks)
    }
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) private func blackHole(_ value: Int) {}
