/// One thing on the screen, as meaning rather than as pixels: what a renderer draws, a screen reader reads and a test
/// asserts on.
///
/// Children stand in reading order. A renderer decides nothing: what can be done is in ``offers``, and a node that is not
/// enabled offers nothing and has no focus. Every node has a label. Only fields, buttons, toggles, choices and items offer
/// something, and their labels say what, also to somebody who hears nothing else: an item opens what it names.
public struct SemanticNode: Sendable, Hashable, Codable, Identifiable {
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case screen, section, list, item, heading, text, banner, button, toggle, choice
        case textField = "text_field"
        case secretField = "secret_field"
        case message, progress, status
        /// Hides everything while the app is not in front.
        case cover
    }

    /// Stable while the thing exists, and unique in the tree.
    public var id: String
    public var role: Role
    public var label: String
    public var value: Value?
    /// The state of the thing in words: "Delivered", "Waiting for the other person".
    public var detail: String?
    /// When it happened.
    public var at: Timestamp?
    /// On which side of the talk a message is; `nil` for what is no message.
    public var side: Side?
    public var isEnabled: Bool
    public var isSelected: Bool
    public var isBusy: Bool
    public var isFocused: Bool
    public var offers: [Offer]
    public var children: ChunkedArray<SemanticNode>

    /// Who a message is from: this person, the other one, or nobody.
    public enum Side: String, Sendable, Hashable, Codable { case own, other, note }

    /// What the thing shows besides its label.
    public enum Value: Sendable, Hashable {
        case text(String)
        /// The renderer asks the host for it, shows it, and keeps it nowhere.
        case secret(SecretRef)
        /// Milliseconds since 1970, to be shown in the person's own manner.
        case time(Timestamp)
        /// Part of a whole.
        case progress(done: Int64, total: Int64)
    }

    // Inlined into every screen, it would be a tenth of this module's code.
    @inline(never)
    public init(
        _ role: Role, _ id: String, _ label: String = "", value: Value? = nil, detail: String? = nil,
        at: Timestamp? = nil, isEnabled: Bool = true, isSelected: Bool = false, isBusy: Bool = false,
        isFocused: Bool = false, offers: [Offer] = [], _ children: [SemanticNode] = []
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.value = value
        self.detail = detail
        self.at = at
        self.isEnabled = isEnabled
        self.isSelected = isSelected
        self.isBusy = isBusy
        self.isFocused = isEnabled && isFocused
        self.offers = isEnabled ? offers : []
        self.children = ChunkedArray(children)
    }

    /// The node itself, or the one below it, with this id.
    public func find(_ id: String) -> SemanticNode? {
        if self.id == id { return self }
        for child in children { if let match = child.find(id) { return match } }
        return nil
    }
}

/// Something a person can do with a node: a whole action, but for what the person enters.
public struct Offer: Sendable, Hashable, Codable {
    public enum Verb: String, Sendable, Hashable, Codable, CaseIterable {
        case tap
        case setText = "set_text"
        case setSecret = "set_secret"
        case attach
    }

    public var verb: Verb
    public var action: Action
    /// The keys of `action`'s JSON object that take what the person enters: a text, a ``SecretRef`` that the host made
    /// for what was entered, or, to attach a file, its `name`, `bytes` and `handle`.
    public var inputs: [String]

    public init(_ verb: Verb, _ action: Action, inputs: [String] = []) {
        self.verb = verb
        self.action = action
        self.inputs = inputs
    }

    public static func tap(_ action: Action) -> Offer { Offer(.tap, action) }
}

extension SemanticNode.Value: Codable {
    private enum Key: String, CodingKey { case text, secret, time, done, total }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let secret = try container.decodeIfPresent(SecretRef.self, forKey: .secret) {
            self = .secret(secret)
        } else if let time = try container.decodeIfPresent(Timestamp.self, forKey: .time) {
            self = .time(time)
        } else {
            self = .progress(
                done: try container.decode(Int64.self, forKey: .done),
                total: try container.decode(Int64.self, forKey: .total))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .secret(let secret): try container.encode(secret, forKey: .secret)
        case .time(let time): try container.encode(time, forKey: .time)
        case .progress(let done, let total):
            try container.encode(done, forKey: .done)
            try container.encode(total, forKey: .total)
        }
    }
}
