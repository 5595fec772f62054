import Testing

@testable import RichText

/// What happens to what Markdown does not show when a person edits it.
@Suite struct EditedMarkdownTests {
    private static let comment: [String: RichText.Value] = ["commentMark--mabJ5Uiu": ["threadId": "t1"]]
    private static let link: RichText.Value = ["href": "https://a.b", "rel": "noopener", "target": "_blank"]

    private static let document = RichText([
        .element(.init("heading", ["level": 1, "id": "h_a1b2c3d4"], [.text([.init("Title")])])),
        paragraph(.init("one "), .init("two three four", comment), .init(" five "), .init("six seven", ["link": link])),
        .element(.init("widget", ["data": .array([1, .null])], [paragraph(.init("inside"))])),
        .element(
            .init("paragraph", [:], [.text([.init("a ")]), .element(.init("triStateCheckbox", ["checked": true]))])),
    ])

    private static func edited(_ old: String, _ new: String) -> RichText {
        let markdown = document.markdown()
        #expect(markdown.contains(old))
        return RichText(markdown: markdown.replacing(old, with: new), editing: document)
    }

    private static func edits(_ old: String, _ new: String) -> [RichText.Edit] {
        RichText.difference(from: document, to: edited(old, new))
    }

    @Test func aWordInsideOfACommentStaysCommented() {
        #expect(
            Self.edits("three", "3") == [
                .changeText([.retain(8, marks: [:]), .delete(6), .insert(.init("3 ", Self.comment))], at: [1, 0])
            ])
    }

    @Test func aWordAfterACommentIsNotCommented() {
        #expect(
            Self.edits("four five", "four and five")
                == [.changeText([.retain(19, marks: [:]), .insert(.init("and "))], at: [1, 0])])
    }

    @Test func aWordInALinkHasAllOfTheLink() {
        #expect(
            Self.edits("six seven", "six and seven")
                == [.changeText([.retain(28, marks: [:]), .insert(.init("and ", ["link": Self.link]))], at: [1, 0])])
    }

    @Test func anotherAddressKeepsTheRestOfTheLink() {
        let link: RichText.Value = ["href": "https://c.d", "rel": "noopener", "target": "_blank"]
        #expect(
            Self.edits("(https://a.b)", "(https://c.d)")
                == [.changeText([.retain(24, marks: [:]), .retain(9, marks: ["link": link])], at: [1, 0])])
    }

    @Test func anotherLevelKeepsTheIDOfAHeading() {
        #expect(Self.edits("# Title", "## Title") == [.setAttribute("level", 2, at: [0])])
    }

    @Test func boldTextIsOneChangeOfMarks() {
        #expect(
            Self.edits("one two", "**one** two")
                == [.changeText([.retain(3, marks: ["bold": [:]])], at: [1, 0])])
    }

    @Test func textBesideAnUnknownElementChangesAlone() {
        #expect(
            Self.edits("a `{", "b `{") == [.changeText([.delete(2), .insert(.init("b "))], at: [3, 0])])
    }

    @Test(arguments: [("inside", "in", "widget"), ("true", "1 > 2", "triStateCheckbox"), ("six", "6", nil)])
    func changedJSONIsTold(old: String, new: String, element: String?) {
        #expect(Self.edited(old, new).elementMadeCode(editing: Self.document) == element)
    }

    @Test func anElementRemovedAsAWholeIsNoCode() {
        let without = RichText(Self.document.blocks.filter { $0.element?.name != "widget" })
        let edited = RichText(markdown: without.markdown(), editing: Self.document)
        #expect(edited.elementMadeCode(editing: Self.document) == nil)
        #expect(edited == without)
    }

    @Test func movedBlocksKeepWhatIsNotShown() {
        let markdown = Self.document.markdown()
        let title = "# Title\n"
        let moved = RichText(markdown: String(markdown.dropFirst(title.count)) + "\n" + title, editing: Self.document)
        #expect(moved.blocks == Array(Self.document.blocks[1...]) + [Self.document.blocks[0]])
    }

    @Test func anEmptiedTextIsOneEmptyParagraph() {
        #expect(RichText(markdown: "", editing: Self.document) == RichText([paragraph()]))
        #expect(RichText(markdown: "", editing: RichText()) == RichText())
    }

    @Test func foreignElementsOfOtherNotesAreText() {
        let markdown = Self.document.markdown()
        let elsewhere = RichText(markdown: markdown, editing: RichText([paragraph()]))
        #expect(Schema.problems(in: elsewhere) == [])
        #expect(elsewhere.contentText.contains("\"widget\""))
    }

    @Test(arguments: 0..<30) func editsKeepToTheSchemaAndShowWhatWasWritten(seed: Int) {
        var writer = Writer(seed: 1000 + seed)
        for _ in 0..<10 {
            let old = writer.document()
            let wanted = Schema.conforming(writer.changed(old))
            let markdown = wanted.markdown()
            let new = RichText(markdown: markdown, editing: old)
            #expect(Schema.problems(in: new) == [])
            #expect(new.markdown() == markdown)
        }
    }
}
