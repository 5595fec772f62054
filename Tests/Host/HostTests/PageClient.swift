import AppCore
import Networking

@testable import Host

/// A client that shows documents, and follows its tree.
final class PageClient {
    private let channel: LineChannel
    private var tree = SemanticNode(.screen, "none")

    init(_ channel: LineChannel) { self.channel = channel }

    func say(_ frame: ClientFrame) { channel.say(frame) }

    /// The next frame that fulfils a condition. What is shown meanwhile is taken.
    func hear(_ isWanted: (HostFrame) -> Bool) async throws -> HostFrame {
        try await channel.hear { frame in
            take(frame)
            return isWanted(frame)
        }
    }

    private func take(_ frame: HostFrame) {
        switch frame {
        case .tree(let rev, let root, _):
            tree = root
            say(.ack(rev: rev))
        case .patch(_, let rev, let removed, let placed, let updated):
            tree.apply(removed: removed ?? [], placed: placed ?? [], updated: updated ?? [])
            say(.ack(rev: rev))
        default: break
        }
    }

    /// Waits until the tree is as wanted.
    func wait(_ isWanted: (SemanticNode) -> Bool) async throws {
        while !isWanted(tree) { _ = try await hear { $0.isTree || $0.isPatch } }
    }

    /// Says hello as a client that shows documents, and goes to a note.
    func show(_ note: NoteID) async throws {
        say(.hello(v: attachVersion, session: nil, rev: nil, screens: nil, can: ["documents", "of a later version"]))
        _ = try await hear { if case .welcome = $0 { true } else { false } }
        say(.look(windows: nil, front: true))
        say(.dispatch(n: 1, fresh: nil, action: .notes(.openNote(note: note))))
        // Once the note is in the list, what becomes of it is known.
        try await wait { $0.find("note.editor")?.facts.doc == note && $0.find("note.settings") != nil }
    }

    /// What the host answers when it lends a note.
    func open(_ note: NoteID) async throws -> [String: JSONValue] {
        say(.docOpen(n: 100, note: note, vector: "AA=="))
        let answer = try await hear(\.isReply)
        guard case .reply(100, .object(let result)?, nil) = answer else { throw LineChannel.Ended(after: answer) }
        return result
    }
}

extension HostFrame {
    var isReply: Bool { if case .reply = self { true } else { false } }
}
