/// What a reply answers, as it was here when the reply came. Nothing of it crosses the link but the id, so nobody can put words
/// into the other one's mouth.
package struct Quote: Sendable, Hashable, Codable {
    package var message: MessageID
    /// Who wrote it; `nil` if it was not here.
    package var side: Message.Direction?
    /// The beginning of its text, or the name of its file, at most ``RoomLimits/quoteBytes`` bytes; empty if it was not here or
    /// was deleted since.
    package var excerpt: String

    init(of message: Message?, id: MessageID) {
        self.message = id
        side = message?.direction
        excerpt = message?.excerpt ?? ""
    }
}

/// One person's reaction to a message.
package struct Reaction: Sendable, Hashable, Codable {
    package var by: Party
    /// One character, at most ``RoomLimits/reactionBytes`` bytes; `nil` for one that was taken back, until the peer knows.
    package var emoji: String?
    /// This person's: what tells the peer.
    package var telling: Telling?

    static let redacted = "\u{25A1}"

    var redacted: Reaction { Reaction(by: by, emoji: emoji.map { _ in Self.redacted }, telling: telling) }
}

/// A message that is on its way to tell the peer of a change at another message.
package struct Telling: Sendable, Hashable, Codable {
    /// The message that carries it.
    package var id: MessageID
    package var sentAt: Timestamp
    package var effect: EffectID
}

/// What its author did to a message after it was sent.
package struct MessageChange: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable { case edited, deleted }

    package enum State: String, Sendable, Hashable, Codable {
        /// This person's: the other side has not answered yet.
        case waiting
        /// Both sides show it so. For a received message: this side followed.
        case followed
        /// The receiver keeps the message as it came.
        case kept
        /// This person's: it will never arrive.
        case undelivered
    }

    /// The message that carried it.
    package var id: MessageID
    package var kind: Kind
    /// The version of the text that it made, from 1; 0 for a deletion.
    package var version: Int
    package var state: State
    package var at: Timestamp
    /// What is on its way to the peer: the change, or the answer to it.
    package var telling: Telling?
}

/// A text that a message had before.
package struct MessageVersion: Sendable, Hashable, Codable {
    package var text: String
    /// When another text took its place, by this machine's clock.
    package var until: Timestamp
}

extension Message {
    /// Bytes that its texts and names take when they are saved.
    package var savedBytes: Int {
        body.savedBytes + (quote?.excerpt.savedBytes ?? 0) + (versions ?? []).reduce(0) { $0 + $1.text.savedBytes }
    }

    /// Whether something waits for it, so that it stays in memory.
    package var isHeld: Bool {
        status == .pending || transfer?.state == .running || transfer?.state == .paused || change?.state == .waiting
            || !effects.isEmpty
            || hasSealedFile
    }

    /// Whether it has a file to be carried by hand, or is about to have one.
    package var hasSealedFile: Bool { byHand != nil && direction == .sent && status != .failed }

    /// What stands for it where it is answered.
    fileprivate var excerpt: String {
        switch body {
        case .text(let text), .reply(_, let text):
            text.limited(to: RoomLimits.quoteBytes).split(whereSeparator: \.isNewline).joined(separator: " ")
        case .file(let offer): offer.name
        default: ""
        }
    }

    /// Whether it can be answered and reacted to: it is somebody's, and still there.
    package var isAnswerable: Bool {
        switch body {
        case .text, .reply, .file, .location: direction != .note && status != .failed
        default: false
        }
    }

    /// Whether this person can give it another text.
    package var isEditable: Bool { direction == .sent && body.text != nil && status != .failed && byHand == nil }

    /// Whether this person can delete it.
    package var isDeletable: Bool { direction != .note && body != .deleted }

    /// Every delivery that is under way for it.
    var effects: [EffectID] {
        [effect, change?.telling?.effect].compactMap(\.self) + (reactions ?? []).compactMap { $0.telling?.effect }
    }

    /// Whether the peer is still to be told of a change.
    package var tellsOfChange: Bool { change?.telling != nil || (reactions ?? []).contains { $0.telling != nil } }

    /// Nothing arrives any more.
    mutating func giveUpTelling() {
        if change?.state == .waiting { change?.state = .undelivered }
        change?.telling = nil
        reactions = reactions?.compactMap { $0.emoji == nil ? nil : Reaction(by: $0.by, emoji: $0.emoji) }
    }

    /// The deliveries of changes that are under way, each with its effect.
    func changesToTell(in room: RoomID) -> [(EffectID, Effect.Kind)] {
        var kinds: [(EffectID, Effect.Kind)] = []
        if let telling = change?.telling { kinds.append((telling.effect, telling.delivery(of: changeBody, in: room))) }
        for reaction in reactions ?? [] {
            guard let telling = reaction.telling else { continue }
            kinds.append((telling.effect, telling.delivery(of: .reaction(to: id, emoji: reaction.emoji), in: room)))
        }
        return kinds
    }

    /// What tells the peer of the change: the change itself, or the answer to the peer's.
    var changeBody: Body {
        guard let change else { return .deletion(of: id) }
        if direction == .received { return .changeAnswer(change: change.id, accepted: change.state == .followed) }
        return change.kind == .edited
            ? .edit(of: id, version: change.version, text: body.text ?? "") : .deletion(of: id)
    }
}

extension Telling {
    func delivery(of body: Body, in room: RoomID) -> Effect.Kind {
        .deliver(room: room, message: id, body: body, sentAt: sentAt)
    }
}
