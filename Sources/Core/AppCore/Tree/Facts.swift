/// What a node shows besides words: values that a renderer draws in its own manner, as ticks, bubbles or bars.
///
/// Whatever is `nil` is not so, or not known. A renderer that draws none of them loses nothing: ``SemanticNode/detail`` says the
/// same in words.
package struct Facts: Sendable, Hashable, Codable {
    /// A sent message: how far it has come.
    package var delivery: Message.Status?
    /// Why it was given up.
    package var failure: Failure.Code?
    /// When a message goes, by this machine's clock.
    package var expires: Timestamp?
    /// A message: what its author did to it since.
    package var change: Change?
    /// A message: what it answers.
    package var quote: Quote?
    package var reactions: [Reaction]?
    /// A file: its whole length.
    package var bytes: Int64?
    /// A file: how to present it.
    package var media: Media?
    /// A file: the state of its bytes.
    package var transfer: Transfer.State?
    /// A room: its link and who is at the other end.
    package var link: LinkState?
    package var path: LinkPath?
    package var verification: Verification?
    /// A room: messages that the person has not seen.
    package var unread: Int?
    /// The messages of a room: what the person had not seen when they came into it, from which row on.
    package var unseen: Unseen?
    /// A room: whether the other person types.
    package var typing: Bool?
    /// A room: whether the desktop tells nothing of it.
    package var muted: Bool?
    /// A room: for how long both keep messages, unless they keep them until the room is deleted.
    package var lifetime: Words?
    /// A room in a list: what was begun there and not sent, or else what was said last, in a line.
    package var latest: Words?
    /// A member: the one-time keys that are left.
    package var keys: KeyState?
    /// The screen: the colours of pages, unless they are the system's.
    package var theme: Settings.Theme?
    /// The screen: whether a page hides it while another window is in front.
    package var covers: Bool?
    /// The screen: the language that the person chose, unless it is the system's.
    package var language: Settings.Language?

    /// A note: its tags, without `#`.
    package var tags: [String]?
    /// A note: who it is shared with.
    package var partners: [Words]?
    /// A folder: in how many others it is.
    package var level: Int?
    /// An editor: the note whose document it shows.
    package var doc: NoteID?
    /// An app that has a picture: what the host calls it, and the version to whom the picture belongs.
    package var icon: Icon?
    /// A window of an app that can be shown.
    package var window: Window?

    /// A voice message that the view records.
    package var recording: Recording?

    /// A session with an agent: how it stands.
    package var session: AgentSession.Status?
    /// A call of a tool, or a question about one.
    package var tool: Tool?
    /// A question of an agent.
    package var approval: Approval?
    /// What became of a question.
    package var isAllowed: Bool?
    /// Something that an agent thought aloud: a renderer may fold it.
    package var isThought: Bool?
    /// A text whose lines begin with what became of them, as in a patch.
    package var isDifference: Bool?

    /// A file that was made to be saved: an archive of the profile, packed notes.
    package var archive: Archive?

    package struct Archive: Sendable, Hashable, Codable {
        /// What the host calls it.
        package var handle: String
        package var name: String
    }

    package struct Recording: Sendable, Hashable, Codable {
        /// The effect that the view answers.
        package var effect: EffectID
        /// When it is as long as it may be; `nil` while the microphone is asked for.
        package var until: Timestamp?
    }

    package struct Tool: Sendable, Hashable, Codable {
        /// `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, or `other`.
        package var kind: String
        package var status: String?
        /// Lines that come and go in all files that it changes.
        package var added: Int?
        package var removed: Int?
    }

    package struct Approval: Sendable, Hashable, Codable {
        /// Names what is shown.
        package var of: String
        /// When it counts as rejected.
        package var expires: Timestamp
        /// What it wants to be given; `nil` if it wants an answer.
        package var input: AgentApproval.Input?
    }

    package struct Icon: Sendable, Hashable, Codable {
        package var app: AppID
        package var version: String
    }

    package struct Window: Sendable, Hashable, Codable {
        /// What the host calls it.
        package var instance: InstanceID
        /// Names the time at which this view asked for it, if it was this view: it is to be shown once.
        package var asked: EffectID?
    }

    package struct Unseen: Sendable, Hashable, Codable {
        /// The id of the first row, which may be outside of those that are shown; `nil` while it is looked for on the disk.
        package var first: String?
        package var count: Int

        package var words: Words { .key("chat.unseen", ["count": .count(count)]) }
    }

    package struct Change: Sendable, Hashable, Codable {
        package var kind: MessageChange.Kind
        package var state: MessageChange.State
    }

    package struct Reaction: Sendable, Hashable, Codable {
        package var by: Party
        package var emoji: String
    }

    package init() {}

    var isEmpty: Bool { self == Facts() }
}

extension SemanticNode {
    func with(_ facts: Facts) -> SemanticNode {
        var node = self
        node.facts = facts
        return node
    }
}

extension Facts.Tool {
    init(_ call: AgentCall) {
        let known = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch"]
        kind = call.kind.flatMap { known.contains($0) ? $0 : nil } ?? "other"
        status = call.status.flatMap { ["pending", "in_progress", "completed", "failed"].contains($0) ? $0 : nil }
        for case .change(_, _, let more, let fewer) in call.results ?? [] {
            added = (added ?? 0).clampedSum(more)
            removed = (removed ?? 0).clampedSum(fewer)
        }
    }
}

extension Facts {
    init(of app: ListedApp) {
        icon = app.icon == true ? Icon(app: app.id, version: app.version) : nil
    }

    /// What is not installed yet has no name that is its own: its digest names it.
    init(of pack: AppPack) {
        icon = pack.icon == true ? Icon(app: AppID(pack.digest), version: pack.version) : nil
    }

    init(of message: Message) {
        if message.direction == .sent {
            delivery = message.status
            failure = message.failure?.code
        }
        expires = message.expiresAt
        change = message.change.map { Change(kind: $0.kind, state: $0.state) }
        quote = message.quote
        let shown = (message.reactions ?? []).compactMap { reaction in
            reaction.emoji.map { Reaction(by: reaction.by, emoji: $0) }
        }
        reactions = shown.isEmpty ? nil : shown
        if case .file(let offer) = message.body {
            bytes = offer.bytes
            media = offer.media.kind == .file ? nil : offer.media
            transfer = message.transfer?.state
        }
    }

    init(of room: Room) {
        link = room.live.link
        path = room.live.path
        verification = room.live.verification == .none ? nil : room.live.verification
        unread = room.unreadCount == 0 ? nil : room.unreadCount
        typing = room.live.peerTypesUntil == nil ? nil : true
        muted = room.isMuted
        lifetime = room.lifetime == .keep ? nil : room.lifetime.title
    }

    init(ofMember room: Room) {
        self.init(of: room)
        keys = room.live.keys
    }

    init(ofListed room: Room) {
        self.init(of: room)
        latest = room.messages.last.map { message in
            let excerpt = Quote(of: message, id: message.id).excerpt
            guard message.body.text != nil, !excerpt.isEmpty else {
                let label = MessageContext(of: room).node(message).label
                guard case .file = message.body, message.direction == .sent else { return label }
                return .key("room.latest.own", ["text": .words(label)])
            }
            return message.direction == .sent ? .key("room.latest.own", ["text": .said(excerpt)]) : .said(excerpt)
        }
    }
}
