import Foundation
import Testing

/// `alcove note edit`, and what it refuses; names of those who write.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NoteEditingTests {
    private struct Report: Decodable { var records: Int }

    @Test func `an editor changes only what the person changed, beside what somebody else writes`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Letter")
        try await fixture.run("note append \(id) 'Dear Ben, the weather is fine.'")
        // While Ada has the note in her editor, Ben writes a paragraph.
        let ben = "'\(AlcoveProcess.program)' note append \(fixture.options("Ben")) \(id) 'P.S. from Ben'"
        let editor = try fixture.editor("\(ben) && sed -i 's/fine/splendid/' \"$1\"")
        try await fixture.run("note edit \(id)", before: editor)
        let text = try await fixture.run("note show \(id)")
        #expect(text.contains("the weather is splendid.") && text.contains("P.S. from Ben"))
        #expect(try await fixture.run("note show \(id)", as: "Ben") == text)
        // Nothing was changed: nothing is written.
        let before = try await fixture.json(Report.self, "note verify").records
        #expect(
            try await fixture.run("note edit \(id)", before: try fixture.editor("true")).contains("nothing was changed")
        )
        #expect(try await fixture.json(Report.self, "note verify").records == before)
    }

    @Test func `what an editor wrote and nobody could save stays, and nothing else does`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Letter 'Dear Ben'")
        let drafts = fixture.folder + "/Ada/NoteIndex/drafts"
        func left() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? [] }
        try await fixture.run("note edit \(id)", before: try fixture.editor("echo more >> \"$1\""))
        let unwritten = try await fixture.attempt("note edit \(id)", before: try fixture.editor("exit 3"))
        #expect(unwritten.code == 75 && !unwritten.output.contains("note.md"))
        #expect(left().isEmpty)
        let failed = try await fixture.attempt(
            "note edit \(id)", before: try fixture.editor("echo unsaved >> \"$1\"; exit 3"))
        #expect(failed.code == 75 && failed.output.contains("what you wrote is in \(drafts)"))
        #expect(left().count == 1)
        // Killed while it waits for an editor: what had been written by then is told of by the next edit.
        let killed = try await fixture.attempt(
            "note edit \(id)",
            before: try fixture.editor("echo lost >> \"$1\"; kill -9 $PPID; kill -9 $(ps -o ppid= $PPID)"))
        #expect(killed.code != 0)
        let untouched = try await fixture.attempt(
            "note edit \(id)", before: try fixture.editor("kill -9 $(ps -o ppid= $PPID)"))
        #expect(untouched.code != 0)
        let next = try await fixture.run("note edit \(id)", before: try fixture.editor("true"))
        #expect(next.split(separator: "\n").count { $0.contains("note.md") } == left().count)
        for draft in left() {
            let text = try String(contentsOfFile: "\(drafts)/\(draft)/note.md", encoding: .utf8)
            #expect(text.contains("unsaved") || text.contains("lost"))
            #expect(next.contains(draft))
        }
        #expect(left().count == 2)
        let text = try await fixture.run("note show \(id)")
        #expect(text.contains("more") && !text.contains("unsaved") && !text.contains("lost"))
    }

    @Test func `an editor that empties the file asks, and one that is not there gives way`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Letter 'Dear Ben'")
        let emptied = try await fixture.attempt("note edit \(id) </dev/null", before: try fixture.editor(": > \"$1\""))
        #expect(emptied.code == 1 && emptied.output.contains("say --yes"))
        #expect(try await fixture.run("note show \(id)").contains("Dear Ben"))
        let absent = try await fixture.attempt("note edit \(id) </dev/null", before: "EDITOR=no-such-editor")
        #expect(absent.code == 78 && absent.output.contains("set EDITOR"))
        // The next one that is named is taken.
        let editor = try fixture.editor("echo PS >> \"$1\"")
        try await fixture.run("note edit \(id) </dev/null", before: "VISUAL='no-such-editor -w' \(editor)")
        #expect(try await fixture.run("note show \(id)").contains("PS"))
        try await fixture.run("note edit \(id) --yes </dev/null", before: try fixture.editor(": > \"$1\""))
        #expect(try await fixture.run("note show \(id)").isEmpty)

        let other = try await fixture.run("note new Other 'stays'")
        let options = ["--dir", fixture.notes, "--profile", fixture.folder + "/Ada"]
        for (answer, isEmpty) in [("n\r", false), ("y\r", true)] {
            let terminal = try TerminalProcess(
                ["note", "edit", other] + options, environment: ["VISUAL": "truncate -s0"])
            try await terminal.expect("Empty the note?")
            try terminal.press(answer)
            #expect(await terminal.exitCode() == (isEmpty ? 0 : 1))
            #expect(try await fixture.run("note show \(other)").isEmpty == isEmpty)
        }
    }

    @Test func `what cannot be saved is refused before the editor opens`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Long")
        let editor = try fixture.editor("touch '\(fixture.folder)/opened'")
        // Three parts of which each is small enough.
        let lines = "yes 'a line of a long note' | head -c 1500000 |"
        for _ in 1...2 { try await fixture.run("note append \(id) -", before: lines) }
        let refused = try await fixture.attempt("note append \(id) -", before: lines)
        #expect(refused.code == 65 && refused.output.contains("at most 4 MiB"))
        let much = try await fixture.attempt("note append \(id) -", before: "yes | head -c 5000000 |")
        #expect(much.code == 65 && much.output.contains("4 MiB"))
        // It can still be edited.
        try await fixture.run("note edit \(id)", before: editor)
        #expect(FileManager.default.fileExists(atPath: fixture.folder + "/opened"))
        try FileManager.default.removeItem(atPath: fixture.folder + "/opened")

        try Data("9\n".utf8).write(to: URL(fileURLWithPath: fixture.notes + "/SD_VERSION"))
        let newer = try await fixture.attempt("note edit \(id)", before: editor)
        #expect(newer.code == 77 && newer.output.contains("update this program"))
        try FileManager.default.removeItem(atPath: fixture.notes + "/SD_VERSION")
        try await fixture.run("note delete \(id)")
        let deleted = try await fixture.attempt("note edit \(id)", before: editor)
        #expect(deleted.code == 1 && deleted.output.contains("note restore \(id)"))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder + "/opened"))
    }

    @Test func `each name in one profile keeps what was written under it`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Plans 'from Ada'")
        let profile = "--dir '\(fixture.notes)' --profile '\(fixture.folder)/Ada'"
        func ben(_ words: String) async throws -> String {
            try await Shell("'\(AlcoveProcess.program)' \(words) \(profile) --as Ben 2>&1").output
        }
        _ = try await ben("note append \(id) 'from Ben'")
        try await fixture.run("note append \(id) 'Ada again'")
        for text in [
            try await ben("note show \(id) --authors"), try await fixture.run("note show \(id) --authors", as: "Cy"),
        ] {
            #expect(text.contains("[Ada] Plans") && text.contains("[Ben] from Ben") && text.contains("[Ada] Ada again"))
        }
    }
}
