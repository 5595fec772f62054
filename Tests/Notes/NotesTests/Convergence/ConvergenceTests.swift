import Foundation
import Notes
import Testing

@Suite("Convergence", .timeLimit(.minutes(5)))
struct ConvergenceTests {
    private static let names = ["Ada", "Ben", "Cleo"]
    private static let hour: Int64 = 3_600_000

    @Test(
        "Three writers, random edits, files that come late, in part and twice, and clocks hours apart",
        arguments: UInt64(1)...6)
    func threeWriters(seed: UInt64) async throws {
        try await Place.inFolder { place in
            let libraries = try await Self.open(place, clocks: [0, -5 * Self.hour, 3 * Self.hour])
            let folders = Self.names.map { place.directory($0) }
            var syncer = Syncer(folders, seed: seed)
            var notes: [String] = []
            for (number, library) in libraries.enumerated() {
                notes.append(try await library.create(title: "Note \(number)", markdown: "one\n\ntwo\n\n- three").id)
            }
            try syncer.carryAll()
            for library in libraries { try await library.catchUp() }

            var editors = zip(libraries, Self.names).enumerated().map { number, pair in
                RandomEditor(pair.0, name: pair.1, seed: seed * 100 + UInt64(number))
            }
            for _ in 0..<8 {
                for index in editors.indices {
                    for note in notes { try await editors[index].edit(note) }
                }
                try syncer.carrySome()
                for library in libraries { try await library.catchUp() }
            }
            try syncer.carryAll()
            try await Self.expectEqual(libraries, notes)

            // Each folder has everyone's files as their owners wrote them.
            let files = folders.map { Place.files(below: $0) }
            #expect(files[0] == files[1] && files[1] == files[2])
            for file in files[0] {
                let copies = try folders.map { try Data(contentsOf: $0.appending(path: file)) }
                #expect(copies[0] == copies[1] && copies[1] == copies[2], "\(file) was changed by somebody else")
            }
            for library in libraries {
                let verification = try await library.verify()
                #expect(verification.isOK, "\(verification.problems)")
                await library.close()
            }
            for folder in folders { try Judge(folder).check() }
        }
    }

    @Test(
        "Two changes of one word leave both words, whole, beside each other",
        arguments: [
            ("pay 100 now", "100", "150", "1000"), ("at nine", "nine", "noon", "ten"),
            ("a note", "note", "notes", "nodes"),
            ("на девять дней", "девять", "десять", "двадцать"), ("at 12:30 then", "12:30", "12:45", "13:30"),
            ("सात दिन", "सात", "साठ", "आठ"), ("costs €5", "€5", "$5", "€10"), ("now -5 C", "-5", "5", "-7"),
            ("10\u{202F}000 km", "10\u{202F}000", "10\u{202F}500", "12\u{202F}000"),
            ("is 1e-5 now", "1e-5", "1e-7", "2e-5"),
            ("a v1.2-rc1 b", "v1.2-rc1", "v1.2-rc2", "v1.3-rc1"),
        ])
    func oneWord(text: String, word: String, first: String, second: String) async throws {
        try await Place.inFolder { place in
            let libraries = try await Self.open(place, clocks: [0, 0])
            var syncer = Syncer(["Ada", "Ben"].map { place.directory($0) }, seed: 3)
            let note = try await libraries[0].create(title: "Words", markdown: text).id
            try syncer.carryAll()
            for (library, other) in zip(libraries, [first, second]) {
                let shown = try await library.text(of: note)
                try await library.replace(
                    note, markdown: shown.markdown.replacing(word, with: other), base: shown.revision)
            }
            try syncer.carryAll()
            for library in libraries {
                try await library.catchUp()
                let merged = try await library.markdown(of: note)
                let expected = [first + " " + second, second + " " + first].map { text.replacing(word, with: $0) }
                #expect(expected.contains { merged.contains($0) }, "\(merged)")
                await library.close()
            }
        }
    }

    @Test("The same where there are no spaces", arguments: [("東京に行く", "東京", "京都", "東北"), ("食べる", "食べる", "食べた", "飲む")])
    func oneWordWithoutSpaces(text: String, word: String, first: String, second: String) async throws {
        try await Place.inFolder { place in
            let libraries = try await Self.open(place, clocks: [0, 0])
            var syncer = Syncer(["Ada", "Ben"].map { place.directory($0) }, seed: 3)
            let note = try await libraries[0].create(title: "Words", markdown: text).id
            try syncer.carryAll()
            for (library, other) in zip(libraries, [first, second]) {
                let shown = try await library.text(of: note)
                try await library.replace(
                    note, markdown: shown.markdown.replacing(word, with: other), base: shown.revision)
            }
            try syncer.carryAll()
            for library in libraries {
                try await library.catchUp()
                let merged = try await library.markdown(of: note)
                #expect(merged.contains(first) && merged.contains(second), "\(merged)")
                await library.close()
            }
        }
    }

    @Test("Files may come in every order")
    func everyOrder() async throws {
        try await Place.inFolder { place in
            let libraries = try await Self.open(place, clocks: [0, 0, 0])
            let folders = Self.names.map { place.directory($0) }
            var syncer = Syncer(folders, seed: 7)
            let note = try await libraries[0].create(title: "Order", markdown: "one **two** three").id
            try syncer.carryAll()
            for round in 0..<3 {
                for (library, name) in zip(libraries, Self.names) {
                    try await library.append("\(name) \(round)", to: note)
                    let text = try await library.text(of: note)
                    try await library.replace(
                        note, markdown: text.markdown.replacing("two", with: "two \(name)"), base: text.revision)
                }
                try syncer.carryAll()
            }
            try await Self.expectEqual(libraries, [note])
            let expected = try await libraries[0].markdown(of: note)
            for library in libraries { await library.close() }

            let logs = Place.files(below: folders[0]).filter { $0.hasPrefix("notes/") }
            #expect(logs.count == 3)
            for (number, order) in Self.orders(of: logs).enumerated() {
                let target = place.directory("order-\(number)")
                let reader = try await place.open("reader-\(number)", directory: "order-\(number)")
                // Each file in two parts, so that what it builds on may be missing.
                for share in [2, 1] {
                    for file in order {
                        let bytes = try Data(contentsOf: folders[0].appending(path: file))
                        try Self.put(bytes.prefix(bytes.count / share), target.appending(path: file))
                        try await reader.catchUp()
                    }
                }
                let markdown = try await reader.markdown(of: note)
                #expect(markdown == expected, "\(order)")
                #expect(try await reader.verify().isOK)
                await reader.close()
            }
        }
    }

    @Test("A log may end at every byte, and be completed later")
    func truncation() async throws {
        try await Place.inFolder { place in
            let ada = try await place.open("Ada")
            let note = try await ada.create(title: "Cut", markdown: "one").id
            try await ada.append("two", to: note)
            try await ada.append("three", to: note)
            let expected = try await ada.markdown(of: note)
            await ada.close()
            let file = try #require(Place.files(below: place.directory("Ada")).first { $0.hasSuffix(".crdtlog") })
            let bytes = try Data(contentsOf: place.directory("Ada").appending(path: file))

            // One note for each length, so that one look is enough for all.
            let target = place.directory("Ben")
            let name = URL(filePath: file).lastPathComponent
            let ben = try await place.open("Ben")
            func log(_ length: Int) -> URL { target.appending(path: "notes/cut-\(length)/logs/\(name)") }
            for length in 0...bytes.count { try Self.put(bytes.prefix(length), log(length)) }
            try await ben.catchUp()
            let before = try await ben.list().count
            #expect(before == bytes.count + 1, "a note that is not here yet is shown with its problem")
            for length in 0...bytes.count { try Self.put(bytes, log(length)) }
            try await ben.catchUp()
            for length in stride(from: 0, through: bytes.count, by: 13) {
                let markdown = try await ben.markdown(of: "cut-\(length)")
                #expect(markdown == expected)
            }
            let listed = try await ben.list()
            #expect(listed.allSatisfy { $0.title == "Cut" && $0.problem == nil })
            #expect(try await ben.verify().isOK)
            await ben.close()
        }
    }

    // Tools.

    private static func open(_ place: Place, clocks: [Int64]) async throws -> [NoteLibrary] {
        // The same directory, copied before anything is in it.
        await (try place.open(names[0])).close()
        for name in names.dropFirst() {
            try FileManager.default.copyItem(at: place.directory(names[0]), to: place.directory(name))
        }
        var libraries: [NoteLibrary] = []
        for (name, skew) in zip(names, clocks) {
            libraries.append(try await place.open(name) { NoteLibrary.now() + skew })
        }
        return libraries
    }

    private static func expectEqual(_ libraries: [NoteLibrary], _ notes: [String]) async throws {
        for library in libraries { try await library.catchUp() }
        for note in notes {
            var texts: Set<String> = []
            var titles: Set<String> = []
            for library in libraries {
                texts.insert(try await library.markdown(of: note))
                titles.insert(try await library.note(note).title)
            }
            #expect(texts.count == 1, "\(texts)")
            #expect(titles.count == 1)
        }
    }

    private static func orders(of files: [String]) -> [[String]] {
        guard files.count > 1 else { return [files] }
        return files.indices.flatMap { index in
            var rest = files
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    private static func put(_ bytes: Data, _ file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }
}
