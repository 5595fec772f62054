import RichText
import Testing

@Suite struct RewordingTests {
    private static let comment: [String: RichText.Value] = ["commentMark--mabJ5Uiu": ["threadId": "t1"]]
    private static let mention = RichText.Node.element(
        .init("mentionNode", ["profileId": "p1", "handle": "ben", "displayName": "Ben"]))

    private static func reworded(_ children: [RichText.Node], _ words: String) -> [RichText.Node] {
        var element = RichText.Element("heading", ["level": 1], children)
        element.reword(as: words)
        return element.children
    }

    @Test func whatStaysKeepsItsMarks() {
        let old: [RichText.Node] = [.text([.init("The "), .init("big", Self.comment), .init(" plan", ["bold": [:]])])]
        #expect(
            Self.reworded(old, "The big new plan") == [
                .text([
                    .init("The "), .init("big", Self.comment), .init(" ", ["bold": [:]]), .init("new "),
                    .init("plan", ["bold": [:]]),
                ])
            ])
    }

    @Test func newWordsHaveTheMarksOfAll() {
        #expect(
            Self.reworded([.text([.init("Old", ["bold": [:]])])], "New words")
                == [.text([.init("New words", ["bold": [:]])])])
        #expect(Self.reworded([], "New") == [.text([.init("New")])])
    }

    @Test(arguments: ["Meet", "Meeting with", "Something else"]) func elementsStay(words: String) {
        let elements = [Self.mention, .element(.init("widget"))]
        #expect(Self.reworded([.text([.init("Meeting ")])] + elements, words) == [.text([.init(words)])] + elements)
    }
}
