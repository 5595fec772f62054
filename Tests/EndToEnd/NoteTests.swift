import Foundation
import Testing

/// `alcove note` and `alcove folder`, as a person and as a script would use them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NoteTests {
    /// A folder of notes and the profiles of those who write in it.
    private final class Desk {
        let folder: String
        var notes: String { folder + "/notes" }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// The options of one person.
        func options(_ person: String) -> String { "--dir '\(notes)' --profile '\(folder)/\(person)' --as \(person)" }

        /// Runs one command to its end, and expects that it works.
        @discardableResult
        func run(_ words: String, as person: String = "Ada", before: String = "") async throws -> String {
            let shell = try await attempt(words, as: person, before: before)
            #expect(shell.code == 0, "\(words): \(shell.output)")
            return shell.output.trimmingCharacters(in: .newlines)
        }

        func attempt(_ words: String, as person: String = "Ada", before: String = "") async throws -> Shell {
            let name = words.split(separator: " ").prefix(2).joined(separator: " ")
            let rest = words.dropFirst(name.count)
            return try await Shell("\(before) '\(AlcoveProcess.program)' \(name) \(options(person)) \(rest) 2>&1")
        }

        func json<Value: Decodable>(_ type: Value.Type, _ words: String) async throws -> Value {
            try JSONDecoder().decode(type, from: Data(try await run(words + " --json").utf8))
        }

        /// An editor that does this to the file it is given.
        func editor(_ script: String) throws -> String {
            let path = folder + "/editor"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return "EDITOR='\(path)'"
        }
    }

    private struct Found: Decodable { var id, title, snippet: String }

    private struct Report: Decodable {
        var ok: Bool
        var notes, records: Int
    }

    @Test func `what a script writes is shown, found and verified`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Groceries")
        try await desk.run("note append \(id) '* oat milk #shopping'")
        try await desk.run("note append Groceries - <<'END'\n* bread\n\nSee **you** at eight.\nEND")
        let text = try await desk.run("note show \(id)")
        for piece in ["Groceries", "oat milk #shopping", "bread", "See **you** at eight."] {
            #expect(text.contains(piece))
        }
        let found = try await desk.json([Found].self, "note search oat")
        #expect(found.map(\.id) == [id] && found.first?.title == "Groceries")
        #expect(found.first?.snippet.contains("oat milk") == true)
        #expect(try await desk.json([Found].self, "note search nowhere").isEmpty)
        #expect(try await desk.run("note tags").contains("#shopping  1"))
        let report = try await desk.json(Report.self, "note verify")
        #expect(report.ok && report.notes == 1 && report.records >= 3)
        #expect(try await desk.json(Report.self, "note verify --rebuild").ok)
        #expect(try await desk.json([Found].self, "note search '#shopping'").map(\.id) == [id])
    }

    @Test func `two people write in one folder, and both see everything`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Plans")
        for number in 1...5 {
            try await desk.run("note append \(id) 'from Ada \(number)'")
            try await desk.run("note append \(id) 'from Ben \(number)'", as: "Ben")
        }
        let text = try await desk.run("note show \(id)")
        #expect(try await desk.run("note show \(id)", as: "Ben") == text)
        for number in 1...5 { #expect(text.contains("from Ada \(number)") && text.contains("from Ben \(number)")) }
        let authors = try await desk.run("note history \(id)")
        #expect(authors.contains("Ada") && authors.contains("Ben"))
    }

    @Test func `an editor changes only what the person changed, beside what somebody else writes`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Letter")
        try await desk.run("note append \(id) 'Dear Ben, the weather is fine.'")
        // While Ada has the note in her editor, Ben writes a paragraph.
        let ben = "'\(AlcoveProcess.program)' note append \(desk.options("Ben")) \(id) 'P.S. from Ben'"
        let editor = try desk.editor("\(ben) && sed -i 's/fine/splendid/' \"$1\"")
        try await desk.run("note edit \(id)", before: editor)
        let text = try await desk.run("note show \(id)")
        #expect(text.contains("the weather is splendid.") && text.contains("P.S. from Ben"))
        #expect(try await desk.run("note show \(id)", as: "Ben") == text)
        // Nothing was changed: nothing is written.
        let before = try await desk.json(Report.self, "note verify").records
        #expect(try await desk.run("note edit \(id)", before: try desk.editor("true")).contains("nothing was changed"))
        #expect(try await desk.json(Report.self, "note verify").records == before)
    }

    @Test func `what an editor wrote and nobody could save stays, and nothing else does`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Letter 'Dear Ben'")
        let drafts = desk.folder + "/Ada/NoteIndex/drafts"
        func left() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? [] }
        try await desk.run("note edit \(id)", before: try desk.editor("echo more >> \"$1\""))
        let unwritten = try await desk.attempt("note edit \(id)", before: try desk.editor("exit 3"))
        #expect(unwritten.code == 75 && !unwritten.output.contains("note.md"))
        #expect(left().isEmpty)
        let failed = try await desk.attempt(
            "note edit \(id)", before: try desk.editor("echo unsaved >> \"$1\"; exit 3"))
        #expect(failed.code == 75 && failed.output.contains("what you wrote is in \(drafts)"))
        #expect(left().count == 1)
        // Killed while it waits for an editor: what had been written by then is told of by the next edit.
        let killed = try await desk.attempt(
            "note edit \(id)",
            before: try desk.editor("echo lost >> \"$1\"; kill -9 $PPID; kill -9 $(ps -o ppid= $PPID)"))
        #expect(killed.code != 0)
        let untouched = try await desk.attempt(
            "note edit \(id)", before: try desk.editor("kill -9 $(ps -o ppid= $PPID)"))
        #expect(untouched.code != 0)
        let next = try await desk.run("note edit \(id)", before: try desk.editor("true"))
        #expect(next.split(separator: "\n").count { $0.contains("note.md") } == left().count)
        for draft in left() {
            let text = try String(contentsOfFile: "\(drafts)/\(draft)/note.md", encoding: .utf8)
            #expect(text.contains("unsaved") || text.contains("lost"))
            #expect(next.contains(draft))
        }
        #expect(left().count == 2)
        let text = try await desk.run("note show \(id)")
        #expect(text.contains("more") && !text.contains("unsaved") && !text.contains("lost"))
    }

    @Test func `an editor that empties the file asks, and one that is not there gives way`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Letter 'Dear Ben'")
        let emptied = try await desk.attempt("note edit \(id) </dev/null", before: try desk.editor(": > \"$1\""))
        #expect(emptied.code == 1 && emptied.output.contains("say --yes"))
        #expect(try await desk.run("note show \(id)").contains("Dear Ben"))
        let absent = try await desk.attempt("note edit \(id) </dev/null", before: "EDITOR=no-such-editor")
        #expect(absent.code == 78 && absent.output.contains("set EDITOR"))
        // The next one that is named is taken.
        let editor = try desk.editor("echo PS >> \"$1\"")
        try await desk.run("note edit \(id) </dev/null", before: "VISUAL='no-such-editor -w' \(editor)")
        #expect(try await desk.run("note show \(id)").contains("PS"))
        try await desk.run("note edit \(id) --yes </dev/null", before: try desk.editor(": > \"$1\""))
        #expect(try await desk.run("note show \(id)").isEmpty)

        let other = try await desk.run("note new Other 'stays'")
        let options = ["--dir", desk.notes, "--profile", desk.folder + "/Ada"]
        for (answer, isEmpty) in [("n\r", false), ("y\r", true)] {
            let terminal = try TerminalProcess(
                ["note", "edit", other] + options, environment: ["VISUAL": "truncate -s0"])
            try await terminal.expect("Empty the note?")
            try terminal.press(answer)
            #expect(await terminal.exitCode() == (isEmpty ? 0 : 1))
            #expect(try await desk.run("note show \(other)").isEmpty == isEmpty)
        }
    }

    @Test func `what cannot be saved is refused before the editor opens`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Long")
        let editor = try desk.editor("touch '\(desk.folder)/opened'")
        // Three parts of which each is small enough.
        let lines = "yes 'a line of a long note' | head -c 1500000 |"
        for _ in 1...2 { try await desk.run("note append \(id) -", before: lines) }
        let refused = try await desk.attempt("note append \(id) -", before: lines)
        #expect(refused.code == 65 && refused.output.contains("at most 4 MiB"))
        let much = try await desk.attempt("note append \(id) -", before: "yes | head -c 5000000 |")
        #expect(much.code == 65 && much.output.contains("4 MiB"))
        // It can still be edited.
        try await desk.run("note edit \(id)", before: editor)
        #expect(FileManager.default.fileExists(atPath: desk.folder + "/opened"))
        try FileManager.default.removeItem(atPath: desk.folder + "/opened")

        try Data("9\n".utf8).write(to: URL(fileURLWithPath: desk.notes + "/SD_VERSION"))
        let newer = try await desk.attempt("note edit \(id)", before: editor)
        #expect(newer.code == 77 && newer.output.contains("update this program"))
        try FileManager.default.removeItem(atPath: desk.notes + "/SD_VERSION")
        try await desk.run("note delete \(id)")
        let deleted = try await desk.attempt("note edit \(id)", before: editor)
        #expect(deleted.code == 1 && deleted.output.contains("note restore \(id)"))
        #expect(!FileManager.default.fileExists(atPath: desk.folder + "/opened"))
    }

    @Test func `each name in one profile keeps what was written under it`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Plans 'from Ada'")
        let profile = "--dir '\(desk.notes)' --profile '\(desk.folder)/Ada'"
        func ben(_ words: String) async throws -> String {
            try await Shell("'\(AlcoveProcess.program)' \(words) \(profile) --as Ben 2>&1").output
        }
        _ = try await ben("note append \(id) 'from Ben'")
        try await desk.run("note append \(id) 'Ada again'")
        for text in [
            try await ben("note show \(id) --authors"), try await desk.run("note show \(id) --authors", as: "Cy"),
        ] {
            #expect(text.contains("[Ada] Plans") && text.contains("[Ben] from Ben") && text.contains("[Ada] Ada again"))
        }
    }

    @Test func `history shows any moment`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Diary")
        try await desk.run("note append \(id) 'the first day'")
        try await Task.sleep(for: .milliseconds(20))
        let moment = Int64(Date().timeIntervalSince1970 * 1000)
        try await Task.sleep(for: .milliseconds(20))
        try await desk.run("note append \(id) 'the second day'")
        let before = try await desk.run("note show \(id) --at \(moment)")
        #expect(before.contains("the first day") && !before.contains("the second day"))
        #expect(try await desk.attempt("note show \(id) --at yesterdayish").code == 64)
    }

    @Test func `notes are filed, pinned, deleted, restored and removed for good`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Receipt")
        let work = try await desk.run("folder new Work")
        let projects = try await desk.run("folder new Projects --in Work")
        try await desk.run("note move Receipt Projects")
        #expect(try await desk.run("note list --folder \(projects)").contains(id))
        #expect(try await desk.attempt("folder move Work Projects").code != 0, "a folder cannot be in itself")
        try await desk.run("folder rename Projects Done")
        try await desk.run("folder delete \(projects)")
        #expect(try await desk.run("note list --folder \(work)").contains(id))
        try await desk.run("note pin Receipt")
        try await desk.run("note rename Receipt 'Receipt of May'")
        #expect(try await desk.run("note list").contains("Receipt of May *"))
        #expect(try await desk.attempt("note delete \(id) --forever --yes").code != 0, "it is not deleted yet")
        try await desk.run("note delete \(id)")
        let (here, deleted) = (try await desk.run("note list"), try await desk.run("note list --deleted"))
        #expect(!here.contains(id) && deleted.contains(id))
        #expect(try await desk.attempt("note append \(id) more").code != 0, "a deleted note is read-only")
        try await desk.run("note restore \(id)")
        try await desk.run("note append \(id) more")
        try await desk.run("note delete \(id)")
        try await desk.run("note delete \(id) --forever --yes")
        #expect(try await desk.attempt("note show \(id)").code == 66)
        #expect(!FileManager.default.fileExists(atPath: desk.notes + "/notes/" + id))
    }

    @Test func `only what begins something makes a folder of notes`() async throws {
        let desk = try Desk()
        for words in ["note list", "note search oat", "note verify", "note append x y"] {
            let shell = try await desk.attempt(words)
            #expect(shell.code == 66 && shell.output.contains("there is no folder of notes at \(desk.notes)"))
        }
        try FileManager.default.createDirectory(atPath: desk.notes, withIntermediateDirectories: true)
        try await desk.run("note list")
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.notes).isEmpty)
        try await desk.run("folder new Work")
        #expect(FileManager.default.fileExists(atPath: desk.notes + "/SD_ID"))
        // Also the folders above it.
        let deep = desk.folder + "/a/b/c"
        let made = try await Shell(
            "'\(AlcoveProcess.program)' note new One --dir '\(deep)' --profile '\(desk.folder)/Ada' 2>&1")
        #expect(made.code == 0 && FileManager.default.fileExists(atPath: deep + "/SD_ID"), "\(made.output)")
        let obstacle = try await Shell(
            "'\(AlcoveProcess.program)' note new One --dir '\(deep)/SD_ID/x/y' --profile '\(desk.folder)/Ada' 2>&1")
        #expect(obstacle.code == 66 && obstacle.output.contains("SD_ID"), "\(obstacle.output)")
    }

    @Test func `comments, links, export and import`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Recipe 'Two cups of flour'")
        try await desk.run("note comment \(id) --on flour 'Rye?'")
        struct Comment: Decodable { var id, author, quoted: String; var resolved: Bool }
        let comment = try #require(try await desk.json([Comment].self, "note comment \(id)").first)
        #expect(comment.author == "Ada" && comment.quoted == "flour" && !comment.resolved)
        try await desk.run("note comment \(id) --reply \(comment.id) 'Wheat.'", as: "Ben")
        try await desk.run("note comment \(id) --resolve \(comment.id)")
        #expect(try await desk.run("note comment \(id)").contains("Ben: Wheat."))
        let menu = try await desk.run("note new Menu 'First [[\(id)]]'")
        #expect(try await desk.run("note links \(id)").contains(menu))
        try await desk.run("note export '\(desk.folder)/out'")
        let files = try FileManager.default.contentsOfDirectory(atPath: desk.folder + "/out")
        #expect(files.contains("Recipe.md") && files.contains("Menu.md"))
        try await desk.run("note import '\(desk.folder)/out'")
        #expect(try await desk.run("note list").contains("Recipe (2)"))
    }

    @Test func `what others write is printed as it arrives`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new Board")
        let watch = try AlcoveProcess(
            ["note", "watch", "--dir", desk.notes, "--profile", desk.folder + "/Ada", "--as", "Ada"])
        try await watch.expect("watching")
        try await desk.run("note append \(id) 'a card'", as: "Ben")
        let line = try await watch.expect(id)
        #expect(line.contains("Board") && line.contains("by Ben"))
        // Another process of the same profile, which tells the index first.
        try await desk.run("note append \(id) 'another card'")
        #expect(try await watch.expect(id).contains("Board"))
        let made = try await desk.run("note new Second")
        try await watch.expect(made)
        try await desk.run("folder new Work")
        try await watch.expect("folders changed")
        try FileManager.default.removeItem(atPath: "\(desk.notes)/notes/\(made)")
        #expect(try await watch.expect(made).contains("its files are gone"))
        try await desk.run("note delete \(id)")
        #expect(try await watch.expect(id).contains("(deleted)"))
        try await desk.run("note delete \(id) --forever --yes")
        #expect(try await watch.expect(id).contains("removed for good"))
        watch.signal(2)
        #expect(try await watch.exitCode() == 0)
    }

    @Test func `a note that is shared in a conversation is edited on both sides, and by files on a third`() async throws
    {
        let stage = try await Stage()
        let (ada, ben, _) = try await stage.pair()
        ada.type("/note new Weekend")
        ada.type("/note share Weekend")
        try await ben.expect("Weekend")
        // Ben has no such note: his folder gets it.
        let notes = stage.folder + "/ben/Notes"
        ben.type("/note append Weekend: * a tent")
        ada.type("/note append Weekend: * a boat")
        for name in ["ada", "ben"] {
            var text = ""
            for _ in 0..<600 where !(text.contains("a tent") && text.contains("a boat")) {
                try await Task.sleep(for: .milliseconds(50))
                // Another process and another profile, which has nothing but the folder.
                text = try await Shell(
                    "'\(AlcoveProcess.program)' note show Weekend --dir '\(stage.folder)/\(name)/Notes' --profile "
                        + "'\(stage.folder)/third' 2>&1"
                ).output
            }
            #expect(text.contains("a tent") && text.contains("a boat"), "\(name): \(text)")
        }
        #expect(FileManager.default.fileExists(atPath: notes))
        for process in [ada, ben] { process.type("/quit") }
        for process in [ada, ben] { #expect(try await process.exitCode() == 0) }
    }

    @Test func `what cannot be done is said, and why`() async throws {
        let desk = try Desk()
        let id = try await desk.run("note new One")
        try await desk.run("note new One")
        let ambiguous = try await desk.attempt("note show One")
        #expect(ambiguous.code == 64 && ambiguous.output.contains(id))
        #expect(try await desk.attempt("note show Nothing").code == 66)
        #expect(try await desk.attempt("note append").code == 64)
        #expect(try await desk.attempt("note new ''").code == 64)
        #expect(try await desk.attempt("note show ../../etc/passwd").code == 66)
    }
}
