import Foundation
import Testing

/// `alcove note` and `alcove folder`, as a person and as a script would use them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NoteTests {
    private struct Found: Decodable { var id, title, snippet: String }

    private struct Report: Decodable {
        var ok: Bool
        var notes, records: Int
    }

    @Test func `what a script writes is shown, found and verified`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Groceries")
        try await fixture.run("note append \(id) '* oat milk #shopping'")
        try await fixture.run("note append Groceries - <<'END'\n* bread\n\nSee **you** at eight.\nEND")
        let text = try await fixture.run("note show \(id)")
        for piece in ["Groceries", "oat milk #shopping", "bread", "See **you** at eight."] {
            #expect(text.contains(piece))
        }
        let found = try await fixture.json([Found].self, "note search oat")
        #expect(found.map(\.id) == [id] && found.first?.title == "Groceries")
        #expect(found.first?.snippet.contains("oat milk") == true)
        #expect(try await fixture.json([Found].self, "note search nowhere").isEmpty)
        #expect(try await fixture.run("note tags").contains("#shopping  1"))
        let report = try await fixture.json(Report.self, "note verify")
        #expect(report.ok && report.notes == 1 && report.records >= 3)
        #expect(try await fixture.json(Report.self, "note verify --rebuild").ok)
        #expect(try await fixture.json([Found].self, "note search '#shopping'").map(\.id) == [id])
    }

    @Test func `two people write in one folder, and both see everything`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Plans")
        for number in 1...5 {
            try await fixture.run("note append \(id) 'from Ada \(number)'")
            try await fixture.run("note append \(id) 'from Ben \(number)'", as: "Ben")
        }
        let text = try await fixture.run("note show \(id)")
        #expect(try await fixture.run("note show \(id)", as: "Ben") == text)
        for number in 1...5 { #expect(text.contains("from Ada \(number)") && text.contains("from Ben \(number)")) }
        let authors = try await fixture.run("note history \(id)")
        #expect(authors.contains("Ada") && authors.contains("Ben"))
    }

    @Test func `history shows any moment`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Diary")
        try await fixture.run("note append \(id) 'the first day'")
        try await Task.sleep(for: .milliseconds(20))
        let moment = Int64(Date().timeIntervalSince1970 * 1000)
        try await Task.sleep(for: .milliseconds(20))
        try await fixture.run("note append \(id) 'the second day'")
        let before = try await fixture.run("note show \(id) --at \(moment)")
        #expect(before.contains("the first day") && !before.contains("the second day"))
        let early = try await fixture.attempt("note show \(id) --at 2001-01-01")
        #expect(early.code == 66 && early.output.contains("it did not exist yet"))
        #expect(try await fixture.attempt("note show \(id) --at yesterdayish").code == 64)
    }

    @Test func `times are those of this machine, and mean the same moment when they are given back`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Diary")
        try await fixture.run("note append \(id) 'the first day'")
        let line = try await fixture.run("note history \(id)", before: "TZ=Asia/Kolkata")
        let end = try #require(line.split(separator: " ").dropFirst().first)
        #expect(end.hasSuffix("+05:30"))
        #expect(try await fixture.run("note show \(id) --at \(end)").contains("the first day"))
        // Without its zone it is the same moment only there.
        let local = end.dropLast("+05:30".count)
        #expect(try await fixture.run("note show \(id) --at \(local)", before: "TZ=Asia/Kolkata").contains("first day"))
        #expect(try await fixture.run("note list", before: "TZ=Asia/Kolkata").contains("+05:30"))
    }

    private struct Changed: Decodable {
        var id: String
        var title, name, folder, parent, modified: String?
        var pinned, deleted, removed: Bool?
    }

    @Test func `what changes something says to a person nothing, and to a script what there is now`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Receipt")
        #expect(try await fixture.run("note rename Receipt Bill").isEmpty)
        let renamed = try await fixture.json(Changed.self, "note rename Bill Invoice")
        #expect(renamed.id == id && renamed.title == "Invoice")
        #expect(try #require(renamed.modified).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        let work = try await fixture.json(Changed.self, "folder new Work")
        let projects = try await fixture.json(Changed.self, "folder new Projects")
        #expect(try await fixture.json(Changed.self, "folder move Projects Work").parent == work.id)
        #expect(try await fixture.json(Changed.self, "folder rename Projects Plans").name == "Plans")
        #expect(try await fixture.json(Changed.self, "note move Invoice Plans").folder == projects.id)
        #expect(try await fixture.json(Changed.self, "note pin Invoice").pinned == true)
        let editor = try fixture.editor("echo '* more' >> \"$1\"")
        let edited = try await fixture.run("note edit Invoice --json", before: editor)
        #expect(try JSONDecoder().decode(Changed.self, from: Data(edited.utf8)).id == id)
        #expect(try await fixture.json(Changed.self, "folder delete Plans").deleted == true)
        #expect(try await fixture.json(Changed.self, "note delete Invoice").deleted == true)
        #expect(try await fixture.json(Changed.self, "note restore Invoice").deleted == false)
        try await fixture.run("note delete Invoice")
        #expect(try await fixture.json(Changed.self, "note delete \(id) --forever --yes").removed == true)
    }

    @Test func `a time in JSON can be given back, and is in UTC wherever the machine is`() async throws {
        struct Session: Decodable { var start, end: String }
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Diary 'the first day'")
        let json = try await fixture.run("note history \(id) --json", before: "TZ=Asia/Kolkata")
        let sessions = try JSONDecoder().decode([Session].self, from: Data(json.utf8))
        let end = try #require(sessions.first?.end)
        #expect(end.hasSuffix("Z"))
        #expect(try await fixture.run("note show \(id) --at \(end)").contains("the first day"))
    }

    @Test func `notes are filed, pinned, deleted, restored and removed for good`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Receipt")
        let work = try await fixture.run("folder new Work")
        let projects = try await fixture.run("folder new Projects --in Work")
        try await fixture.run("note move Receipt Projects")
        #expect(try await fixture.run("note list --folder \(projects)").contains(id))
        #expect(try await fixture.attempt("folder move Work Projects").code != 0, "a folder cannot be in itself")
        try await fixture.run("folder rename Projects Done")
        try await fixture.run("folder delete \(projects)")
        #expect(try await fixture.run("note list --folder \(work)").contains(id))
        try await fixture.run("note pin Receipt")
        try await fixture.run("note rename Receipt 'Receipt of May'")
        #expect(try await fixture.run("note list").contains("Receipt of May *"))
        #expect(try await fixture.attempt("note delete \(id) --forever --yes").code != 0, "it is not deleted yet")
        try await fixture.run("note delete \(id)")
        let (here, deleted) = (try await fixture.run("note list"), try await fixture.run("note list --deleted"))
        #expect(!here.contains(id) && deleted.contains(id))
        #expect(try await fixture.attempt("note append \(id) more").code != 0, "a deleted note is read-only")
        try await fixture.run("note restore \(id)")
        try await fixture.run("note append \(id) more")
        try await fixture.run("note delete \(id)")
        try await fixture.run("note delete \(id) --forever --yes")
        #expect(try await fixture.attempt("note show \(id)").code == 66)
        #expect(!FileManager.default.fileExists(atPath: fixture.notes + "/notes/" + id))
    }

    @Test func `only what begins something makes a folder of notes`() async throws {
        let fixture = try NoteFixture()
        for words in ["note list", "note search oat", "note verify", "note append x y"] {
            let shell = try await fixture.attempt(words)
            #expect(shell.code == 66 && shell.output.contains("there is no folder of notes at \(fixture.notes)"))
        }
        try FileManager.default.createDirectory(atPath: fixture.notes, withIntermediateDirectories: true)
        try await fixture.run("note list")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.notes).isEmpty)
        try await fixture.run("folder new Work")
        #expect(FileManager.default.fileExists(atPath: fixture.notes + "/SD_ID"))
        let unnamed = try await Shell(
            "'\(AlcoveProcess.program)' note new One --dir '' --profile '\(fixture.folder)/Ada' 2>&1")
        #expect(unnamed.code == 64)
        // Also the folders above it.
        let deep = fixture.folder + "/a/b/c"
        let made = try await Shell(
            "'\(AlcoveProcess.program)' note new One --dir '\(deep)' --profile '\(fixture.folder)/Ada' 2>&1")
        #expect(made.code == 0 && FileManager.default.fileExists(atPath: deep + "/SD_ID"), "\(made.output)")
        let obstacle = try await Shell(
            "'\(AlcoveProcess.program)' note new One --dir '\(deep)/SD_ID/x/y' --profile '\(fixture.folder)/Ada' 2>&1")
        #expect(obstacle.code == 66 && obstacle.output.contains("SD_ID"), "\(obstacle.output)")
    }

    @Test func `comments, links, export and import`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Recipe 'Two cups of flour'")
        try await fixture.run("note comment \(id) --on flour 'Rye?'")
        struct Comment: Decodable { var id, author, quoted: String; var resolved: Bool }
        let comment = try #require(try await fixture.json([Comment].self, "note comment \(id)").first)
        #expect(comment.author == "Ada" && comment.quoted == "flour" && !comment.resolved)
        try await fixture.run("note comment \(id) --reply \(comment.id) 'Wheat.'", as: "Ben")
        try await fixture.run("note comment \(id) --resolve \(comment.id)")
        #expect(try await fixture.run("note comment \(id)").contains("Ben: Wheat."))
        try await Self.correct(comment.id, on: id, fixture)
        let menu = try await fixture.run("note new Menu 'First [[\(id)]]'")
        #expect(try await fixture.run("note links \(id)").contains(menu))
        try await fixture.run("note export '\(fixture.folder)/out'")
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/out")
        #expect(files.contains("Recipe.md") && files.contains("Menu.md"))
        let lost = try await fixture.attempt("note export /dev/null/out")
        #expect(lost.code == 73 && lost.output.contains("/dev/null/out cannot be written: a part of the path"))
        // They are known, and as they were.
        let again = try await fixture.run("note import '\(fixture.folder)/out'")
        #expect(again.contains("unchanged"), "\(again)")
        #expect(try await !fixture.run("note list").contains("Recipe (2)"))
    }

    /// A comment as the command line prints it.
    private struct Said: Decodable {
        struct Reply: Decodable {
            var id, text: String
            var own: Bool
            var edited: String?
        }

        var own: Bool
        var replies: [Reply]
    }

    /// Ben's answer is Ben's to correct and to delete.
    private static func correct(_ comment: String, on note: String, _ fixture: NoteFixture) async throws {
        let list = "note comment \(note)"
        let before = try #require(try await fixture.json([Said].self, list).first)
        let reply = try #require(before.replies.first)
        #expect(before.own && !reply.own && reply.edited == nil)
        try await fixture.run("\(list) --correct \(comment) --answer \(reply.id) 'Spelt.'", as: "Ben")
        let corrected = try await fixture.json([Said].self, list).first?.replies.first
        #expect(corrected?.text == "Spelt." && corrected?.edited != nil)
        let theirs = try await fixture.attempt("\(list) --delete \(comment) --answer \(reply.id)")
        #expect(theirs.code == 77 && theirs.output.contains("only who said it"), "\(theirs.output)")
        for (options, sentence) in [
            ("--correct \(comment) --answer \(reply.id) ''", "the text is empty"),
            ("--reply \(comment) ' '", "the text is empty"),
            ("--on flour ''", "the text is empty"),
            ("--reply \(comment) --answer \(reply.id) Rye", "--answer goes with"),
            ("--resolve \(comment) --answer \(reply.id)", "--answer goes with"),
            ("--answer \(reply.id)", "--answer goes with"),
            ("--correct \(comment) --to \(comment) Rye", "--to goes with --react only"),
        ] {
            let refused = try await fixture.attempt("\(list) \(options)", as: "Ben")
            #expect(refused.code == 64 && refused.output.contains(sentence), "\(options): \(refused.output)")
        }
        try await fixture.run("\(list) --delete \(comment) --answer \(reply.id)", as: "Ben")
        #expect(try await fixture.json([Said].self, list).first?.replies.isEmpty == true)
    }

    @Test func `what others write is printed as it arrives`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new Board")
        let watch = try AlcoveProcess(
            ["note", "watch", "--dir", fixture.notes, "--profile", fixture.folder + "/Ada", "--as", "Ada"])
        try await watch.expect("watching")
        try await fixture.run("note append \(id) 'a card'", as: "Ben")
        let line = try await watch.expect(id)
        #expect(line.contains("Board") && line.contains("by Ben"))
        // Another process of the same profile, which tells the index first.
        try await fixture.run("note append \(id) 'another card'")
        #expect(try await watch.expect(id).contains("Board"))
        let made = try await fixture.run("note new Second")
        try await watch.expect(made)
        try await fixture.run("folder new Work")
        try await watch.expect("folders changed")
        try FileManager.default.removeItem(atPath: "\(fixture.notes)/notes/\(made)")
        #expect(try await watch.expect(made).contains("its files are gone"))
        try await fixture.run("note delete \(id)")
        #expect(try await watch.expect(id).contains("(deleted)"))
        try await fixture.run("note delete \(id) --forever --yes")
        #expect(try await watch.expect(id).contains("removed for good"))
        watch.signal(2)
        #expect(try await watch.exitCode() == 0)
    }

    @Test func `a note that is shared in a conversation is edited on both sides, and by files on a third`() async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("/note new Weekend")
        ada.type("/note share Weekend")
        try await ben.expect("Weekend")
        // Ben has no such note: his folder gets it, a moment after the line about it.
        let notes = fixture.folder + "/ben/Notes"
        for _ in 0..<300 where !ben.lines.contains(where: { $0 == "* Weekend" || $0.hasPrefix("* Weekend  [") }) {
            ben.type("/note list")
            try await Task.sleep(for: .milliseconds(200))
        }
        ben.type("/note append Weekend: * a tent")
        ada.type("/note append Weekend: * a boat")
        for name in ["ada", "ben"] {
            var text = ""
            for _ in 0..<600 where !(text.contains("a tent") && text.contains("a boat")) {
                try await Task.sleep(for: .milliseconds(50))
                // Another process and another profile, which has nothing but the folder.
                text = try await Shell(
                    "'\(AlcoveProcess.program)' note show Weekend --dir '\(fixture.folder)/\(name)/Notes' --profile "
                        + "'\(fixture.folder)/third' 2>&1"
                ).output
            }
            #expect(text.contains("a tent") && text.contains("a boat"), "\(name): \(text)")
        }
        #expect(FileManager.default.fileExists(atPath: notes))
        for process in [ada, ben] { process.type("/quit") }
        for process in [ada, ben] { #expect(try await process.exitCode() == 0) }
    }

    @Test func `what cannot be done is said, and why`() async throws {
        let fixture = try NoteFixture()
        let id = try await fixture.run("note new One")
        try await fixture.run("note new One")
        let ambiguous = try await fixture.attempt("note show One")
        #expect(ambiguous.code == 64 && ambiguous.output.contains(id))
        #expect(try await fixture.attempt("note show Nothing").code == 66)
        #expect(try await fixture.attempt("note append").code == 64)
        #expect(try await fixture.attempt("note new ''").code == 64)
        #expect(try await fixture.attempt("note show ../../etc/passwd").code == 66)
    }
}
