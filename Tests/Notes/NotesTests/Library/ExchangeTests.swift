import Foundation
import Notes
import Testing

@Suite("Export and import")
struct ExchangeTests {
    /// The smallest PNG there is: one transparent pixel.
    private static let pixel = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")

    @Test("A tree of Markdown becomes notes in folders, and comes out again")
    func tree() async throws {
        try await Place.inFolder { place in
            let source = place.root.appending(path: "source")
            try write(
                "# Index\n\n[the plan](work/plan.md) and [[Groceries]]\n\n![dot](pics/dot.png)", source, "index.md")
            try write("Groceries\n\n- milk\n- [x] bread", source, "Groceries.md")
            try write("no title here", source, "work/plan.md")
            try write("secret", source, ".hidden.md")
            try FileManager.default.createDirectory(
                at: source.appending(path: "pics"), withIntermediateDirectories: true)
            try Self.pixel?.write(to: source.appending(path: "pics/dot.png"))

            let library = try await place.open("Ada")
            _ = try await library.create(title: "Groceries")
            let transfer = try await library.importMarkdown(source.path)
            #expect(transfer.problems.isEmpty, "\(transfer.problems)")
            #expect(transfer.media == 1)
            #expect(Set(transfer.notes.map(\.title)) == ["Groceries (2)", "Index", "plan"])
            let folders = try await library.folders()
            #expect(folders.map(\.name) == ["work"])
            let plan = try #require(transfer.notes.first { $0.title == "plan" })
            #expect(plan.folder == folders.first?.id)
            let index = try #require(transfer.notes.first { $0.title == "Index" })
            #expect(try await library.links(from: index.id).map(\.title).contains("plan"))
            #expect(try await library.links(to: plan.id).map(\.note) == [index.id])

            let target = place.root.appending(path: "target")
            let exported = try await library.export(to: target.path)
            #expect(exported.problems.isEmpty, "\(exported.problems)")
            let files = Place.files(below: target)
            #expect(
                files.filter { $0.hasSuffix(".md") } == [
                    "Groceries (2).md", "Groceries.md", "Index.md", "work/plan.md",
                ])
            #expect(files.contains { $0.hasPrefix("media/") && $0.hasSuffix(".png") })
            let text = try String(contentsOf: target.appending(path: "Index.md"), encoding: .utf8)
            #expect(text.contains("[[plan]]") && text.contains("](media/"), "\(text)")
            // The same again changes nothing.
            _ = try await library.export(to: target.path)
            #expect(Place.files(below: target) == files)
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test(
        "A link is exported with the title, whatever the id",
        arguments: ["_aaaaaaaaaaaaaaaaaaaa_", "-a__bbbbbbbbbbbbbbbb_-"])
    func oddIDs(id: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            _ = try await library.create(title: "Target *one*", id: id)
            let link = "[[\(id.replacing("_", with: "\\_"))]]"
            let note = try await library.create(title: "From", markdown: "see \(link) and **\(link)**")
            #expect(try await library.links(from: note.id).map(\.note) == [id])
            let target = place.root.appending(path: "target")
            _ = try await library.export([note.id], to: target.path)
            let text = try String(contentsOf: target.appending(path: "From.md"), encoding: .utf8)
            #expect(text.contains("see [[Target *one*]] and **[[Target *one*]]**"), "\(text)")
            await library.close()
        }
    }

    @Test("Files of other people stay as they are")
    func nothingIsOverwritten() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "a/b: c?", markdown: "text")
            let target = place.root.appending(path: "target")
            try write("mine", target, "a-b- c-.md")
            _ = try await library.export([note.id], to: target.path)
            #expect(try String(contentsOf: target.appending(path: "a-b- c-.md"), encoding: .utf8) == "mine")
            #expect(Place.files(below: target) == ["a-b- c- (2).md", "a-b- c-.md"])
            await library.close()
        }
    }

    @Test("What cannot be imported is said", arguments: ["missing", "folder/missing.md"])
    func missing(path: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let code = await failure { try await library.importMarkdown(place.root.appending(path: path).path) }
            #expect(code == .fileUnreadable)
            await library.close()
        }
    }

    private func write(_ text: String, _ folder: URL, _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
