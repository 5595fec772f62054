/// Messages and files, carried by the conversation of their room whether or not its link stands.
extension RoomsService {
    /// Gets a message to the other side once, now or when the link is back; ``RoomReport/acknowledged(room:message:)``
    /// follows. Repeating the request changes nothing.
    package func deliver(_ message: OutgoingMessage, in room: String) async throws {
        try await conversation(room).deliver(message)
    }

    /// Messages that shall not be sent any more, if they have not been.
    package func withdraw(_ messages: [MessageID], in room: String) async throws {
        try await conversation(room).withdraw(messages)
    }

    /// Everything the other side said up to this number is stored here, and the keys that opened it are marked
    /// (``ReceivedMessage/use``); they are destroyed now.
    package func acknowledge(upTo sequence: UInt64, in room: String) async throws {
        try await conversation(room).acknowledge(upTo: sequence)
    }

    /// A received message that has no meaning for its owner and is not stored; it counts as stored after those before it.
    package func pass(over sequence: UInt64, in room: String) async throws {
        try await conversation(room).pass(over: sequence)
    }

    /// Tells the other side what was seen; lost if the link is down.
    package func sendRead(_ messages: [MessageID], in room: String) async {
        for start in stride(from: 0, to: messages.count, by: Envelope.Limit.readIDs) {
            let part = Array(messages[start..<min(start + Envelope.Limit.readIDs, messages.count)])
            await conversations[room]?.say(.read(part))
        }
    }

    /// Tells the other side that the person types; lost if the link is down.
    package func sendTyping(_ on: Bool, in room: String) async { await conversations[room]?.say(.typing(on)) }

    /// Lets the bytes of an offered file come, now or when the link is back.
    package func acceptFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).acceptFile(message)
    }

    /// Tells the other side that its file is not wanted.
    package func declineFile(_ message: MessageID, in room: String) async throws {
        try await conversation(room).declineFile(message)
    }

    /// Stops a file in either direction; the other side is told.
    /// - Parameter beforeOffer: whether ``deliver(_:in:)`` of the file is still under way.
    package func cancelFile(_ message: MessageID, beforeOffer: Bool, in room: String) async throws {
        try await conversation(room).cancelFile(message, beforeOffer: beforeOffer)
    }

    /// How a file ended is stored here, and the other side knows it: see ``RoomReport/fileSettled(room:message:)``.
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
