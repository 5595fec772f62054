@testable import Rooms

/// An owner of notes whose documents are sets of words: the simplest thing that merges in any order. A state vector lists the
/// words that are there, an update those that are new.
final class Notebook {
    var words: [String: Set<String>] = [:]
    var offered: [String: String] = [:]
    var channel: [NoteChannelState] = []
    /// Pictures that are here, and those that came from the other side.
    var (pictures, came): ([String: [UInt8]], [[UInt8]]) = ([:], [])
    /// How often something was asked for or came.
    var (vectorsWanted, vectors, updates) = (0, 0, 0)
    /// Whether it answers what it is asked.
    var answers = true

    static func bytes(_ words: Set<String>) -> [UInt8] { Array((words.sorted().joined(separator: " ") + "\n").utf8) }

    static func words(_ bytes: [UInt8]) -> Set<String> {
        Set(bytes.dropLast().split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) })
    }

    func share(_ id: String, titled title: String = "", on conversation: Conversation) async throws {
        words[id] = words[id] ?? []
        try await conversation.share(SharedNote.named(id, title))
    }

    func write(_ word: String, in id: String, on conversation: Conversation) async throws {
        words[id, default: []].insert(word)
        try await conversation.send(.update(Self.bytes([word])), of: id)
    }

    func handle(_ report: RoomReport, _ conversation: Conversation) async throws {
        switch report {
        case .noteChannel(_, let state): channel.append(state)
        case .noteOffered(_, let note): offered[note.id] = note.title
        case .noteStopped(_, let note): offered[note] = nil
        case .noteStateVectorWanted(_, let note):
            vectorsWanted += 1
            if answers { try await conversation.send(.stateVector(Self.bytes(words[note] ?? [])), of: note) }
        case .noteStateVector(_, let note, let bytes):
            vectors += 1
            let missing = (words[note] ?? []).subtracting(Self.words(bytes))
            guard answers else { break }
            try await conversation.send(.difference(missing.isEmpty ? [] : Self.bytes(missing)), of: note)
        case .noteUpdate(_, let note, let bytes):
            updates += 1
            words[note, default: []].formUnion(Self.words(bytes))
        case .notePictureWanted(_, let picture):
            guard answers else { break }
            try await conversation.send(.picture(pictures[picture.id] ?? [], id: picture.id), of: picture.note)
        case .notePicture(_, _, let bytes): came.append(bytes)
        default: break
        }
    }
}

extension ConversationPair {
    /// Both sides share a note, each with its own word.
    func shareBoth(_ id: String = "note") async throws {
        for (side, word) in zip(sides, ["ada", "ben"]) {
            side.notebook.words[id] = [word]
            try await side.notebook.share(id, titled: "Shopping", on: side.conversation)
        }
    }

    func words(_ id: String = "note") -> [Set<String>] { sides.map { $0.notebook.words[id] ?? [] } }
}

extension SharedPicture {
    /// A picture with an id that can be one.
    static func named(_ id: String, in note: String) -> SharedPicture {
        SharedPicture(id, of: note).unsafelyUnwrapped
    }
}

extension SharedNote {
    /// A note with an id that can be one.
    static func named(_ id: String, _ title: String = "") -> SharedNote {
        SharedNote(id: id, title: title).unsafelyUnwrapped
    }
}
