import NoteIndex
import RichText
import Testing

@Suite struct SearchTests {
    @Test(arguments: [
        ("milk", ["shop"]), ("MILK bread", ["shop"]), ("mil", ["shop"]), ("mi", []), ("mi*", ["shop"]),
        ("milk wine", []), ("\"milk and bread\"", ["shop"]), ("\"bread and milk\"", []), ("ilk", []),
        ("über", ["words"]), ("uber", ["words"]), ("naïve", ["words"]), ("naive", ["words"]), ("日本", ["words"]),
        ("snake", ["words"]), ("snake_case", ["words"]), ("case", ["words"]), ("e-mail", ["words"]),
        ("don't", ["words"]),
        ("#work", ["tagged"]), ("work", ["plain"]), ("#plan", ["tagged"]), ("plan", []), ("#nothing", []),
        ("/date", ["tagged"]), ("date", []), ("frag", ["words"]), ("#frag", []), ("gone", []), ("hashtag", []),
        ("__hashtag__work", []), ("b", []), ("#b", ["tagged"]),
    ])
    func wordsFindTheirNotes(query: String, expected: [String]) throws {
        let index = try makeIndex()
        try index.add(
            note("shop", "Shopping\nmilk and bread"), note("gone", "Gone\nmilk", isDeleted: true),
            note("words", "Words\nÜber naïve 日本 snake_case e-mail don't https://example.com/a#frag"),
            note("tagged", "Tagged\n#work #plan_b a#b /date"), note("plain", "Plain\nwork"))
        #expect(try index.found(query) == expected)
    }

    private static let everyScript = [
        ("日本", ["ja"]), ("語", ["ja"]), ("本語を", ["ja"]), ("を勉強", ["ja"]), ("勉強 日本語", ["ja"]), ("本日", []), ("勉", ["ja"]),
        ("東京大学", []), ("\"東京 大学\"", ["ja"]), ("ガス", ["ja"]), ("カス", []), ("iPhone", ["ja"]), ("iPhone15を", ["ja"]),
        ("学校", ["ko"]), ("학교", ["ko"]), ("교에", ["ko"]), ("학", ["ko"]), ("สวัสดี", ["th"]), ("วัสดีค", ["th"]),
        ("中文", ["zh"]), ("我们", ["zh"]), ("們", []),
        ("👍", ["emoji"]), ("👍🏽", ["emoji"]), ("👨‍👩‍👧", ["emoji"]), ("👩", ["emoji"]), ("🇩🇪", ["emoji"]), ("🇪🇺", ["emoji"]),
        ("🇩", []),
        ("☕", ["emoji"]), ("☕️ 👍", ["emoji"]), ("👎", []), ("party🎉", ["emoji"]), ("🫠", ["emoji"]), ("❤", ["emoji"]),
        ("strasse", ["de"]), ("STRASSE", ["de"]), ("Straße", ["de"]), ("straß", ["de"]), ("fliessen", ["de"]),
        ("Größe", ["de"]),
        ("grosse", ["de"]), ("ﬁnale", ["de"]), ("finale", ["de"]), ("Ａbc", ["de"]), ("istanbul", ["de"]),
        ("σοφος", ["el"]), ("ΣΟΦΌΣ", ["el"]), ("привет", ["ru"]), ("Ёлка", ["ru"]), ("елка", ["ru"]), ("محمد", ["ar"]),
        ("हिन्दी", ["hi"]), ("हन्द", []), ("cafe", ["fr"]), ("cafe\u{301}", ["fr"]), ("œuvre", ["fr"]),
    ]

    @Test(arguments: everyScript) func wordsOfEveryScriptAreFound(query: String, expected: [String]) throws {
        let index = try makeIndex()
        try index.add(
            note("ja", "メモ\n日本語を勉強する。東京 大学、カ\u{3099}ス iPhone15を"), note("ko", "노트\n우리는 학교에서 만나요 學校 学校"),
            note("th", "x\nสวัสดีครับ"), note("zh", "笔记\n我们写中文。"),
            note("emoji", "x\nGood👍🏿 👨‍👩‍👧 🇩🇪🇪🇺 ☕️ party🎉 🫠 ❤️"),
            note("de", "x\nStraße FLIESSEN GRÖSSE ﬁnale ＡＢＣ İstanbul"), note("el", "x\nΣοφός"),
            note("ru", "x\nПривет, ёлка"), note("ar", "x\nمُحَمَّد"), note("hi", "x\nहिन्दी भाषा"),
            note("fr", "x\nun café, des œuvres"))
        #expect(try index.found(query) == expected, "\(query)")
    }

    @Test(arguments: [
        ("#größe", ["size"]), ("#GRÖSSE", []), ("#Größe", ["size"]), ("#gro\u{308}ße", ["size"]), ("#grosse", []),
        ("größe", ["words"]),
        ("#仕事", ["size"]), ("#仕", []), ("#work", ["work"]), ("#wor", ["shop", "work"]), ("#work*", ["shop", "work"]),
        ("#workshop", ["shop"]), ("#1", ["words"]), ("#e-mail", ["mail"]), ("#todo", []), ("todo", ["mail"]),
    ])
    func tagsAreThoseOfTheText(query: String, expected: [String]) throws {
        let index = try makeIndex()
        let texts = [
            ("size", "x\n#Größe, #仕事。"), ("work", "x\n#Work"), ("shop", "x\n#workshop"), ("words", "x\nGröße 1"),
            ("mail", "x\n#e mail"),
        ]
        for (id, text) in texts {
            var note = note(id, text, tags: RichText.tags(in: text))
            if id == "mail" { note.threads = [thread("t", "a #todo")] }
            try index.add(note)
        }
        #expect(try index.found(query).sorted() == expected, "\(query)")
        // What a list finds by a tag, a search finds, and nothing else.
        if query.hasPrefix("#"), let tag = RichText.tags(in: query).first, query == "#\(query.dropFirst())" {
            let listed = try index.read { try $0.notes(NoteFilter(tags: [tag])).map(\.id) }
            if !listed.isEmpty, !query.hasSuffix("*"), !query.contains("-") {
                #expect(try index.found(query).sorted() == listed.sorted())
            }
        }
    }

    private func thread(_ id: String, _ text: String, replies: [String] = []) -> IndexedThread {
        func comment(_ text: String) -> IndexedComment {
            IndexedComment(author: "a", authorName: "Ada", authorHandle: "@ada", text: text, created: 1, modified: 1)
        }
        return IndexedThread(
            id: id, comment: comment(text), quoted: "",
            replies: replies.enumerated().map { IndexedReply(id: "\(id)-\($0)", comment: comment($1)) })
    }

    @Test func commentsAreSearched() throws {
        let index = try makeIndex()
        var commented = note("a", "Recipe\nTwo cups of flour")
        try index.add(commented, note("b", "Other\nrye"))
        #expect(try index.found("wheat").isEmpty)
        commented.threads = [thread("t", "Is it rye?", replies: ["No, wheat 小麦", "Übrigens: two"])]
        try index.add(commented)
        #expect(try index.found("wheat") == ["a"])
        #expect(try index.found("flour 小麦") == ["a"])
        #expect(Set(try index.found("rye")) == ["a", "b"])
        #expect(try index.found("\"rye no\"").isEmpty, "a phrase does not go on in the next comment")
        #expect(try index.found("comment").isEmpty && index.found("__comment__").isEmpty)
        let match = try #require(try index.read { try $0.search("ubrigens") }.first)
        #expect(match.snippet == "Übrigens: two" && match.isComment)
        #expect(try index.read { try $0.search("flour") }.first?.isComment == false)
        commented.threads = []
        try index.add(commented)
        #expect(try index.found("wheat").isEmpty)
    }

    @Test func titlesComeFirst() throws {
        let index = try makeIndex()
        try index.add(
            note("often", "Other\nboat boat boat boat", modified: 3000), note("title", "Boat\n", modified: 1000),
            note("newer", "My boat\n" + String(repeating: "words ", count: 200), modified: 2000))
        #expect(Set(try index.found("boat").prefix(2)) == ["title", "newer"])
        #expect(try index.found("boat").last == "often")
    }

    @Test func commonWordsShowTheNewestNotes() throws {
        let index = try makeIndex()
        let count = 1200
        try index.write { writer in
            // Not in the order of time.
            for number in 0..<count {
                let time = Int64(number * 7 % count)
                try writer.upsert(note("n\(time)", "Title\ncommon words", modified: 1_700_000_000_000 + time * 1000))
            }
            try writer.upsert(note("t", "A common title\n", modified: 1_600_000_000_000))
            try writer.upsert(note("r", "Rare\nrare and common", modified: 1_600_000_000_000))
        }
        let newest = (0..<count).reversed().map { "n\($0)" }
        #expect(try index.found("common") == ["t"] + newest.prefix(49))
        #expect(try index.found("comm") == ["t"] + newest.prefix(49))
        #expect(try index.found("common words") == Array(newest.prefix(50)))
        #expect(try index.found("common rare") == ["r"])
        // A note that is touched becomes the first.
        try index.add(note("n3", "Title\ncommon words", modified: 1_800_000_000_000))
        #expect(try index.found("common").prefix(2) == ["t", "n3"])
        #expect(try index.read { try $0.search("common", limit: 3).count } == 3)
        #expect(try index.read { try $0.search("common", limit: 0).isEmpty })
    }

    @Test func manyNotesOfOneSecondFindTheirPlaces() throws {
        let index = try makeIndex()
        try index.write { writer in
            for number in 0..<2000 { try writer.upsert(note("n\(number)", "Imported\nword")) }
            for time in [Int64.min, -1, 0, Int64.max] { try writer.upsert(note("t\(time)", "Odd", modified: time)) }
        }
        #expect(try index.found("word").count == 50)
        #expect(Set(try index.found("odd")).count == 4)
    }

    @Test(arguments: [
        ("milk", "Shopping\nmilk and bread", "milk and bread"),
        ("shopping", "Shopping\nmilk and bread", "milk and bread"),
        ("#work", "Title\nwork and #work, and more", "work and #work, and more"),
        ("uber", "Title\nhinüber,\nÜber den Wolken", "hinüber, Über den Wolken"),
        ("\"the end\"", "Title\nthis is the end", "this is the end"),
        ("strasse", "Title\nin der Straße", "in der Straße"), ("勉強", "題\n日本語を勉強する", "日本語を勉強する"),
    ])
    func snippetsShowTheOriginal(query: String, text: String, expected: String) throws {
        let index = try makeIndex()
        try index.add(note("a", text))
        #expect(try index.read { try $0.search(query).map(\.snippet) } == [expected])
    }

    @Test func snippetsOfLongNotesShowTheMatch() throws {
        let filler = String(repeating: "lorem ipsum ", count: 100)
        let index = try makeIndex()
        try index.add(note("a", "Title\n\(filler)#needle_case\n\(filler)"))
        for query in ["#needle", "#needle_case"] {
            let matches = try index.read { try $0.search(query) }
            let snippet = try #require(matches.first).snippet
            #expect(snippet.contains("ipsum #needle_case lorem"))
            #expect(snippet.hasPrefix("…") && snippet.hasSuffix("…"))
            #expect(snippet.count < 200)
        }
    }

    @Test func everyTextIsFoundByItself() throws {
        let pieces = [
            "a", "Bc", "12", " ", " ", "\n", "#", "#tag", "/", "_", "-", "'", "日", "本語", "か\u{3099}", "한국",
            "\u{1112}\u{1161}\u{11ab}", "ไทย",
            "ß", "É", "e\u{301}", "ﬁ", "½", "①", "㎏", "㍿", "™", "🎉", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇩", "❤️", "1️⃣", "\u{200d}",
            "\u{200b}", "\u{fe0f}",
            "हिन्दी", "مُحَمَّد", "https://a.b/c#d", "ｶﾞ", "々", "ー", "・", "𠀀", "\u{31350}", "\0", "İ", "ı", "Σς",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<400 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            let index = try makeIndex()
            try index.add(note("x", "\n" + text))
            let hasWords = text.unicodeScalars.contains { scalar in
                let properties = scalar.properties
                return properties.isAlphabetic || properties.numericType != nil
                    || (properties.isEmojiPresentation && !properties.isEmojiModifier)
            }
            guard hasWords else { continue }
            #expect(try index.found("\" \(text) \"") == ["x"], "\(text.debugDescription)")
        }
    }

    @Test func nothingThatIsTypedIsAnError() throws {
        let index = try makeIndex()
        try index.add(note("a", "Title\nAND or not NEAR title: content ^x {y} (z) ünï #tag /slash \"quoted\""))
        let pieces = [
            "\"", "*", "(", ")", "{", "}", ":", "^", "+", "-", "AND", "OR", "NOT", "NEAR(a b, 2)", "title:", "#", "/",
            "_",
            "\\", "'", ";", "%", "\0", "\u{301}", "👍🏽", "ünï", "a", "tag", " ", "\n", "\t", "\u{a0}", "½", "٣", ",",
            "...",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let query = (0..<Int.random(in: 0...8)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            #expect(throws: Never.self, "\(query.debugDescription)") { _ = try index.found(query) }
        }
        #expect(try index.found(String(repeating: "title ", count: 10_000)) == ["a"])
        #expect(try index.found(String(repeating: "t", count: 100_000)).isEmpty)
        // What FTS5 would nest stands in a string there, and means nothing.
        for opening in ["(", "NOT (", "\"(", "a AND (", "{a} : ("] {
            #expect(throws: Never.self) { _ = try index.found(String(repeating: opening, count: 10_000)) }
            #expect(throws: Never.self) { _ = try index.found(String(repeating: opening, count: 100)) }
        }
    }
}
