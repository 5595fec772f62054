import Foundation
import Notes
import RichText
import Testing

/// Lists and quotes in each other: one limit for whatever writes a note, so that whatever was written can be read.
@Suite("Nesting")
struct DepthTests {
    private static func list(_ depth: Int) -> String {
        (0..<depth).map { String(repeating: "  ", count: $0) + "- level \($0)\n" }.joined()
    }

    private static func quote(_ depth: Int) -> String {
        (1...depth).map {
            String(repeating: "> ", count: $0) + "level \($0)\n" + String(repeating: ">", count: $0) + "\n"
        }
        .joined()
    }

    static let texts = [list(63), list(64), list(65), list(130), quote(64), quote(128), quote(200)]

    @Test("Each way to write a note and each way to read it", arguments: texts)
    func everyPath(markdown: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Deep", markdown: "first\n\n" + markdown).id
            let levels = markdown.split(separator: "\n").filter { $0.contains("level") }.map {
                $0.split(separator: " ").suffix(2).joined(separator: " ")
            }
            func check(_ more: String...) async throws {
                let text = try await library.markdown(of: note)
                for part in levels + more { #expect(text.contains(part)) }
                #expect(try await library.verify().isOK)
            }
            try await check()
            _ = try await library.append(markdown + "\n\nlast", to: note)
            try await check("last")
            let text = try await library.text(of: note)
            _ = try await library.replace(
                note, markdown: text.markdown.replacing("first", with: "changed"), base: text.revision)
            try await check("changed")
            _ = try await library.rename(note, to: "Still deep")
            let folder = place.root.appending(path: "out")
            #expect(try await library.export(to: folder.path).problems == [])
            // What was exported is known by its path; in another place it is a new note.
            #expect(try await library.importMarkdown(folder.path).unchanged == 1)
            let moved = folder.deletingLastPathComponent().appending(path: folder.lastPathComponent + "-moved")
            try FileManager.default.moveItem(at: folder, to: moved)
            #expect(try await library.importMarkdown(moved.path).notes.first?.title == "Still deep (2)")
            await library.close()
            let again = try await place.open("Ada")
            #expect(try await again.markdown(of: note).contains("changed"))
            await again.close()
        }
    }
}
