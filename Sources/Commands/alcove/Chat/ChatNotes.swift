import AppCore
import Foundation
import Host

/// What a person asks about notes in a conversation.
enum ChatNoteRequest: Equatable {
    case list
    case new(title: String)
    case show(title: String)
    case append(title: String, text: String)
    case share(title: String)
    case stop(title: String)

    static let usage = "/note list | new TITLE | show TITLE | append TITLE: TEXT | share TITLE | stop TITLE"

    /// - Parameter text: what follows `/note`.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
        switch (words.first ?? "list", rest.isEmpty) {
        case ("list", true): self = .list
        case ("new", false): self = .new(title: rest)
        case ("show", false): self = .show(title: rest)
        case ("share", false): self = .share(title: rest)
        case ("stop", false): self = .stop(title: rest)
        case ("append", false):
            guard let colon = rest.firstRange(of: ": ") else { return nil }
            self = .append(title: String(rest[..<colon.lowerBound]), text: String(rest[colon.upperBound...]))
        default: return nil
        }
    }
}

/// The notes of the person, from within a conversation.
struct ChatNotes: Sendable {
    let host: any ProfileHost
    let room: RoomID

    /// How long a large folder may take to be read the first time.
    private static let patience = Duration.seconds(60)

    /// Does what was asked.
    /// - Returns: what there is to say about it; what happens is shown by the conversation.
    func answer(_ request: ChatNoteRequest) async -> [ChatLine] {
        do {
            try await open()
            switch request {
            case .list: return await list()
            case .new(let title):
                await host.dispatch(.notes(.createNote(title: title, folder: nil)))
                return []
            case .show(let title): return [try await text(of: find(title))]
            case .append(let title, let text):
                let note = try await find(title)
                let before = await host.read { Set($0.notices.map(\.id)) }
                await host.dispatch(.notes(.appendToNote(note: note, text: text)))
                let isRefused = await host.read { state in
                    state.notices.contains { $0.kind == .problem && $0.room == nil && !before.contains($0.id) }
                }
                return isRefused ? [ChatLine(kind: .unsent, text: text)] : []
            case .share(let title):
                await host.dispatch(.notes(.shareNote(room: room, note: try await find(title))))
                return []
            case .stop(let title):
                await host.dispatch(.notes(.stopSharingNote(room: room, note: try await find(title))))
                return []
            }
        } catch {
            return [ChatLine(kind: .notice, text: error.explanation)]
        }
    }

    /// Has the folder followed from now on, and goes back to the conversation.
    private func open() async throws(CommandFailure) {
        guard await !host.read({ $0.notes.isListed }) else { return }
        await host.dispatch([.notes(.openNotes), .rooms(.openRoom(room: room))])
        let opened: Bool? = await host.wait(upTo: Self.patience) { state in
            if state.notes.isListed { return true }
            return state.notes.failure == nil ? nil : false
        }
        guard opened != true else { return }
        let reason = await host.read { $0.notes.failure?.message } ?? "they are still being read"
        throw CommandFailure("the notes cannot be opened: \(reason)", .unavailable)
    }

    private func list() async -> [ChatLine] {
        await host.read { state in
            let shown = state.notes.list.inOrder.filter { !$0.deleted }.prefix(50)
            guard !shown.isEmpty else { return [ChatLine(kind: .status, text: "no notes yet; /note new TITLE")] }
            return shown.map { ChatLine(kind: .status, text: $0.title, detail: $0.preview.isEmpty ? nil : $0.preview) }
        }
    }

    /// The note with this title, whatever the case of its letters, or with this id.
    private func find(_ title: String) async throws(CommandFailure) -> NoteID {
        // One that was made a moment ago may still be on its way into the list.
        let found: [NoteID]? = await host.wait(upTo: .seconds(3)) { state in
            let here = state.notes.list.inOrder.filter { !$0.deleted }
            let exact = here.filter { $0.id.text == title || $0.title == title }
            let found = exact.isEmpty ? here.filter { $0.title.lowercased() == title.lowercased() } : exact
            return found.isEmpty ? nil : found.map(\.id)
        }
        guard let found, let note = found.first else {
            throw CommandFailure("there is no note \"\(title)\"; /note list shows them", .noInput)
        }
        guard found.count == 1 else {
            throw CommandFailure("\(found.count) notes are called \"\(title)\"; name it by its id", .usage)
        }
        return note
    }

    private func text(of note: NoteID) async throws(CommandFailure) -> ChatLine {
        await host.dispatch(.notes(.openNote(note: note)))
        let text = await host.wait(upTo: .seconds(10)) { state in
            state.notes.editor(of: note)?.text?.string
        }
        await host.dispatch(.rooms(.openRoom(room: room)))
        guard let text else { throw CommandFailure("the note cannot be read now", .unavailable) }
        return ChatLine(kind: .note, text: text)
    }
}
