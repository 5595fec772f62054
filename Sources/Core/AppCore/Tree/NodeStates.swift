/// How a node is, where that is not usual.
package struct NodeStates: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// It works, or waits for an answer.
    package static let busy = NodeStates(rawValue: 1)
    /// It offers nothing now.
    package static let disabled = NodeStates(rawValue: 1 << 1)
    /// What was entered cannot be taken; the node's detail says why.
    package static let invalid = NodeStates(rawValue: 1 << 2)
    /// The person keeps it at the top.
    package static let pinned = NodeStates(rawValue: 1 << 3)
    /// It can be read, and not changed.
    package static let readonly = NodeStates(rawValue: 1 << 4)
    /// It is the chosen one, or on.
    package static let selected = NodeStates(rawValue: 1 << 5)
    /// There is something in it that the person has not seen.
    package static let unread = NodeStates(rawValue: 1 << 6)

    /// The names in JSON, in their order.
    private static let names: [(String, NodeStates)] = [
        ("busy", .busy), ("disabled", .disabled), ("invalid", .invalid), ("pinned", .pinned), ("readonly", .readonly),
        ("selected", .selected), ("unread", .unread),
    ]

    /// These states and the others, if `condition` holds.
    func with(_ other: NodeStates, if condition: Bool) -> NodeStates { condition ? union(other) : self }
}

/// A list of names. Names of later versions are passed over.
extension NodeStates: Codable {
    package init(from decoder: any Decoder) throws {
        let names = try decoder.singleValueContainer().decode([String].self)
        self = Self.names.reduce(into: []) { if names.contains($1.0) { $0.insert($1.1) } }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.names.filter { contains($0.1) }.map(\.0))
    }
}

extension SemanticNode {
    /// Which part of a window a node and what is below it belong to, if there is room for several beside each other.
    package enum Region: String, Sendable, Hashable, Codable, CaseIterable {
        /// Ways to other screens, and back.
        case navigation
        /// Things to choose from.
        case list
        /// The thing that was chosen.
        case detail
        /// What there is to know and to set about it.
        case inspector
        /// A question that wants an answer before anything else.
        case overlay
        /// What the person should know.
        case notices
    }

    package var isEnabled: Bool {
        get { !states.contains(.disabled) }
        set { set(.disabled, !newValue) }
    }

    package var isSelected: Bool {
        get { states.contains(.selected) }
        set { set(.selected, newValue) }
    }

    package var isBusy: Bool {
        get { states.contains(.busy) }
        set { set(.busy, newValue) }
    }

    private mutating func set(_ state: NodeStates, _ isSo: Bool) {
        if isSo { states.insert(state) } else { states.remove(state) }
    }

    /// The same node in a region.
    func within(_ region: Region?) -> SemanticNode {
        var node = self
        node.region = region
        return node
    }

    /// The same node with further states.
    func with(_ more: NodeStates) -> SemanticNode {
        var node = self
        node.states.formUnion(more)
        return node
    }

    /// The same node with a sentence that says why it cannot be taken; without a sentence as it is.
    func invalid(_ why: Words?) -> SemanticNode {
        guard let why else { return self }
        var node = with(.invalid)
        node.detail = why
        return node
    }
}

extension Screen.Page {
    /// Where its screen belongs.
    var region: SemanticNode.Region {
        switch self {
        case .rooms, .search, .circle, .notes, .folders, .apps, .agents: .list
        case .chat, .note, .app, .create, .join, .settings, .identities, .appsCore, .folder, .agent, .addAgent,
            .agentSettings, .agentThreads, .agentDevices:
            .detail
        case .roomSettings, .safetyNumber, .member, .noteSettings, .appLog, .sessionSettings, .agentLog: .inspector
        case .revoke, .purgeNote, .removeApp, .installApp, .summary: .overlay
        }
    }
}
