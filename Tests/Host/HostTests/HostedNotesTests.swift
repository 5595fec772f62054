import AppCore
import Foundation
import Notes
import Rooms
import Testing

@testable import Host

/// Notes between the core, their folder, and a room.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedNotesTests {
    private static func make(_ title: String, on host: AppHost, _ pair: TwoHosts) async throws -> NoteID {
        await host.dispatch(.notes(.openNotes))
        try await pair.expect(host, "the list") { $0.notes.isListed ? true : nil }
        await host.dispatch(.notes(.createNote(title: title, folder: nil)))
        // It is listed before it is shown, and showing it would lead away from what a test opens next.
        return try await pair.expect(host, "the note") { state in
            state.notes.list.inOrder.first { $0.title == title && state.views.main.screen.note == $0.id }?.id
        }
    }

    /// The text of a note, once it contains all of these.
    @discardableResult
    private static func text(
        of note: NoteID, on host: AppHost, with words: [String], _ pair: TwoHosts
    ) async throws -> String {
        await host.dispatch(.notes(.openNote(note: note)))
        return try await pair.expect(host, "\(words)") { state in
            guard let text = state.notes.editor(of: note)?.text?.string else { return nil }
            return words.allSatisfy(text.contains) ? text : nil
        }
    }

    private static func share(_ note: NoteID, from host: AppHost, _ pair: TwoHosts) async throws {
        let room = try await pair.expect(host, "a room") { $0.rooms.first?.id }
        await host.dispatch(.notes(.shareNote(room: room, note: note)))
    }

    private static func untilLive(_ note: NoteID, _ pair: TwoHosts) async throws {
        for host in [pair.ada, pair.ben] {
            try await pair.expect(host, "the shared note") { state in
                state.rooms.first?.live.shares[note]?.state == .live ? true : nil
            }
        }
    }

    @Test func `a note is made, written, found, filed and deleted through the core`() async throws {
        let pair = try await TwoHosts()
        let note = try await Self.make("Groceries", on: pair.ada, pair)
        let shown = try await Self.text(of: note, on: pair.ada, with: ["Groceries"], pair)
        await pair.ada.dispatch([.notes(.editNote(text: shown + "\n* oat milk #shop\n")), .notes(.saveNote)])
        try await Self.text(of: note, on: pair.ada, with: ["oat milk"], pair)
        try await pair.expect(pair.ada, "the save") { $0.notes.drafts.isEmpty ? true : nil }
        try await pair.expect(pair.ada, "its tag") { $0.notes.list[note]?.tags == ["shop"] ? true : nil }
        await pair.ada.dispatch(.notes(.searchNotes(query: "milk")))
        try await pair.expect(pair.ada, "the hit") {
            $0.views.main.notes.search.results?.first?.note == note ? true : nil
        }
        await pair.ada.dispatch(.notes(.createFolder(name: "Home", parent: nil)))
        let folder = try await pair.expect(pair.ada, "the folder") { $0.notes.folders.inOrder.first?.folder.id }
        await pair.ada.dispatch([
            .notes(.moveNote(note: note, folder: folder)), .notes(.pinNote(note: note, on: true)),
        ])
        try await pair.expect(pair.ada, "its place") { state in
            state.notes.list[note].flatMap { $0.folder == folder && $0.pinned ? true : nil }
        }
        await pair.ada.dispatch(.notes(.deleteNote(note: note)))
        try await pair.expect(pair.ada, "the deletion") { $0.notes.list[note]?.deleted == true ? true : nil }
        await pair.ada.dispatch(.notes(.purgeNote(note: note)))
        try await pair.expect(pair.ada, "the end") { $0.notes.list[note] == nil ? true : nil }
        await pair.stop()
    }

    @Test func `what is around a note is told, discussed and restored through the core`() async throws {
        let pair = try await TwoHosts()
        let host = pair.ada
        let note = try await Self.make("Groceries", on: host, pair)
        let other = try await Self.make("Plans", on: host, pair)
        await host.dispatch(.notes(.appendToNote(note: other, text: "see [[\(note.text)]]")))
        try await Self.text(of: note, on: host, with: ["Groceries"], pair)
        await host.dispatch(.notes(.inspectNotes(on: true)))
        try await pair.expect(host, "the backlink") { state in
            state.notes.followed[note]?.details?.backlinks == [other] ? true : nil
        }
        await host.dispatch(.notes(.appendToNote(note: note, text: "oat milk")))
        try await Self.text(of: note, on: host, with: ["oat milk"], pair)
        await host.dispatch(.notes(.commentNote(note: note, quote: "oat", text: "Really?")))
        let comment = try await pair.expect(host, "the comment") { $0.notes.followed[note]?.details?.comments.first }
        #expect(comment.quote == "oat" && comment.text == "Really?")
        await host.dispatch(.notes(.replyToComment(note: note, comment: comment.id, text: "Yes")))
        await host.dispatch(.notes(.resolveComment(note: note, comment: comment.id, on: true)))
        try await pair.expect(host, "the answer") { state in
            let now = state.notes.followed[note]?.details?.comments.first
            return now?.resolved == true && now?.replies.map(\.text) == ["Yes"] ? true : nil
        }
        try await Self.correct(comment.id, on: note, host, pair)
        await host.dispatch(.notes(.deleteComment(note: note, comment: comment.id)))
        try await pair.expect(host, "no comment") { $0.notes.followed[note]?.details?.comments == [] ? true : nil }
        await host.dispatch(.notes(.listVersions))
        let version = try await pair.expect(host, "the history") { $0.views.main.notes.inspector.versions?.first }
        #expect(version.changes > 1)
        await host.dispatch(.notes(.restoreVersion(note: note, at: version.start)))
        try await pair.expect(host, "the earlier text") { state in
            state.notes.editor(of: note)?.text.map { !$0.string.contains("oat milk") } == true ? true : nil
        }
        await pair.stop()
    }

    /// What the person said is theirs: both are corrected, and the answer goes.
    private static func correct(
        _ comment: CommentID, on note: NoteID, _ host: AppHost, _ pair: TwoHosts
    ) async throws {
        let thread = try await pair.expect(host, "the thread") { $0.notes.followed[note]?.details?.comments.first }
        let reply = try #require(thread.replies.first)
        #expect(thread.own == true && thread.edited == nil && reply.own == true && reply.edited == nil)
        await host.dispatch(.notes(.correctComment(note: note, comment: comment, reply: nil, text: "Soy?")))
        await host.dispatch(.notes(.correctComment(note: note, comment: comment, reply: reply.id, text: "No")))
        try await pair.expect(host, "the corrections") { (state: AppState) -> Bool? in
            let now = state.notes.followed[note]?.details?.comments.first
            guard now?.text == "Soy?", now?.replies.map(\.text) == ["No"] else { return nil }
            return now?.edited != nil && now?.replies.first?.edited != nil ? true : nil
        }
        await host.dispatch(.notes(.deleteReply(note: note, comment: comment, reply: reply.id)))
        try await pair.expect(host, "no answer") { state in
            state.notes.followed[note]?.details?.comments.first?.replies == [] ? true : nil
        }
    }

    @Test func `what was written in a note that others deleted for good can be kept as a new one`() async throws {
        let pair = try await TwoHosts()
        let note = try await Self.make("Draft", on: pair.ada, pair)
        let shown = try await Self.text(of: note, on: pair.ada, with: ["Draft"], pair)
        await pair.ada.dispatch(.notes(.editNote(text: shown + "\nmuch work\n")))
        let library = try await pair.ada.notes.library()
        try await library.delete(note.text)
        try await pair.expect(pair.ada, "the deletion") { $0.notes.list[note]?.deleted == true ? true : nil }
        await pair.ada.dispatch(.notes(.keepDraft(note: note)))
        let kept = try await pair.expect(pair.ada, "the copy") { state in
            state.notes.list.inOrder.first { $0.id != note && $0.title == "Draft" }?.id
        }
        try await Self.text(of: kept, on: pair.ada, with: ["Draft", "much work"], pair)
        await pair.stop()
    }

    @Test func `a shared note comes to who has it not, and what both write comes to both, also after an interruption`()
        async throws
    {
        let pair = try await TwoHosts()
        try await pair.meet()
        let note = try await Self.make("Plan", on: pair.ada, pair)
        try await Self.share(note, from: pair.ada, pair)
        try await Self.untilLive(note, pair)
        await pair.ben.dispatch(.notes(.openNotes))
        try await pair.expect(pair.ben, "the note") { $0.notes.list[note]?.title == "Plan" ? true : nil }
        for (host, text) in [(pair.ada, "from Ada"), (pair.ben, "from Ben")] {
            await host.dispatch(.notes(.appendToNote(note: note, text: text)))
        }
        var texts: [String] = []
        for host in [pair.ada, pair.ben] {
            texts.append(try await Self.text(of: note, on: host, with: ["from Ada", "from Ben"], pair))
        }
        #expect(texts[0] == texts[1])
        // The network goes; both write on; it comes back.
        let room = try await pair.expect(pair.ada, "a room") { $0.rooms.first?.id }
        await pair.ada.sever(room)
        for (host, text) in [(pair.ada, "later, Ada"), (pair.ben, "later, Ben")] {
            await host.dispatch(.notes(.appendToNote(note: note, text: text)))
        }
        for host in [pair.ada, pair.ben] {
            try await Self.text(of: note, on: host, with: ["later, Ada", "later, Ben"], pair)
        }
        // A process that begins anew shares what it shared.
        await pair.ben.stop()
        pair.ben = try await TwoHosts.host(pair.folder + "/ben", pair.url)
        try await Self.untilLive(note, pair)
        await pair.ada.dispatch(.notes(.appendToNote(note: note, text: "after the restart")))
        await pair.ben.dispatch(.notes(.openNotes))
        try await Self.text(of: note, on: pair.ben, with: ["after the restart"], pair)
        await pair.stop()
    }

    @Test func `a note that is here already is shown to nobody who names it, until it is shared back`() async throws {
        let pair = try await TwoHosts()
        try await pair.meet()
        let note = try await Self.make("Secret", on: pair.ben, pair)
        await pair.ben.dispatch(.notes(.appendToNote(note: note, text: "for nobody")))
        try await Self.text(of: note, on: pair.ben, with: ["for nobody"], pair)
        // Ada has a note under the same id, as if she had guessed it.
        let library = try await pair.ada.notes.library()
        _ = try await library.create(title: "Mine", id: note.text)
        await pair.ada.dispatch(.notes(.openNotes))
        try await pair.expect(pair.ada, "the note") { $0.notes.list[note]?.title == "Mine" ? true : nil }
        try await Self.share(note, from: pair.ada, pair)
        try await pair.expect(pair.ben, "the offer") { $0.rooms.first?.sharedNotes.offered == [note] ? true : nil }
        try await pair.say(pair.ada, "did it come?")
        try await pair.untilHeard(pair.ben, ["did it come?"])
        let markdown = try await library.markdown(of: note.text)
        #expect(!markdown.contains("for nobody"))
        #expect(await pair.ben.notesSent(in: try await pair.expect(pair.ben, "a room") { $0.rooms.first?.id }) == 0)
        // Ben agrees: now both have both.
        try await Self.share(note, from: pair.ben, pair)
        try await Self.untilLive(note, pair)
        try await Self.text(of: note, on: pair.ada, with: ["Mine", "for nobody"], pair)
        await pair.stop()
    }

    @Test func `a note that came by files and was not read yet is shown to nobody who names it`() async throws {
        let pair = try await TwoHosts()
        try await pair.meet()
        let elsewhere = try await NoteLibrary.open(
            pair.folder + "/ben/Notes", home: pair.folder + "/elsewhere", person: "Ben",
            options: NoteLibrary.Options(watches: false))
        let note = NoteID(try await elsewhere.create(title: "Secret", markdown: "for nobody").id)
        await elsewhere.close()
        let library = try await pair.ada.notes.library()
        _ = try await library.create(title: "Mine", id: note.text)
        await pair.ada.dispatch(.notes(.openNotes))
        try await pair.expect(pair.ada, "the note") { $0.notes.list[note] != nil ? true : nil }
        try await Self.share(note, from: pair.ada, pair)
        try await pair.expect(pair.ben, "the offer") { $0.rooms.first?.sharedNotes.offered == [note] ? true : nil }
        #expect(await pair.ben.notesSent(in: try await pair.expect(pair.ben, "a room") { $0.rooms.first?.id }) == 0)
        #expect(try await !library.markdown(of: note.text).contains("for nobody"))
        await pair.stop()
    }

    @Test func `pictures come with a note that is shared, and no others`() async throws {
        let pair = try await TwoHosts()
        try await pair.meet()
        let (ada, ben) = (try await pair.ada.notes.library(), try await pair.ben.notes.library())
        var pictures: [String] = []
        for name in ["one", "two"] {
            let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>\(name)</title></svg>"
            pictures.append(try await ada.keepPicture(Array(drawing.utf8)))
        }
        let note = try await Self.make("With a picture", on: pair.ada, pair)
        try await Self.share(note, from: pair.ada, pair)
        await pair.ben.dispatch(.notes(.openNotes))
        try await pair.expect(pair.ben, "the note") { $0.notes.list[note] != nil ? true : nil }
        try await Self.share(note, from: pair.ben, pair)
        try await Self.untilLive(note, pair)
        await pair.ada.dispatch(.notes(.appendToNote(note: note, text: "![one](image:\(pictures[0]))")))
        while await !ben.hasPicture(pictures[0]) { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await ben.picture(pictures[0])?.bytes == ada.picture(pictures[0])?.bytes)
        // Whoever knows the name of another one gets nothing.
        let room = try await pair.expect(pair.ben, "a room") { $0.rooms.first?.id }.text
        let other = try #require(SharedPicture(pictures[1], of: note.text))
        await pair.ben.sharing.rooms.wantPicture(other, in: room)
        while await pair.ben.sharing.absentPictures[room] != [other.id] { try await Task.sleep(for: .milliseconds(20)) }
        #expect(await !ben.hasPicture(pictures[1]))
        // Nor is kept what another name belongs to.
        await #expect(throws: NoteFailure.self) { try await ben.keepPicture([1, 2, 3], as: pictures[1]) }
        await pair.stop()
    }

    @Test func `what three share in a triangle of rooms comes to each, and then it is quiet`() async throws {
        let pair = try await TwoHosts()
        let cid = try await TwoHosts.host(pair.folder + "/cid", pair.url)
        let hosts = [pair.ada, pair.ben, cid]
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            try await pair.meet(hosts[one], hosts[other], "\(one)\(other)")
        }
        let note = try await Self.make("Plan", on: pair.ada, pair)
        for host in hosts {
            if host !== pair.ada { await host.dispatch(.notes(.openNotes)) }
            try await pair.expect(host, "the note") { $0.notes.list[note] != nil ? true : nil }
            let rooms = try await pair.expect(host, "two rooms") { $0.rooms.count == 2 ? $0.rooms.map(\.id) : nil }
            for room in rooms { await host.dispatch(.notes(.shareNote(room: room, note: note))) }
        }
        for host in hosts {
            try await pair.expect(host, "the shared note") { state in
                state.rooms.allSatisfy { $0.live.shares[note]?.state == .live } ? true : nil
            }
        }
        let words = ["Ada", "Ben", "Cid"]
        for (host, word) in zip(hosts, words) {
            await host.dispatch(.notes(.appendToNote(note: note, text: "from \(word)")))
        }
        for host in hosts { try await Self.text(of: note, on: host, with: words.map { "from \($0)" }, pair) }
        // Long enough for whatever still goes round to go round many times.
        for number in 0..<20 {
            try await pair.say(pair.ada, "\(number)")
            try await pair.expect(pair.ada, "the receipt") { state in
                state.rooms.first?.messages.all.contains { $0.body == .text("\(number)") && $0.status == .delivered }
                    == true
                    ? true : nil
            }
        }
        var sent = 0
        for host in hosts {
            let rooms = try await pair.expect(host, "two rooms") { $0.rooms.map(\.id) }
            for room in rooms { sent += await host.notesSent(in: room) }
        }
        // The note and three edits, each to all, some by two ways, and what each side lacked at first.
        #expect(sent < 60)
        await cid.stop()
        await pair.stop()
    }

    @Test func `erasing everything takes the notes of the profile`()
        async throws
    {
        let pair = try await TwoHosts()
        let note = try await Self.make("Gone soon", on: pair.ada, pair)
        let folder = pair.folder + "/ada/Notes"
        #expect(FileManager.default.fileExists(atPath: folder + "/notes/" + note.text))
        await pair.ada.dispatch(.app(.eraseAll))
        try await pair.expect(pair.ada, "the end") { $0.pendingEffects.byID.isEmpty ? true : nil }
        for name in ["Notes/notes/\(note.text)", "NoteIndex"] {
            #expect(!FileManager.default.fileExists(atPath: pair.folder + "/ada/" + name))
        }
        await pair.stop()
    }
}
