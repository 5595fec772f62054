import Testing

@testable import RichText

/// The spellings of `docs/markdown.md`, both ways.
@Suite struct SpellingTests {
    private static func text(_ runs: RichText.Run...) -> RichText { RichText([paragraph(runs)]) }

    private static func paragraph(_ runs: [RichText.Run]) -> RichText.Node {
        .element(.init("paragraph", [:], runs.isEmpty ? [] : [.text(runs)]))
    }

    private static func element(
        _ name: String, _ attributes: [String: RichText.Value] = [:], _ children: RichText.Node...
    ) -> RichText.Node { .element(.init(name, attributes, children)) }

    private static let plain = paragraph([.init("a")])

    private static let spellings: [(String, RichText)] = [
        ("", RichText([paragraph([])])),
        ("a\n\n\\\n\nb\n", RichText([plain, paragraph([]), paragraph([.init("b")])])),
        ("<wbr>\\\\\n", text(.init("\\"))),
        (
            "**a** _b_ ~~c~~ `d` <u>e</u>\n",
            text(
                .init("a", ["bold": [:]]), .init(" "), .init("b", ["italic": [:]]), .init(" "),
                .init("c", ["strike": [:]]),
                .init(" "), .init("d", ["code": [:]]), .init(" "), .init("e", ["underline": [:]]))
        ),
        (
            "a**b**c<i>d</i>\n",
            text(
                .init("a"), .init("b", ["bold": [:]]), .init("c"), .init("d", ["italic": [:]]))
        ),
        ("**a _b_**\n", text(.init("a ", ["bold": [:]]), .init("b", ["bold": [:], "italic": [:]]))),
        (
            "snake_case 2 \\* 3 a#b #tag a-b 1.5 x_ \\`\n".replacing("x_", with: "x\\_"),
            text(
                .init("snake_case 2 * 3 a#b #tag a-b 1.5 x_ `"))
        ),
        ("\\# a\n", text(.init("# a"))),
        ("1\\. a\n", text(.init("1. a"))),
        ("&#32;a&#32;\n", text(.init(" a "))),
        ("see [[0123456789012345678901]]\\[1\\]\n", text(.init("see [[0123456789012345678901]][1]"))),
        ("[a](https://b.c){.chip}\n", text(.init("a", ["link": ["href": "https://b.c", "displayMode": "chip"]]))),
        ("<https://b.c>\n", text(.init("https://b.c", ["link": ["href": "https://b.c"]]))),
        ("# a {.collapsed}\n", RichText([element("heading", ["level": 1, "collapsed": true], .text([.init("a")]))])),
        (
            "- a\n- [ ] b\n- [x] c\n- [-] d\n",
            RichText([
                element(
                    "bulletList", [:], element("listItem", [:], plain),
                    element("taskItem", ["checked": "unchecked"], paragraph([.init("b")])),
                    element("taskItem", ["checked": "checked"], paragraph([.init("c")])),
                    element("taskItem", ["checked": "nope"], paragraph([.init("d")])))
            ])
        ),
        (
            "- <wbr>\\[ \\] a\n",
            RichText([element("bulletList", [:], element("listItem", [:], paragraph([.init("[ ] a")])))])
        ),
        (
            "- a\n\n* a\n",
            RichText([
                element("bulletList", [:], element("listItem", [:], plain)),
                element("bulletList", [:], element("listItem", [:], plain)),
            ])
        ),
        (
            "3. a\n   - a\n4.\n",
            RichText([
                element(
                    "orderedList", ["start": 3],
                    element("listItem", [:], plain, element("bulletList", [:], element("listItem", [:], plain))),
                    element("listItem", [:], paragraph([])))
            ])
        ),
        ("> a\n>\n> ---\n", RichText([element("blockquote", [:], plain, element("horizontalRule"))])),
        (
            "```swift {.numberLines}\na\n```\n",
            RichText([
                element("codeBlock", ["language": "swift", "showLineNumbers": true], .text([.init("a")]))
            ])
        ),
        (
            "a\\\nb<br>\n",
            RichText([
                .element(
                    .init(
                        "paragraph", [:],
                        [
                            .text([.init("a")]), .element(.init("hardBreak")), .text([.init("b")]),
                            .element(.init("hardBreak")),
                        ]))
            ])
        ),
        (
            "| {colwidth=120} a | a |\n| --: | --- |\n| a<p>a | {.header} a |\n",
            RichText([
                element(
                    "table", [:],
                    element(
                        "tableRow", [:],
                        element("tableHeader", ["colwidth": .array([120]), "textAlign": "right"], plain),
                        element("tableHeader", [:], plain)),
                    element(
                        "tableRow", [:],
                        element("tableCell", ["colwidth": .array([120]), "textAlign": "right"], plain, plain),
                        element("tableHeader", [:], plain)))
            ])
        ),
        ("![a](image:s/i)\n", RichText([element("notecoveImage", ["imageId": "i", "sdId": "s", "alt": "a"])])),
        (
            "<img src=\"image:i\" caption=\"a &#34;b&#34;\" width=\"50%\" href=\"https://c.d\">\n",
            RichText([
                element(
                    "notecoveImage",
                    ["imageId": "i", "caption": "a \"b\"", "width": "50%", "linkHref": "https://c.d"])
            ])
        ),
        (
            "[@a](mention:p \"A B\")\n",
            RichText([
                element(
                    "paragraph", [:],
                    element("mentionNode", ["profileId": "p", "handle": "@a", "displayName": "A B"]))
            ])
        ),
        (
            "```{.node}\n{\"name\":\"oembedUnfurl\",\"attributes\":{\"isLoading\":false,\"url\":\"https://a.b\"}}\n```\n",
            RichText([
                element("oembedUnfurl", ["url": "https://a.b", "isLoading": false])
            ])
        ),
    ]

    @Test(arguments: spellings.indices) func isPrintedAndRead(index: Int) {
        let (markdown, document) = Self.spellings[index]
        #expect(document.markdown() == markdown)
        #expect(RichText(markdown: markdown) == document)
        #expect(Schema.problems(in: document) == [])
    }

    @Test(arguments: [
        ("a\nb", text(.init("a b"))),
        ("*a* __b__", text(.init("a", ["italic": [:]]), .init(" "), .init("b", ["bold": [:]]))),
        ("<div>\n**a**\n</div>", text(.init("<div> "), .init("a", ["bold": [:]]), .init(" </div>"))),
        ("<!-- a -->", text(.init("<!-- a -->"))), ("a <x> </u>", text(.init("a <x> </u>"))),
        ("![a](b.png)", text(.init("a", ["link": ["href": "b.png"]]))),
        (
            "- # a",
            RichText([
                element(
                    "bulletList", [:],
                    element("listItem", [:], paragraph([]), element("heading", ["level": 1], .text([.init("a")]))))
            ])
        ),
        (
            "a ![b](image:i) c",
            RichText([
                paragraph([.init("a ")]), element("notecoveImage", ["imageId": "i", "alt": "b"]),
                paragraph([.init(" c")]),
            ])
        ),
        ("```{.node}\n{}\n```", RichText([element("codeBlock", ["language": "{.node}"], .text([.init("{}")]))])),
        (
            "a\r\n\r\n```\r\nb\r\nc\r```\r\n",
            RichText([plain, element("codeBlock", [:], .text([.init("b\nc")]))])
        ),
        ("[a]: b\n\n[a]", text(.init("a", ["link": ["href": "b"]]))),
    ])
    func isOnlyRead(markdown: String, document: RichText) {
        #expect(RichText(markdown: markdown) == document)
    }

    @Test func copiesShowIDsOfHeadingsAndFilesOfImages() {
        let document = RichText([
            Self.element("heading", ["level": 2, "id": "h_a1b2c3d4", "collapsed": true], .text([.init("a")])),
            Self.element("notecoveImage", ["imageId": "i", "sdId": "s"]),
        ])
        let markdown = document.markdown(headingIDs: true) { "media/\($0.image).png" }
        #expect(markdown == "## a {#h_a1b2c3d4 .collapsed}\n\n![](media/i.png)\n")
        let read = RichText(markdown: markdown) { $0 == "media/i.png" ? .init(image: "i", storage: "s") : nil }
        #expect(read == document)
    }

    @Test(arguments: ["> ", "- ", "1. ", "*", "[", "![", "`", "<a ", "~~a", "|a\n|-\n", "**_", "<!--\n", "\\", "&#"])
    func deepAndLongTextIsRead(piece: String) {
        let document = RichText(markdown: String(repeating: piece, count: 2000))
        #expect(Schema.problems(in: document) == [])
        #expect(RichText(markdown: document.markdown()) == document)
    }
}
