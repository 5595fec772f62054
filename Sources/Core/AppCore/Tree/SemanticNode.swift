/// One thing on the screen, as meaning rather than as pixels: what a renderer draws, a screen reader reads and a test
/// asserts on.
///
/// Children stand in reading order. A renderer decides nothing: what can be done is in ``offers``, and a node that is not
/// enabled offers nothing and has no focus. Every node has a label. Only fields, buttons, toggles, choices and items offer
/// something, and their labels say what, also to somebody who hears nothing else: an item opens what it names.
package struct SemanticNode: Sendable, Hashable, Identifiable {
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case screen, section, list, item, heading, text, banner, button, toggle, choice
        case textField = "text_field"
        case secretField = "secret_field"
        case message, progress, status
        /// A text with its formats, which the renderer has from the host as a document.
        case editor
        /// Hides everything while the app is not in front.
        case cover
    }

    /// Stable while the thing exists, and unique in the tree.
    package var id: String
    package var role: Role
    package var label: Words
    package var value: Value?
    /// The state of the thing in words: "Delivered", "Waiting for the other person".
    package var detail: Words?
    /// When it happened.
    package var at: Timestamp?
    /// On which side of the talk a message is; `nil` for what is not a message.
    package var side: Side?
    package var states: NodeStates = []
    /// Where it belongs; `nil` for where the node around it does.
    package var region: Region?
    package var isFocused: Bool
    package var offers: [Offer]
    /// What can be done with children whose ``uses`` name it: each offer once for the whole list instead of once for each row. The
    /// row's thing goes under the offer's first input. See ``offer(_:at:)``.
    package var templates: [Offer] = []
    /// The verbs of the list's ``templates`` that fit this node.
    package var uses: [Offer.Verb] = []
    /// What it shows besides words.
    package var facts = Facts()
    /// Which part of a long list its children are; `nil` if they are all of it.
    package var window: Window?
    package var children: ChunkedArray<SemanticNode>

    /// Who a message is from: this person, the other one, or nobody.
    package enum Side: String, Sendable, Hashable, Codable { case own, other, note }

    /// What the thing shows besides its label.
    package enum Value: Sendable, Hashable {
        case text(String)
        /// A sentence of the catalogue.
        case words(Words)
        case count(Int)
        /// The renderer asks the host for it, shows it, and keeps it nowhere.
        case secret(SecretRef)
        /// Milliseconds since 1970, to be shown in the person's own manner.
        case time(Timestamp)
        /// Part of a whole.
        case progress(done: Int64, total: Int64)
    }

    // Inlined into every screen, it would be a tenth of this module's code.
    @inline(never)
    package init(
        _ role: Role, _ id: String, _ label: Words, value: Value? = nil, detail: Words? = nil,
        at: Timestamp? = nil, isEnabled: Bool = true, isSelected: Bool = false, isBusy: Bool = false,
        isFocused: Bool = false, offers: [Offer] = [], _ children: [SemanticNode] = []
    ) {
        self.id = id
        self.role = role
        self.label = label
        self.value = value
        self.detail = detail
        self.at = at
        states = NodeStates().with(.disabled, if: !isEnabled).with(.selected, if: isSelected).with(.busy, if: isBusy)
        self.isFocused = isEnabled && isFocused
        self.offers = isEnabled ? offers : []
        window = nil
        self.children = ChunkedArray(children)
    }

    /// A node that is called by the sentence of the catalogue whose key is its id.
    package init(
        _ role: Role, _ id: String, value: Value? = nil, detail: Words? = nil, at: Timestamp? = nil,
        isEnabled: Bool = true, isSelected: Bool = false, isBusy: Bool = false, isFocused: Bool = false,
        offers: [Offer] = [], _ children: [SemanticNode] = []
    ) {
        self.init(
            role, id, .key(id), value: value, detail: detail, at: at, isEnabled: isEnabled, isSelected: isSelected,
            isBusy: isBusy, isFocused: isFocused, offers: offers, children)
    }

    /// What a person can do with the node of this id: one of its own offers, or one that its list has for all rows.
    package func offer(_ verb: Offer.Verb, at id: String) -> Offer? {
        if self.id == id { return offers.first { $0.verb == verb } }
        for child in children {
            if child.id == id, let own = child.offers.first(where: { $0.verb == verb }) { return own }
            if child.id == id, child.uses.contains(verb) {
                return templates.first { $0.verb == verb }?.about(child.id)
            }
            if let found = child.offer(verb, at: id) { return found }
        }
        return nil
    }

    /// The node itself, or the one below it, with this id.
    package func find(_ id: String) -> SemanticNode? {
        if self.id == id { return self }
        for child in children { if let match = child.find(id) { return match } }
        return nil
    }
}

extension SemanticNode.Value: Codable {
    private enum Key: String, CodingKey { case text, words, count, secret, time, done, total }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let words = try container.decodeIfPresent(Words.self, forKey: .words) {
            self = .words(words)
        } else if let count = try container.decodeIfPresent(Int.self, forKey: .count) {
            self = .count(count)
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

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .words(let words): try container.encode(words, forKey: .words)
        case .count(let count): try container.encode(count, forKey: .count)
        case .secret(let secret): try container.encode(secret, forKey: .secret)
        case .time(let time): try container.encode(time, forKey: .time)
        case .progress(let done, let total):
            try container.encode(done, forKey: .done)
            try container.encode(total, forKey: .total)
        }
    }
}
