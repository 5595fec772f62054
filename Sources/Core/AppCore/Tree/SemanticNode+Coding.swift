// A node as JSON says only what differs from a node that is enabled and does nothing.

extension SemanticNode: Codable {
    private enum Key: String, CodingKey {
        case id, role, region, label, value, detail, at, side, states, isEnabled, isSelected, isBusy, isFocused, offers,
            templates,
            uses, facts, window,
            children
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func flag(_ key: Key, _ usual: Bool) throws -> Bool {
            try container.decodeIfPresent(Bool.self, forKey: key) ?? usual
        }
        let id = try container.decode(String.self, forKey: .id)
        self.init(
            try container.decode(Role.self, forKey: .role), id,
            try container.decodeIfPresent(Words.self, forKey: .label) ?? .key(id),
            value: try container.decodeIfPresent(Value.self, forKey: .value),
            detail: try container.decodeIfPresent(Words.self, forKey: .detail),
            at: try container.decodeIfPresent(Timestamp.self, forKey: .at), isEnabled: try flag(.isEnabled, true),
            isSelected: try flag(.isSelected, false), isBusy: try flag(.isBusy, false),
            isFocused: try flag(.isFocused, false),
            offers: try container.decodeIfPresent([Offer].self, forKey: .offers) ?? [])
        // Programs that make trees for version 0.2 say only these three, each by itself.
        states.formUnion(try container.decodeIfPresent(NodeStates.self, forKey: .states) ?? [])
        region = try container.decodeIfPresent(Region.self, forKey: .region)
        side = try container.decodeIfPresent(Side.self, forKey: .side)
        templates = try container.decodeIfPresent([Offer].self, forKey: .templates) ?? []
        uses = try container.decodeIfPresent([Offer.Verb].self, forKey: .uses) ?? []
        facts = try container.decodeIfPresent(Facts.self, forKey: .facts) ?? Facts()
        window = try container.decodeIfPresent(Window.self, forKey: .window)
        children = try container.decodeIfPresent(ChunkedArray<SemanticNode>.self, forKey: .children) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(role, forKey: .role)
        try container.encodeIfPresent(region, forKey: .region)
        try container.encode(label, forKey: .label)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(detail, forKey: .detail)
        try container.encodeIfPresent(at, forKey: .at)
        try container.encodeIfPresent(side, forKey: .side)
        if !states.isEmpty { try container.encode(states, forKey: .states) }
        // As up to version 0.2.
        if !isEnabled { try container.encode(false, forKey: .isEnabled) }
        for (key, isSet) in [(Key.isSelected, isSelected), (.isBusy, isBusy), (.isFocused, isFocused)] where isSet {
            try container.encode(true, forKey: key)
        }
        if !offers.isEmpty { try container.encode(offers, forKey: .offers) }
        if !templates.isEmpty { try container.encode(templates, forKey: .templates) }
        if !uses.isEmpty { try container.encode(uses, forKey: .uses) }
        if !facts.isEmpty { try container.encode(facts, forKey: .facts) }
        try container.encodeIfPresent(window, forKey: .window)
        if !children.isEmpty { try container.encode(children, forKey: .children) }
    }
}
