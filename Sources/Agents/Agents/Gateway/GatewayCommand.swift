internal import AgentProtocols
internal import Wire

/// What a person does with a session at a jcode gateway beside asking: a line that begins with a slash, as in jcode's own client.
struct GatewayCommand: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        /// The agent forgets what was said.
        case clear
        /// What was said gets shorter, for the model.
        case compact
        /// What was said behind a message is taken back, or that itself; without a message they are listed.
        case rewind
        /// How hard the model thinks.
        case effort
        /// Another session begins with all that was said.
        case split
        /// Another session begins with a summary of what was said.
        case transfer
        /// What the session is called at the gateway.
        case rename

        /// Words that may stand behind it.
        fileprivate var words: Int {
            switch self {
            case .clear, .compact, .split, .transfer: 0
            case .rewind, .effort: 1
            case .rename: .max
            }
        }
    }

    let kind: Kind
    let argument: String

    /// - Returns: nil for anything else, which the agent is asked: words that only begin like a command, for example.
    init?(_ prompt: String) {
        guard prompt.utf8.first == UInt8(ascii: "/"), !prompt.contains(where: \.isNewline) else { return nil }
        let name = prompt.dropFirst().prefix { !$0.isWhitespace }
        let words = prompt.dropFirst().dropFirst(name.count).split(whereSeparator: \.isWhitespace)
        guard let kind = Kind(rawValue: String(name)), words.count <= kind.words else { return nil }
        self.kind = kind
        argument = words.joined(separator: " ")
    }

    /// Whether it only shows which messages there are.
    var isList: Bool { kind == .rewind && argument.isEmpty }

    /// What is asked of the gateway for it; nil if the argument is none.
    func request(_ id: UInt64) -> GatewayRequest? {
        switch kind {
        case .clear: GatewayRequest(.clear, id: id)
        case .compact: GatewayRequest(.compact, id: id)
        case .rewind where isList: GatewayRequest(.getHistory, id: id)
        case .rewind where argument == "undo": GatewayRequest(.rewindUndo, id: id)
        case .rewind:
            UInt64(argument).flatMap {
                $0 > 0 ? GatewayRequest(.rewind, id: id, ["message_index": JSONValue($0)]) : nil
            }
        case .effort where argument.isEmpty: nil
        case .effort: GatewayRequest(.setReasoningEffort, id: id, ["effort": .string(argument)])
        case .split: GatewayRequest(.split, id: id)
        case .transfer: GatewayRequest(.transfer, id: id)
        case .rename: GatewayRequest(.renameSession, id: id, ["title": argument.isEmpty ? nil : .string(argument)])
        }
    }

    /// How it is written.
    var usage: String {
        switch kind {
        case .rewind: "/rewind N, or /rewind undo"
        case .effort: "/effort LEVEL"
        default: "/\(kind.rawValue)"
        }
    }
}
