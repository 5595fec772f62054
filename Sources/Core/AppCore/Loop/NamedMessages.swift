/// Messages of a room that an input names or changes.
package struct NamedMessages: Sendable, Hashable {
    package var room: RoomID
    package var messages: [MessageID]
    /// A message whose answers show what it says, and change with it.
    package var answered: MessageID?
    /// All from the first message on that the person has not seen, which is the first with an order over this.
    package var unseenAfter: UInt64?

    package init(room: RoomID, messages: [MessageID], answered: MessageID? = nil) {
        (self.room, self.messages, self.answered) = (room, messages, answered)
    }
}

extension AppState {
    /// What a host has to bring into memory before this input, by ``Event/recalled(room:records:)``; `nil` if nothing.
    ///
    /// What is named may not exist. It is looked for by its id, so it costs the same in rooms of any length.
    package func missing(for action: Action) -> NamedMessages? {
        guard recentMessages != nil, var named = action.named, let room = rooms[named.room],
            !room.messages.gaps.isEmpty
        else { return nil }
        named.messages.removeAll { room.messages.contains($0) || !MessageID.isValid($0.text) }
        if room.endsKeeping(by: action), room.messages.gaps.contains(where: { $0.unread > 0 }) {
            named.unseenAfter = room.seenUpTo ?? 0
        }
        return named.messages.isEmpty && named.answered == nil && named.unseenAfter == nil ? nil : named
    }
}

extension Room {
    /// Whether from this input on the room keeps nothing on the disk, so that only what is in memory is left.
    fileprivate func endsKeeping(by action: Action) -> Bool {
        guard !keepsNothing else { return false }
        return switch action {
        case .chat(.setEphemeral(_, let on)): on
        case .chat(.answerLifetime(_, let accept)): accept && incomingProposal?.lifetime == .ephemeral
        case .event(.messageReceived(_, _, _, _, .lifetimeAnswer(_, let accepted), _)):
            accepted && outgoingProposal?.lifetime == .ephemeral
        default: false
        }
    }
}

extension Action {
    fileprivate var named: NamedMessages? {
        switch self {
        case .chat(let action): action.named
        case .event(let event): event.named
        default: nil
        }
    }
}

extension ChatAction {
    fileprivate var named: NamedMessages? {
        switch self {
        case .editMessage(let room, let message, _), .deleteMessage(let room, let message):
            NamedMessages(room: room, messages: [message], answered: message)
        case .setEphemeral(let room, _), .answerLifetime(let room, _): NamedMessages(room: room, messages: [])
        case .reply(let room, let message, _), .react(let room, let message, _), .retryMessage(let room, let message),
            .acceptFile(let room, let message), .declineFile(let room, let message),
            .cancelFile(let room, let message), .pauseFile(let room, let message), .resumeFile(let room, let message),
            .openFile(let room, let message):
            NamedMessages(room: room, messages: [message])
        default: nil
        }
    }
}

extension Event {
    fileprivate var named: NamedMessages? {
        switch self {
        case .messageReceived(let room, let message, _, _, let body, _),
            .openedByHand(_, let room, let message, _, let body, _):
            NamedMessages(room: room, messages: [message] + body.names, answered: body.changed)
        case .receipts(let room, let messages): NamedMessages(room: room, messages: messages)
        case .fileRead(let room, let message, _), .fileProgress(let room, let message, _),
            .fileFinished(let room, let message, _), .fileFailed(let room, let message, _):
            NamedMessages(room: room, messages: [message])
        default: nil
        }
    }
}

extension Body {
    /// The message that it changes for those who answered it.
    fileprivate var changed: MessageID? {
        switch self {
        case .edit(let message, _, _), .deletion(let message): message
        default: nil
        }
    }

    fileprivate var names: [MessageID] {
        switch self {
        case .reply(let message, _), .reaction(let message, _): [message]
        default: changed.map { [$0] } ?? []
        }
    }
}
