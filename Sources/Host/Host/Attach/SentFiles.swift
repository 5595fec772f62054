package import AppCore
internal import Foundation

/// Files of messages: which the state names, and which copies no message uses any more.
extension AppHost {
    /// The whole file of a message that is here: one that came, or that was sent from here; or the sealed file of a message that is carried by hand.
    /// - Returns: `nil` if the state names none.
    package func keptFile(of message: AppCore.MessageID, in room: RoomID) -> KeptFile? {
        read { state in
            guard !state.lock.isLocked, let message = state.rooms[room]?.messages[message] else { return nil }
            if let sealed = message.byHand?.handle {
                return KeptFile(path: sealed, name: URL(filePath: sealed).lastPathComponent)
            }
            guard let path = message.place, case .file(let offer) = message.body else { return nil }
            return KeptFile(path: path, name: offer.name)
        }
    }

    /// Whether a message uses the file that a page gave for it. As long as nobody can say, it does.
    ///
    /// Its path may be of another folder: a profile can be moved.
    package func usesGivenFile(_ message: AppCore.MessageID, in room: RoomID) -> Bool {
        let end = ClientUploads.place(of: message.text, in: room.text)
        let known: Bool? = read { state in
            guard !state.lock.isLocked else { return true }
            guard let room = state.rooms[room] else { return false }
            return room.messages[message].map { $0.place?.hasSuffix(end) == true }
        }
        if let known { return known }
        guard let records = try? profile.messages(NamedMessages(room: room, messages: [message])) else { return true }
        return newest(records).contains { $0.message.map { $0.place?.hasSuffix(end) == true } ?? true }
    }
}

/// A file on this machine that belongs to a message.
package struct KeptFile: Sendable, Equatable {
    package let path: String
    /// As its sender called it.
    package let name: String
}
