/// Something a person can do with a node: a whole action, but for what the person enters.
package struct Offer: Sendable, Hashable, Codable {
    package enum Verb: String, Sendable, Hashable, Codable, CaseIterable {
        case tap
        case setText = "set_text"
        case setSecret = "set_secret"
        case attach
        // Of messages.
        case reply, react, edit, delete, open, save
        // Of notes and folders of notes.
        case rename, move, pin, unpin, restore, purge, create, export
        // Of a list of messages of which not all are in memory.
        case loadEarlier = "load_earlier"
        case loadLater = "load_later"
    }

    package var verb: Verb
    package var action: Action
    /// The keys of `action`'s JSON object that take what the person enters: a text, a ``SecretRef`` that the host made
    /// for what was entered, or, to attach a file, its `name`, `bytes` and `handle`, and
    /// if it is a picture or a voice message its `media`; to save one, `to`, the path of a folder or of a new file.
    package private(set) var inputs: [String]
    /// What goes under each of ``inputs``, in the same order.
    package private(set) var kinds: [Kind]
    /// Whether it ends or takes away something that no other offer brings back, or leads to the question about that. A
    /// renderer marks it, and asks first unless the core does.
    package private(set) var isDestructive: Bool

    /// What a person enters, or what a renderer takes for it.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The row of a list's template: what stands in the row's id behind the first dot.
        case thing
        /// A line, or a text of several.
        case text
        case longText = "long_text"
        /// The address of a server, which is wrong as long as it is not complete.
        case address
        case emoji
        /// A ``SecretRef``.
        case secret
        case number
        /// What the host knows a file by that the person chose.
        case file
        /// A ``Media`` for a picture or a voice message, or nothing.
        case media
        /// A folder of notes, or nothing for the top.
        case folder
        /// The path of a folder of the disk, or of a new file.
        case path
    }

    package init(_ verb: Verb, _ action: Action, inputs: KeyValuePairs<String, Kind> = [:]) {
        self.verb = verb
        self.action = action
        self.inputs = inputs.map(\.key)
        kinds = inputs.map(\.value)
        isDestructive = action.isDestructive
    }

    package static func tap(_ action: Action) -> Offer { Offer(.tap, action) }
}

extension Offer {
    /// The offer of a list for the row of this id, `kind.thing`: its first input is filled with the thing.
    func about(_ row: String) -> Offer? {
        guard let input = inputs.first, let dot = row.firstIndex(of: ".") else { return nil }
        var offer = self
        offer.inputs.removeFirst()
        offer.kinds.removeFirst()
        guard var json = try? JSONValue(action) else { return nil }
        json[input] = .string(String(row[row.index(after: dot)...]))
        guard let action = try? JSON.decode(Action.self, from: JSON.encode(json)) else { return nil }
        offer.action = action
        return offer
    }

    /// The action with what the person entered, each entry under the key that it is for. Other entries are ignored.
    /// - Throws: `DecodingError` if something is missing or does not fit.
    package func action(filledWith entries: [String: JSONValue]) throws -> Action {
        guard !inputs.isEmpty else { return action }
        var json = try JSONValue(action)
        for input in inputs { json[input] = entries[input] ?? json[input] }
        return try JSON.decode(Action.self, from: JSON.encode(json))
    }
}

extension Offer {
    private enum Key: CodingKey { case verb, action, inputs, kinds, isDestructive }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        verb = try container.decode(Verb.self, forKey: .verb)
        action = try container.decode(Action.self, forKey: .action)
        inputs = try container.decode([String].self, forKey: .inputs)
        // Programs that make trees for version 0.2 say neither.
        let usual = Array(repeating: verb == .setSecret ? Kind.secret : .text, count: inputs.count)
        let kinds = try container.decodeIfPresent([Kind].self, forKey: .kinds) ?? usual
        guard kinds.count == inputs.count else {
            throw DecodingError.unfit(container.codingPath, "there is one for each input")
        }
        self.kinds = kinds
        isDestructive = try container.decodeIfPresent(Bool.self, forKey: .isDestructive) ?? action.isDestructive
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(verb, forKey: .verb)
        try container.encode(action, forKey: .action)
        try container.encode(inputs, forKey: .inputs)
        if !kinds.isEmpty { try container.encode(kinds, forKey: .kinds) }
        if isDestructive { try container.encode(true, forKey: .isDestructive) }
    }
}

extension Action {
    /// Whether it ends or takes away something that no other action brings back, or leads to the question about that.
    fileprivate var isDestructive: Bool {
        switch self {
        case .app(.eraseAll), .app(.setPassphrase(passphrase: nil, _)), .app(.removeIceServer): true
        case .app(.navigate(let screen)): [.revoke, .purgeNote, .removeApp].contains(screen.page)
        case .rooms(.leaveRoom), .rooms(.deleteRoom), .rooms(.clearClosed): true
        case .chat(.deleteMessage), .chat(.cancelVoice), .chat(.compareSafetyNumber(_, matches: false)): true
        case .circle(.revokeTrust): true
        case .notes(.discardDraft), .notes(.purgeNote), .notes(.deleteFolder): true
        case .notes(.deleteComment), .notes(.deleteReply): true
        case .apps(.removeApp), .apps(.clearAppLog): true
        case .agents(.removeAgent), .agents(.removeAgentSession), .agents(.revokeDevice): true
        default: false
        }
    }
}
