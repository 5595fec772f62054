import AppCore
import Foundation
import Notes
import Testing

@testable import Host

/// Notes between the core, their folder, and a room.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedNotesTests {
    private static func make(_ title: String, on host: AppHost, _ stage: TwoHosts) async throws -> NoteID {
        await host.dispatch(.notes(.openNotes))
        try await stage.expect(host, "the list") { $0.notes.isListed ? true : nil }
        await host.dispatch(.notes(.createNote(title: title, folder: nil)))
        return try await stage.expect(host, "the note") { $0.notes.list.inOrder.first { $0.title == title }?.id }
    }

    /// The text of a note, once it contains all of these.
    @discardableResult
    private static func text(
        of note: NoteID, on host: AppHost, with words: [String], _ stage: TwoHosts
    ) async throws -> String {
        await host.dispatch(.notes(.openNote(note: note)))
        return try await stage.expect(host, "\(words)") { state in
            guard let text = state.notes.editor?.text?.string, state.notes.editor?.note == note else { return nil }
            return words.allSatisfy(text.contains) ? text : nil
        }
    }

    private static func share(_ note: NoteID, from host: AppHost, _ stage: TwoHosts) async throws {
        let room = try await stage.expect(host, "a room") { $0.rooms.first?.id }
        await host.dispatch(.notes(.shareNote(room: room, note: note)))
    }

    private static func untilLive(_ note: NoteID, _ stage: TwoHosts) async throws {
        for host in [stage.ada, stage.ben] {
            try await stage.expect(host, "the shared note") { state in
                state.rooms.first?.live.shares[note]?.state == .live ? true : nil
            }
        }
    }

    @Test func `a note is made, written, found, filed and deleted through the core`() async throws {
        let stage = try await TwoHosts()
        let note = try await Self.make("Groceries", on: stage.ada, stage)
        let shown = try await Self.text(of: note, on: stage.ada, with: ["Groceries"], stage)
        await stage.ada.dispatch([.notes(.editNote(text: shown + "\n* oat milk #shop\n")), .notes(.saveNote)])
        try await Self.text(of: note, on: stage.ada, with: ["oat milk"], stage)
        try await stage.expect(stage.ada, "the save") { $0.notes.drafts.isEmpty ? true : nil }
        try await stage.expect(stage.ada, "its tag") { $0.notes.list[note]?.tags == ["shop"] ? true : nil }
        await stage.ada.dispatch(.notes(.searchNotes(query: "milk")))
        try await stage.expect(stage.ada, "the hit") { $0.notes.search.results?.first?.note == note ? true : nil }
        await stage.ada.dispatch(.notes(.createFolder(name: "Home", parent: nil)))
        let folder = try await stage.expect(stage.ada, "the folder") { $0.notes.folders.inOrder.first?.folder.id }
        await stage.ada.dispatch([
            .notes(.moveNote(note: note, folder: folder)), .notes(.pinNote(note: note, on: true)),
        ])
        try await stage.expect(stage.ada, "its place") { state in
            state.notes.list[note].flatMap { $0.folder == folder && $0.pinned ? true : nil }
        }
        await stage.ada.dispatch(.notes(.deleteNote(note: note)))
        try await stage.expect(stage.ada, "the deletion") { $0.notes.list[note]?.deleted == true ? true : nil }
        await stage.ada.dispatch(.notes(.purgeNote(note: note)))
        try await stage.expect(stage.ada, "the end") { $0.notes.list[note] == nil ? true : nil }
        await stage.stop()
    }

    @Test func `what was written in a note that others deleted for good can be kept as a new one`() async throws {
        let stage = try await TwoHosts()
        let note = try await Self.make("Draft", on: stage.ada, stage)
        let shown = try await Self.text(of: note, on: stage.ada, with: ["Draft"], stage)
        await stage.ada.dispatch(.notes(.editNote(text: shown + "\nmuch work\n")))
        let library = try await stage.ada.notes.library()
        try await library.delete(note.text)
        try await stage.expect(stage.ada, "the deletion") { $0.notes.list[note]?.deleted == true ? true : nil }
        await stage.ada.dispatch(.notes(.keepDraft(note: note)))
        let kept = try await stage.expect(stage.ada, "the copy") { state in
            state.notes.list.inOrder.first { $0.id != note && $0.title == "Draft" }?.id
        }
        try await Self.text(of: kept, on: stage.ada, with: ["Draft", "much work"], stage)
        await stage.stop()
    }

    @Test func `a shared note comes to who has it not, and what both write comes to both, also after an interruption`()
        async throws
    {
        let stage = try await TwoHosts()
        try await stage.meet()
        let note = try await Self.make("Plan", on: stage.ada, stage)
        try await Self.share(note, from: stage.ada, stage)
        try await Self.untilLive(note, stage)
        await stage.ben.dispatch(.notes(.openNotes))
        try await stage.expect(stage.ben, "the note") { $0.notes.list[note]?.title == "Plan" ? true : nil }
        for (host, text) in [(stage.ada, "from Ada"), (stage.ben, "from Ben")] {
            await host.dispatch(.notes(.appendToNote(note: note, text: text)))
        }
        var texts: [String] = []
        for host in [stage.ada, stage.ben] {
            texts.append(try await Self.text(of: note, on: host, with: ["from Ada", "from Ben"], stage))
        }
        #expect(texts[0] == texts[1])
        // The network goes; both write on; it comes back.
        let room = try await stage.expect(stage.ada, "a room") { $0.rooms.first?.id }
        await stage.ada.sever(room)
        for (host, text) in [(stage.ada, "later, Ada"), (stage.ben, "later, Ben")] {
            await host.dispatch(.notes(.appendToNote(note: note, text: text)))
        }
        for host in [stage.ada, stage.ben] {
            try await Self.text(of: note, on: host, with: ["later, Ada", "later, Ben"], stage)
        }
        // A process that begins anew shares what it shared.
        await stage.ben.stop()
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        try await Self.untilLive(note, stage)
        await stage.ada.dispatch(.notes(.appendToNote(note: note, text: "after the restart")))
        await stage.ben.dispatch(.notes(.openNotes))
        try await Self.text(of: note, on: stage.ben, with: ["after the restart"], stage)
        await stage.stop()
    }

    @Test func `a note that is here already is shown to nobody who names it, until it is shared back`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        let note = try await Self.make("Secret", on: stage.ben, stage)
        await stage.ben.dispatch(.notes(.appendToNote(note: note, text: "for nobody")))
        try await Self.text(of: note, on: stage.ben, with: ["for nobody"], stage)
        // Ada has a note under the same id, as if she had guessed it.
        let library = try await stage.ada.notes.library()
        _ = try await library.create(title: "Mine", id: note.text)
        await stage.ada.dispatch(.notes(.openNotes))
        try await stage.expect(stage.ada, "the note") { $0.notes.list[note]?.title == "Mine" ? true : nil }
        try await Self.share(note, from: stage.ada, stage)
        try await stage.expect(stage.ben, "the offer") { $0.rooms.first?.sharedNotes.offered == [note] ? true : nil }
        try await stage.say(stage.ada, "did it come?")
        try await stage.untilHeard(stage.ben, ["did it come?"])
        let markdown = try await library.markdown(of: note.text)
        #expect(!markdown.contains("for nobody"))
        #expect(await stage.ben.notesSent(in: try await stage.expect(stage.ben, "a room") { $0.rooms.first?.id }) == 0)
        // Ben agrees: now both have both.
        try await Self.share(note, from: stage.ben, stage)
        try await Self.untilLive(note, stage)
        try await Self.text(of: note, on: stage.ada, with: ["Mine", "for nobody"], stage)
        await stage.stop()
    }

    @Test func `a note that came by files and was not read yet is shown to nobody who names it`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        let elsewhere = try await NoteLibrary.open(
            stage.folder + "/ben/Notes", home: stage.folder + "/elsewhere", person: "Ben",
            options: NoteLibrary.Options(watches: false))
        let note = NoteID(try await elsewhere.create(title: "Secret", markdown: "for nobody").id)
        await elsewhere.close()
        let library = try await stage.ada.notes.library()
        _ = try await library.create(title: "Mine", id: note.text)
        await stage.ada.dispatch(.notes(.openNotes))
        try await stage.expect(stage.ada, "the note") { $0.notes.list[note] != nil ? true : nil }
        try await Self.share(note, from: stage.ada, stage)
        try await stage.expect(stage.ben, "the offer") { $0.rooms.first?.sharedNotes.offered == [note] ? true : nil }
        #expect(await stage.ben.notesSent(in: try await stage.expect(stage.ben, "a room") { $0.rooms.first?.id }) == 0)
        #expect(try await !library.markdown(of: note.text).contains("for nobody"))
        await stage.stop()
    }

    @Test func `what three share in a triangle of rooms comes to each, and then it is quiet`() async throws {
        let stage = try await TwoHosts()
        let cid = try await TwoHosts.host(stage.folder + "/cid", stage.url)
        let hosts = [stage.ada, stage.ben, cid]
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            try await stage.meet(hosts[one], hosts[other], "\(one)\(other)")
        }
        let note = try await Self.make("Plan", on: stage.ada, stage)
        for host in hosts {
            if host !== stage.ada { await host.dispatch(.notes(.openNotes)) }
            try await stage.expect(host, "the note") { $0.notes.list[note] != nil ? true : nil }
            let rooms = try await stage.expect(host, "two rooms") { $0.rooms.count == 2 ? $0.rooms.map(\.id) : nil }
            for room in rooms { await host.dispatch(.notes(.shareNote(room: room, note: note))) }
        }
        for host in hosts {
            try await stage.expect(host, "the shared note") { state in
                state.rooms.allSatisfy { $0.live.shares[note]?.state == .live } ? true : nil
            }
        }
        let words = ["Ada", "Ben", "Cid"]
        for (host, word) in zip(hosts, words) {
            await host.dispatch(.notes(.appendToNote(note: note, text: "from \(word)")))
        }
        for host in hosts { try await Self.text(of: note, on: host, with: words.map { "from \($0)" }, stage) }
        // Long enough for whatever still goes round to go round many times.
        for number in 0..<20 {
            try await stage.say(stage.ada, "\(number)")
            try await stage.expect(stage.ada, "the receipt") { state in
                state.rooms.first?.messages.all.contains { $0.body == .text("\(number)") && $0.status == .delivered }
                    == true
                    ? true : nil
            }
        }
        var sent = 0
        for host in hosts {
            let rooms = try await stage.expect(host, "two rooms") { $0.rooms.map(\.id) }
            for room in rooms { sent += await host.notesSent(in: room) }
        }
        // The note and three edits, each to all, some by two ways, and what each side lacked at first.
        #expect(sent < 60)
        await cid.stop()
        await stage.stop()
    }

    @Test func `erasing everything takes the notes of the profile`()
        async throws
    {
        let stage = try await TwoHosts()
        let note = try await Self.make("Gone soon", on: stage.ada, stage)
        let folder = stage.folder + "/ada/Notes"
        #expect(FileManager.default.fileExists(atPath: folder + "/notes/" + note.text))
        await stage.ada.dispatch(.app(.eraseAll))
        try await stage.expect(stage.ada, "the end") { $0.pendingEffects.byID.isEmpty ? true : nil }
        for name in ["Notes/notes/\(note.text)", "NoteIndex"] {
            #expect(!FileManager.default.fileExists(atPath: stage.folder + "/ada/" + name))
        }
        await stage.stop()
    }
}
