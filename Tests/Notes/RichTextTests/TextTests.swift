import Testing

@testable import RichText

@Suite struct TextTests {
    @Test(arguments: [
        ("#one two #Two_2", ["one", "two_2"]), ("a#b", ["b"]), ("#naïve", ["naïve"]), ("#nai\u{308}ve", ["naïve"]),
        ("#日本語。", ["日本語"]),
        ("#हिन्दी x", ["हिन्दी"]), ("#١٢ #ß1 #👍 #a👍", ["ß1", "a"]), ("#ÄÖ #äö", ["äö"]), ("#1a #_a # a", []),
        ("#a #A #a", ["a"]), ("##a#b", ["a", "b"]), ("https://x.y/#frag #real", ["real"]),
        ("http://x.y#a,#b", []), ("https://x.y/ #a", ["a"]),
        ("[[0123456789012345678901#h_a1b2c3d4]] #h_abc", ["h_abc"]),
        ("#" + String(repeating: "x", count: 60), [String(repeating: "x", count: 50)]), ("#ä", ["ä"]), ("#a-b", ["a"]),
        ("#a" + String(repeating: "\u{323}", count: 1000), ["\u{1ea1}" + String(repeating: "\u{323}", count: 49)]),
    ])
    func tags(text: String, tags: [String]) {
        #expect(RichText.tags(in: text) == tags)
    }

    @Test func tagsAmongManyAddressesTakeNoLongTime() {
        let text = String(repeating: "http://a #b ", count: 100_000)
        #expect(RichText.tags(in: text) == ["b"])
    }

    @Test(arguments: [
        ("see https://a.b/c.", ["https://a.b/c"]), ("(https://a.b/c)", ["https://a.b/c"]),
        ("http://a.b/c?d=e#f, http://g", ["http://a.b/c?d=e#f", "http://g"]), ("<https://a.b>", ["https://a.b"]),
        ("https://", []), ("https://!?", []), ("ftp://a.b hhttp://x", ["http://x"]),
        ("https://ä.de/ü\u{a0}x", ["https://ä.de/ü"]),
    ])
    func webAddresses(text: String, urls: [String]) {
        #expect(RichText.webURLs(in: text) == urls)
    }

    @Test func noteLinks() {
        let (short, long) = ("abcdefghij-_ABCDEFGH12", "123e4567-e89b-12d3-a456-426614174000")
        let text =
            "[[\(short)]] [[\(long)#h_a1b2c3d4]] [[#h_a1b2c3d4]] [[\(short)x]] [[short]] [[]] [\(short)] [[[\(short)]]"
        #expect(
            RichText.noteLinks(in: text) == [
                .init(note: short), .init(note: long, heading: "h_a1b2c3d4"), .init(note: nil, heading: "h_a1b2c3d4"),
                .init(note: short),
            ])
        let shown = RichText.showingTitles(in: "a [[\(short)]] b [[\(long)]] [[#h_a1b2c3d4]]") {
            $0 == short ? "T" : nil
        }
        #expect(shown == "a [[T]] b [[deleted note]] [[#h_a1b2c3d4]]")
    }

    @Test(arguments: [
        ("Two  words!", "two-words"), (" -a- b ", "a-b"), ("Äpfel & Birnen", "pfel-birnen"), ("a_b--c", "a_b-c"),
        ("!", ""),
    ])
    func slugs(text: String, slug: String) {
        #expect(RichText.slug(text) == slug)
    }

    @Test func titleTextAndSnippet() {
        let item = { RichText.Node.element(.init("listItem", [:], [paragraph(.init($0))])) }
        let document = RichText([
            paragraph(), paragraph(.init(" \u{a0} ")),
            paragraph(.init(" Hello "), .init("bold <x> ", ["bold": [:]])),
            .element(.init("bulletList", [:], [item("milk"), item("bread")])),
            paragraph(),
            .element(
                .init("paragraph", [:], [.text([.init("a")]), .element(.init("hardBreak")), .text([.init("b")])])),
        ])
        #expect(document.title == "Hello bold <x>")
        #expect(document.contentText == "\n \u{a0} \n Hello bold <x> \nmilk bread\n\na b")
        #expect(document.snippet == " Hello bold <x> \nmilk bread\na b")
        #expect(RichText().title == "Untitled")
        #expect(RichText([.element(.init("bulletList", [:], [item("milk"), item("bread")]))]).title == "milkbread")
    }

    @Test func snippetSplitsNoPair() {
        let text = String(repeating: "a", count: 199) + "😀"
        let document = RichText([paragraph(.init("title")), paragraph(.init(text))])
        #expect(document.snippet.utf16.count == 199)
        let even = RichText([paragraph(.init("title")), paragraph(.init("a" + text.dropFirst(2) + "b"))])
        #expect(even.snippet.utf16.count == 200)
    }

    @Test func headings() {
        let document = RichText([
            .element(.init("heading", ["level": 2, "id": "h_a1b2c3d4"], [.text([.init("One ")])])),
            .element(
                .init("blockquote", [:], [.element(.init("heading", ["level": "1"], [.text([.init("Two")])]))])),
        ])
        #expect(
            document.headings == [
                .init(path: [0], level: 2, text: "One", id: "h_a1b2c3d4"),
                .init(path: [1, 0], level: 1, text: "Two", id: nil),
            ])
    }

    @Test func tasks() throws {
        let task = { (text: String, state: RichText.Value) in
            RichText.Node.element(.init("taskItem", ["checked": state], [paragraph(.init(text))]))
        }
        let document = RichText([
            .element(
                .init(
                    "bulletList", [:],
                    [
                        task("a", "unchecked"), task("b", "unchecked"), task("c", "checked"), task("d", "nope"),
                        task("e", true),
                    ]))
        ])
        #expect(document.tasks.map(\.state) == [.unchecked, .unchecked, .checked, .nope, .checked])
        #expect(document.tasks[2] == .init(path: [0, 2], state: .checked, text: "c"))
        #expect(
            document.edits(settingTaskAt: [0, 0], to: .checked) == [.setAttribute("checked", "checked", at: [0, 0])])
        let order = { (path: RichText.Path, state: RichText.Task.State) throws in
            try document.applying(document.edits(settingTaskAt: path, to: state, reordering: true)).tasks.map(\.text)
                .joined()
        }
        #expect(try order([0, 0], .checked) == "bacde")
        #expect(try order([0, 4], .unchecked) == "abecd")
        #expect(try order([0, 1], .nope) == "abcde")
        #expect(document.edits(settingTaskAt: [0], to: .checked).isEmpty)
        #expect(document.edits(settingTaskAt: [0, 2], to: .checked).isEmpty)
    }

    @Test func statesOfATask() {
        #expect(RichText.Task.State.allCases.map { $0.next() } == [.checked, .nope, .unchecked])
        #expect(RichText.Task.State.checked.next(allowsNope: false) == .unchecked)
    }
}
