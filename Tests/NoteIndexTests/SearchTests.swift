import NoteIndex
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
