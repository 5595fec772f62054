/// Messages and files of a room, whether or not its link is connected.
extension RoomsService {
    /// Delivers a message to the other side once, now or when the link is back;
    /// ``RoomReport/acknowledged(room:message:)`` follows. Repeating the request changes nothing.
    package func deliver(_ message: OutgoingMessage, in room: String) async throws {
        try await conversation(room).deliver(message)
    }

    /// Withdraws messages that have not been sent yet.
    package func withdraw(_ messages: [MessageID], in room: String) async throws {
        try await conversation(room).withdraw(messages)
    }

    /// Call this when all messages up to this number are stored here, and their keys are marked
    /// (``ReceivedMessage/use``). It destroys the keys.
    package func acknowledge(upTo sequence: UInt64, in room: String) async throws {
        try await conversation(room).acknowledge(upTo: sequence)
    }

    /// Call this for a received message without a meaning for its owner. It is not stored, but counts as stored after
    /// the earlier ones.
    package func pass(over sequence: UInt64, in room: String) async throws {
        try await conversation(room).pass(over: sequence)
    }

    /// Tells the other side which messages were seen; lost if the link is down.
    package func sendRead(_ messages: [MessageID], in room: String) async {
        for start in stride(from: 0, to: messages.count, by: Envelope.Limit.readIDs) {
            let part = Array(messages[start..<min(start + Envelope.Limit.readIDs, messages.count)])
            await conversations[room]?.say(.read(part))
        }
    }

    /// Tells the other side that the person types; lost if the link is down.
    package func sendTyping(_ on: Bool, in room: String) async { await conversations[room]?.say(.typing(on)) }

    /// Accepts an offered file: its bytes come now or when the link is back.
    package func acceptFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).acceptFile(message)
    }

    /// Declines the other side's file.
    package func declineFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).declineFile(message)
    }

    /// Stops a file in either direction; the other side is told.
    /// - Parameter beforeOffer: whether ``deliver(_:in:)`` of the file is still in progress.
    package func cancelFile(_ message: MessageID, beforeOffer: Bool, in room: String) async throws {
        try await conversation(room).cancelFile(message, beforeOffer: beforeOffer)
    }

    /// Lets the bytes of a file rest, in either direction, also on later connections.
    package func pauseFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).pauseFile(message)
    }

    /// The bytes of a paused file go on from where they stopped, now or when the link is back.
    package func resumeFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).resumeFile(message)
    }

    /// Call this when the end of a file is stored here: see ``RoomReport/fileSettled(room:message:)``.
    package func settleFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).settleFile(message)
    }

    func conversation(_ room: String) throws -> Conversation {
        if let known = conversations[room] { return known }
        let made = try Conversation(
            room: room, store: deliveryStore, sealing: sealingStore, keyTarget: keyTarget, filesFolder: filesFolder,
            fileQueue: fileQueue, report: reports)
        conversations[room] = made
        return made
    }
}
