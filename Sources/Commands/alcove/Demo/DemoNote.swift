import AppCore
import Host

/// The act in which both write in one note at the same moment.
extension DemoSetup {
    private static let title = "For the holiday"
    private static let lines = 20

    /// Ada shares a note that Ben has never seen; both write in it without waiting for each other.
    func writeTogether() async throws -> DemoReport.Note {
        let note = try await shareNote()
        for person in [ada, ben] { await person.host.dispatch(.notes(.openNote(note: note))) }
        async let adaWrites: Void = ada.write(Self.lines, in: note)
        async let benWrites: Void = ben.write(Self.lines, in: note)
        _ = try await (adaWrites, benWrites)
        let texts = try await [ada.text(with: Self.lines * 2, of: note), ben.text(with: Self.lines * 2, of: note)]
        let room = try await [ada.room(), ben.room()]
        let updates = await ada.host.notesSent(in: room[0]) + ben.host.notesSent(in: room[1])
        let ready = await ada.host.noteEngineReadyAfter?.milliseconds ?? 0
        for person in [ada, ben] { await person.host.dispatch(.rooms(.openRoom(room: try await person.room()))) }
        let isEqual = texts[0] == texts[1]
        timeline.say(
            "both",
            "write \(Self.lines) lines each into one note at once; \(updates) updates later it is "
                + (isEqual ? "the same on both sides" : "not the same!"))
        return DemoReport.Note(convergedEqual: isEqual, updates: updates, engineReadyMs: ready)
    }

    private func shareNote() async throws -> NoteID {
        for person in [ada, ben] {
            await person.host.dispatch([.notes(.openNotes), .rooms(.openRoom(room: try await person.room()))])
            try await person.expect("the notes") { $0.notes.isListed ? true : nil }
        }
        await ada.host.dispatch(.notes(.createNote(title: Self.title, folder: nil)))
        let note = try await ada.expect("the note") { $0.notes.list.inOrder.first { $0.title == Self.title }?.id }
        await ada.host.dispatch(.notes(.shareNote(room: try await ada.room(), note: note)))
        for person in [ada, ben] {
            try await person.expect("the shared note") { state in
                state.rooms.first?.live.shares[note]?.state == .live && state.notes.list[note] != nil ? true : nil
            }
        }
        timeline.say("Ada", "shares the note “\(Self.title)”; Ben has it, too")
        return note
    }
}

extension DemoPerson {
    fileprivate func write(_ lines: Int, in note: NoteID) async throws {
        for line in 1...lines {
            await host.dispatch(.notes(.appendToNote(note: note, text: "* \(name) \(line)")))
        }
    }

    /// The note on the screen, once it has so many lines of both.
    fileprivate func text(with lines: Int, of note: NoteID) async throws -> String {
        try await expect("what both wrote") { state in
            guard let text = state.notes.editor(of: note)?.text?.string else { return nil }
            return text.split(separator: "\n").count { $0.contains("Ada ") || $0.contains("Ben ") } == lines
                ? text : nil
        }
    }
}
