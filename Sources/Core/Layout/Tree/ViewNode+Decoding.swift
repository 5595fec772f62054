import AppCore
import Catalogues

extension ViewNode {
    /// Reads a tree from JSON in any of the forms that ``init(from:)`` knows.
    ///
    /// - Throws: `too_large`, `unreadable`, or what is over a limit of ``ViewLimits``.
    package init(json bytes: some Collection<UInt8>) throws(LayoutError) {
        guard bytes.count <= ViewLimits.jsonBytes else {
            throw LayoutError(
                .tooLarge, "The tree has more than \(ViewLimits.jsonBytes >> 20) MiB of JSON. Show a part of it.")
        }
        do {
            self = try JSON.decode(ViewNode.self, from: bytes)
        } catch let error as LayoutError {
            throw error
        } catch let error as DecodingError {
            throw LayoutError(.unreadable, "The tree cannot be read: \(Self.reason(error)).")
        } catch {
            throw LayoutError(.unreadable, "The tree cannot be read: it is not JSON.")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context)) has no \(SnakeCaseName(key))"
        case .typeMismatch(_, let context): "\(place(context)) is of another type"
        case .valueNotFound(_, let context): "\(place(context)) has no value"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not JSON, or too deep" : "\(place(context)) is not valid"
        @unknown default: "it is not valid"
        }
    }

    /// `root.children.3.label`, without anything that the tree contains.
    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.suffix(6).map { $0.intValue.map(String.init) ?? SnakeCaseName($0).description }
        return path.isEmpty ? "it" : path.joined(separator: ".")
    }
}

/// How a key is written in JSON.
private struct SnakeCaseName: CustomStringConvertible {
    let description: String

    init(_ key: any CodingKey) {
        description = key.stringValue.reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
    }
}

extension ViewNode: Decodable {
    /// Both names of what we and the earlier simulator call differently. `JSON.decode` has turned snake_case into these.
    private enum Key: String, CodingKey {
        case root, id, role, label, value, detail, at, side, children
        case visible, enabled, focused, selected, busy
        case isVisible, isEnabled, isFocused, isSelected, isBusy
        case accessibilityLabel, accessibilityValue, supportedActions, offers
    }

    private struct Offer: Decodable { var verb: String }

    /// Reads, with `JSON.decode`, what `JSON.encode` writes of a `SemanticNode` or of a ``ViewTree``; or a tree of the
    /// earlier simulator, `{screen, root}`, or one of its nodes. Only `id` and `role` must be there.
    package init(from decoder: any Decoder) throws {
        var budget = ViewBudget()
        let container = try decoder.container(keyedBy: Key.self)
        let root = container.contains(.root) ? try container.superDecoder(forKey: .root) : decoder
        try self.init(root, depth: 1, &budget)
    }

    private init(_ decoder: any Decoder, depth: Int, _ budget: inout ViewBudget) throws {
        try budget.enter(depth: depth)
        let container = try decoder.container(keyedBy: Key.self)
        func flag(_ keys: Key..., otherwise: Bool) throws -> Bool {
            for key in keys { if let value = try container.decodeIfPresent(Bool.self, forKey: key) { return value } }
            return otherwise
        }
        func text(_ key: Key) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
        /// A key of the catalogue, or a text: of no text there is a sentence.
        func words(_ key: Key) throws -> String? {
            try container.decodeIfPresent(Words.self, forKey: key).map(Catalogue.english.text)
        }
        self.init(
            try container.decode(String.self, forKey: .role), try container.decode(String.self, forKey: .id),
            try words(.label) ?? "", detail: try words(.detail),
            at: try container.decodeIfPresent(Timestamp.self, forKey: .at),
            side: try container.decodeIfPresent(SemanticNode.Side.self, forKey: .side),
            isVisible: try flag(.visible, .isVisible, otherwise: true),
            isEnabled: try flag(.enabled, .isEnabled, otherwise: true),
            isFocused: try flag(.focused, .isFocused, otherwise: false),
            isSelected: try flag(.selected, .isSelected, otherwise: false),
            isBusy: try flag(.busy, .isBusy, otherwise: false), accessibilityLabel: try text(.accessibilityLabel),
            accessibilityValue: try text(.accessibilityValue))
        try readValue(container)
        try readActions(container)
        try check(budget)
        guard container.contains(.children), try !container.decodeNil(forKey: .children) else { return }
        var list = try container.nestedUnkeyedContainer(forKey: .children)
        while !list.isAtEnd { children.append(try ViewNode(try list.superDecoder(), depth: depth + 1, &budget)) }
    }

    private mutating func readValue(_ container: KeyedDecodingContainer<Key>) throws {
        guard container.contains(.value), try !container.decodeNil(forKey: .value) else { return }
        do {
            value = try container.decode(String.self, forKey: .value)
        } catch DecodingError.typeMismatch {
            show(try container.decode(SemanticNode.Value.self, forKey: .value), in: .english)
        }
    }

    private mutating func readActions(_ container: KeyedDecodingContainer<Key>) throws {
        var verbs = try container.decodeIfPresent([String].self, forKey: .supportedActions) ?? []
        if let offers = try container.decodeIfPresent([Offer].self, forKey: .offers) { verbs += offers.map(\.verb) }
        // What a layout adds to a node's actions does not count, so that what it wrote can be read.
        guard verbs.count(where: { !Self.added.contains($0) }) <= ViewLimits.actions else {
            throw LayoutError(.tooLarge, "A node has more than \(ViewLimits.actions) actions. Offer fewer.")
        }
        actions = Self.actions(verbs)
    }

    private static let added = ["scroll", "type_text"]

    private func check(_ budget: ViewBudget) throws(LayoutError) {
        try budget.check(name: id, "id", of: id)
        try budget.check(name: role, "role", of: id)
        for action in actions { try budget.check(name: action, "name of an action", of: id) }
        for (text, name) in [(label, "label"), (value, "value"), (detail, "detail")] {
            try budget.check(text: text, name, of: id)
        }
        try budget.check(text: accessibilityLabel, "accessibility_label", of: id)
        try budget.check(text: accessibilityValue, "accessibility_value", of: id)
    }
}
