import Foundation
import Notes
import Testing

@Suite("Import from other programs")
struct ImportTests {
    private static let pixel = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")

    /// A folder as people have it, imported into an empty library.
    private func imported(
        _ files: [String: String], _ body: (NoteLibrary, NoteTransfer, URL) async throws -> Void
    ) async throws {
        try await Place.inFolder { place in
            let source = place.root.appending(path: "vault")
            for (path, text) in files { try write(Data(text.utf8), source, path) }
            try write(Self.pixel ?? Data(), source, "files/dot.png")
            let library = try await place.open("Ada")
            let transfer = try await library.importMarkdown(source.path)
            try await body(library, transfer, source)
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    private func markdown(_ title: String, _ library: NoteLibrary) async throws -> String {
        let note = try await library.note(title).id
        return try await library.markdown(of: note)
    }

    @Test("Titles come from the front matter, the one heading, or the name of the file")
    func titles() async throws {
        let files = [
            "a.md": "---\ntitle: \"From above\"\n---\ntext", "b.md": "# From the heading\n\ntext",
            "c.md": "# One\n\n# Two", "d.md": "## Section\n\ntext", "日本語.md": "本文", "e.md": "",
            "crlf.md": "\u{FEFF}---\r\ntitle: With marks\r\n---\r\ntext\r\n",
        ]
        try await imported(files) { library, transfer, _ in
            #expect(transfer.problems.isEmpty)
            let titles: Set = ["From above", "From the heading", "c", "d", "日本語", "e", "With marks"]
            #expect(Set(transfer.notes.map(\.title)) == titles)
            let text = try await markdown("With marks", library)
            #expect(text == "With marks\n\ntext\n")
        }
    }

    @Test("Of the front matter the tags are taken, and what is not understood is kept and told")
    func frontMatter() async throws {
        let files = [
            "a.md": "---\ntags: [red, blue]\npublish: true\naliases:\n  - Other\n---\ntext #red",
            "broken.md": "---\nno properties here\n\ntext", "rule.md": "---\n\ntext\n\n---\n\nmore",
        ]
        try await imported(files) { library, transfer, _ in
            let text = try await markdown("a", library)
            #expect(text == "a\n\n#blue\n\n```yaml\npublish: true\naliases:\n  - Other\n```\n\ntext #red\n")
            #expect(transfer.kept == ["the property “publish”: a.md"])
            let broken = try await markdown("broken", library)
            #expect(broken.contains("no properties here"))
            let rule = try await markdown("rule", library)
            #expect(rule == "rule\n\n---\n\ntext\n\n---\n\nmore\n")
        }
    }

    @Test("Links by title, path, alias and heading become links to notes")
    func links() async throws {
        let files = [
            "home.md":
                "[[plan]], [[Work/Plan|the plan]], [[Other]], [[Café]], [[gone]], [[plan#Next steps]], [[#End]] `[[plan]]`\n\n"
                + "```\n[[plan]]\n```\n\n[](Work/plan.md) [words](Work/plan.md#next-steps) ![[plan]]\n\n## End",
            "Work/plan.md": "---\naliases: Other\n---\ntext\n\n## Next steps\n\n[[home]]",
            "Cafe\u{301}.md": "![[home]] [[Café]]",
        ]
        try await imported(files) { library, transfer, _ in
            let (plan, home) = (try await library.note("plan").id, try await library.note("home").id)
            let cafe = try await library.note("Caf\u{E9}").id
            // An id may begin with a character that Markdown escapes.
            let text = try await markdown("home", library).replacing("\\_", with: "_")
            #expect(text.contains("[[\(plan)]], the plan ([[\(plan)]]), [[\(plan)]], [[\(cafe)]]"), "\(text)")
            #expect(
                text.contains("\\[\\[gone\\]\\]") && text.contains("`[[plan]]`") && text.contains("```\n[[plan]]\n```"))
            #expect(text.contains("[[\(plan)#h_") && text.contains("[[#h_") && text.contains("words ([[\(plan)#h_"))
            #expect(try await library.links(to: home).map(\.note).count == 2)
            #expect(
                transfer.kept.map { $0.prefix { $0 != ":" } } == [
                    "embedded notes, which are links now", "links to notes that are not here",
                ], "\(transfer.kept)")
        }
    }

    @Test("Pictures come along from everywhere in a text, and footnotes stay text")
    func picturesAndFootnotes() async throws {
        let files = [
            "a.md":
                "one ![](files/dot.png) two\n\n# with ![dot](files/dot.png)\n\n| a |\n| - |\n| ![dot](files/dot.png) |\n\n"
                + "![[dot.png|300]]\n\n![[sound.mp3]]\n\nsaid[^1] so[^n]\n\n[^1]: once\n[^n]: see there"
        ]
        try await imported(files) { library, transfer, _ in
            #expect(transfer.media == 2, "one file, under two addresses")
            let text = try await markdown("a", library)
            #expect(text.split(separator: "image:").count == 5, "\(text)")
            #expect(text.contains("width=\"300px\"") && text.contains("one") && text.contains("two"))
            #expect(text.contains("\\[^1\\]: once\n\n\\[^n\\]: see there"), "\(text)")
            #expect(text.contains("sound.mp3"))
        }
    }

    @Test("A second import changes what changed in the files, and keeps what was changed in the notes")
    func again() async throws {
        let files = ["a.md": "first\n\nsecond\n\n[[b]]", "b.md": "text", "c.md": "text"]
        try await imported(files) { library, _, source in
            let (a, b) = (try await library.note("a").id, try await library.note("b").id)
            let same = try await library.importMarkdown(source.path)
            #expect(same.notes.isEmpty && same.unchanged == 3 && same.problems.isEmpty)
            try await library.append("written here", to: a)
            try await library.rename(b, to: "Another name")
            let c = try await library.note("c").id
            try await library.delete(c)
            for round in 1...2 {
                try write(Data("first\n\nsecond, round \(round)\n\n[[b]]\n\nthird".utf8), source, "a.md")
                let transfer = try await library.importMarkdown(source.path)
                #expect(transfer.updated == 1 && transfer.notes.count == 1 && transfer.unchanged == 2)
                let text = try await library.markdown(of: a)
                #expect(text.contains("second, round \(round)\n") && text.contains("written here\n"), "\(text)")
                #expect(text.split(separator: "third").count == 2 && text.split(separator: "second").count == 2)
            }
            #expect(Set(try await library.list().map(\.title)) == ["a", "Another name"])
        }
    }

    @Test("A file that was imported with its folder keeps its links when it is imported alone")
    func alone() async throws {
        let files = [
            "Work/home.md": "[[plan]] [[Other]] [[Deep/plan#Next]] "
                + "[plan](../Deep/plan.md) [](/Deep/plan.md) [[plan|words]]\n\ntext",
            "Deep/plan.md": "---\naliases: Other\n---\ntext\n\n## Next",
        ]
        try await imported(files) { library, _, source in
            let home = try await library.note("home").id
            let before = try await library.markdown(of: home)
            #expect(before.split(separator: "[[").count == 7, "\(before)")
            for round in ["one", "two"] {
                let changed = (files["Work/home.md"] ?? "").replacing("\n\ntext", with: "\n\n\(round)")
                try write(Data(changed.utf8), source, "Work/home.md")
                let transfer = try await library.importMarkdown(source.appending(path: "Work/home.md").path)
                #expect(transfer.updated == 1 && transfer.notes.count == 1 && transfer.kept.isEmpty, "\(transfer)")
                let text = try await library.markdown(of: home)
                #expect(text == before.replacing("\n\ntext", with: "\n\n\(round)"))
            }
        }
    }

    @Test("What was exported and is imported again changes nothing, and says the same in another library")
    func stable() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let work = try await library.createFolder("Work").id
            let plan = try await library.create(
                title: "Plan", folder: work, markdown: "## Next *steps*\n\n[^1] ![x] [[no]]")
            _ = try await library.create(title: "Plan", markdown: "the other")
            let source = place.root.appending(path: "source")
            try write(Data("[[Work/Plan#Next steps]]! [[Plan]] `[[Plan]]` ![](dot.png)".utf8), source, "Links.md")
            try write(Self.pixel ?? Data(), source, "dot.png")
            _ = try await library.importMarkdown(source.path)
            _ = try await library.create(title: nil, markdown: "---\n\na: b\n\n---\n\n[[\(plan.id)]]")
            let target = place.root.appending(path: "target")
            _ = try await library.export(to: target.path)
            let again = try await library.importMarkdown(target.path)
            #expect(again.notes.isEmpty && again.unchanged == 4 && again.problems.isEmpty, "\(again)")
            let other = try await place.open("Ben")
            let transfer = try await other.importMarkdown(target.path)
            #expect(transfer.notes.count == 4 && transfer.problems.isEmpty, "\(transfer)")
            let copy = place.root.appending(path: "copy")
            _ = try await other.export(to: copy.path)
            #expect(Place.files(below: copy) == Place.files(below: target))
            for file in Place.files(below: target) where file.hasSuffix(".md") {
                let texts = try [target, copy].map { try String(contentsOf: $0.appending(path: file), encoding: .utf8) }
                #expect(texts[0] == texts[1])
            }
            await library.close()
            await other.close()
        }
    }

    private func write(_ data: Data, _ folder: URL, _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
