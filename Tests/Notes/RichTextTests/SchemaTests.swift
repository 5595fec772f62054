import RichText
import Testing

@Suite struct SchemaTests {
    @Test(arguments: 0..<20) func whatIsMadeConformingConforms(seed: Int) {
        var writer = Writer(seed: seed)
        for _ in 0..<20 {
            let valid = writer.document()
            #expect(Schema.conforming(valid) == valid)
            let made = Schema.conforming(writer.foreign())
            #expect(Schema.problems(in: made) == [])
            #expect(Schema.conforming(made) == made)
        }
    }

    @Test(arguments: [
        (RichText(), "", "the document needs a block"),
        (RichText([.text([])]), "0", "the document has no text of its own"),
        (RichText([.element(.init("widget"))]), "0", "widget does not belong into the document"),
        (RichText([.element(.init("bulletList"))]), "0", "bulletList needs listItem or taskItem"),
        (RichText([.element(.init("heading"))]), "0", "the attribute level of heading is wrong or missing"),
        (RichText([.element(.init("paragraph", ["x": 1]))]), "0", "paragraph has no attribute x"),
        (RichText([paragraph(.init("a", ["glow": [:]]))]), "0.0", "the mark glow is unknown or wrong"),
        (RichText([paragraph(.init(content: .embed(1)))]), "0.0", "text has nothing embedded"),
        (
            RichText([.element(.init("codeBlock", [:], [.text([.init("a", ["bold": [:]])])]))]), "0.0",
            "text in codeBlock has no marks"
        ),
        (
            RichText([
                .element(
                    .init("bulletList", [:], [.element(.init("taskItem", [:], [.element(.init("horizontalRule"))]))]))
            ]),
            "0.0", "taskItem begins with a paragraph"
        ),
        (RichText([.element(.init("horizontalRule", [:], [paragraph()]))]), "0", "horizontalRule has nothing inside"),
    ])
    func whatIsWrongIsNamed(document: RichText, path: String, rule: String) {
        #expect(Schema.problems(in: document).map(\.description) == ["\(path): \(rule)"])
        #expect(Schema.problems(in: Schema.conforming(document)) == [])
    }

    @Test func conformingKeepsWhatIsInsideOfTheUnknown() {
        let document = RichText([
            .element(
                .init(
                    "widget", ["a": 1], [paragraph(.init("one", ["glow": [:], "bold": [:]])), .text([.init("two")])])),
            .element(.init("bulletList", [:], [paragraph(.init("three"))])),
        ])
        #expect(
            Schema.conforming(document)
                == RichText([
                    paragraph(.init("one", ["bold": [:]])), paragraph(.init("two")),
                    .element(
                        .init("bulletList", [:], [.element(.init("listItem", [:], [paragraph(.init("three"))]))])),
                ]))
    }

    @Test(arguments: [
        ("commentMark--mabJ5Uiu", "commentMark"), ("commentMark", "commentMark"), ("a--1234567", "a--1234567"),
        ("a--12345+/=", "a"), ("--12345678", "--12345678"), ("a-12345678", "a-12345678"),
    ])
    func namesOfMarks(name: String, base: String) {
        #expect(Schema.baseName(ofMark: name) == base)
    }
}
