import AppCore

// What must hold of messages that are on the disk and not in memory.

extension CoreDriver {
    /// The messages of a room that only the disk has.
    func unloaded(_ room: Room) -> [(room: RoomID, message: MessageID)] {
        guard !room.messages.gaps.isEmpty else { return [] }
        return messagesOnDisk(of: room.id).filter { !room.messages.all.contains($0) }.map { (room.id, $0.id) }
    }

    /// The gaps hold what the disk has besides what is in memory, and count it.
    func checkHistory(_ room: Room) throws {
        guard state.recentMessages != nil, !room.keepsNothing else { return }
        let saved = messagesOnDisk(of: room.id)
        guard room.messages.count == saved.count else {
            throw Fault("\(room.id) counts \(room.messages.count) messages, and has \(saved.count) on the disk")
        }
        for gap in room.messages.gaps {
            let missing = saved.filter { gap.after < $0.order && $0.order < gap.before }
            guard missing.count == gap.count, gap.count > 0 else {
                throw Fault("a gap of \(room.id) counts \(gap.count) messages, and hides \(missing.count)")
            }
            let unread = missing.count { $0.direction == .received && $0.order > room.seenUpTo ?? 0 }
            guard unread == gap.unread else {
                throw Fault("a gap of \(room.id) counts \(gap.unread) unread messages, and hides \(unread)")
            }
            guard !room.messages.all.contains(where: { gap.after < $0.order && $0.order < gap.before }) else {
                throw Fault("a gap of \(room.id) lies over messages that are in memory")
            }
            for message in missing where message.isHeld {
                guard room.messages[message.id] == message else {
                    throw Fault("something waits for \(message.id) of \(room.id), which is not in memory")
                }
            }
        }
    }

    private func messagesOnDisk(of room: RoomID) -> [Message] {
        records { key in if case .message(room, _) = key { true } else { false } }.compactMap(\.message)
    }
}
