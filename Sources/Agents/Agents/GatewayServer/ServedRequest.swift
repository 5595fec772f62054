/// A question of an agent whether it may, as a person is to see it.
package struct ServedRequest: Sendable, Hashable, Identifiable {
    package let id: AgentPermission.ID
    /// What is asked for. An answer is for this and nothing else.
    package let call: AgentToolCall
    /// The answers that the agent takes.
    package let options: [AgentPermission.Option]
    /// What a tool wants to be given instead of an answer.
    package let input: AgentPermission.Input?
    /// When it was asked, in milliseconds since 1970.
    package let askedAt: Int64

    init(_ permission: AgentPermission, call: AgentToolCall, askedAt: Int64) {
        self.askedAt = askedAt
        (id, options, input, self.call) = (permission.id, permission.options, permission.input, call)
    }

    /// What makes two requests the same: everything that is shown of them but how far they are.
    package struct Substance: Sendable, Equatable {
        private let title: String?
        private let kind: String?
        private let input: AgentText?
        private let results: [AgentToolCall.Result]?
        private let paths: [String]?

        package init(_ call: AgentToolCall) {
            (title, kind, input, results, paths) = (call.title, call.kind, call.input, call.results, call.paths)
        }

        /// By its bytes: as texts, two that are written differently, and are two places, may be equal.
        package static func == (one: Substance, other: Substance) -> Bool { one.bytes == other.bytes }

        private var bytes: [[UInt8]] {
            let names = [title, kind, input?.text, input.map { "\($0.omitted)" }, nil]
            let words = names + (results ?? []).flatMap(\.words) + [nil] + (paths ?? [])
            return words.map { $0.map { Array($0.utf8) } ?? Self.nothing }
        }

        /// In no text.
        private static let nothing: [UInt8] = [0xFF]

        /// Whether all of it is here: nothing was cut off, and there is something that says what is to be done.
        var isWhole: Bool {
            let texts = [input].compactMap(\.self) + (results ?? []).flatMap(\.texts)
            let isCut = texts.contains { $0.omitted > 0 } || (results ?? []).contains(where: \.isHidden)
            let isFull = [results?.count, paths?.count].contains { $0 ?? 0 >= AgentLimits.elements }
            let says = input != nil || !(results ?? []).isEmpty
            return says && !isCut && !isFull && (title?.utf8.count ?? 0) < AgentLimits.nameBytes
                && (paths ?? []).allSatisfy { $0.utf8.count < AgentLimits.nameBytes }
        }
    }

    package var substance: Substance { Substance(call) }

    /// Whether it asks for the same after what was said of its call since.
    func isSame(with change: AgentToolCall) -> Bool { Substance(call.with(change)) == substance }

    /// How a person can answer. Whatever the agent offers, it can be rejected.
    package var choices: [ServedChoice] {
        if option("allow_once") != nil { return substance.isWhole ? [.once, .always, .reject] : [.once, .reject] }
        return option("allow_always") != nil ? [.lasting, .reject] : [.reject]
    }

    /// What the agent is answered.
    func answer(_ choice: ServedChoice) -> ServedAnswer {
        ServedAnswer(id: id, option: option(for: choice), isAllowed: choice != .reject)
    }

    /// One of the options; nil cancels the request, which rejects it.
    private func option(for choice: ServedChoice) -> String? {
        switch choice {
        // The agent is told of this one only: what is the same is decided here.
        case .once, .always: option("allow_once")
        case .lasting: option("allow_always")
        case .reject: option("reject_once")
        }
    }

    private func option(_ kind: String) -> String? { options.first { $0.kind == kind }?.id }
}

/// How a person answers a request.
package enum ServedChoice: String, Sendable, Hashable, CaseIterable {
    case once
    /// Whoever answers lets the very same happen again, for as long as the conversation lasts. The agent is told of this one.
    case always
    /// For agents that cannot be told "once": they decide themselves what they do not ask about any more.
    case lasting
    case reject
}

/// What became of a request without an answer of the owner: nothing was allowed.
package enum ServedOutcome: String, Sendable, Hashable {
    /// The agent took it back, or its turn is over.
    case gone
    /// Nobody answered for ``GatewayServerLimits/answer``.
    case expired
    /// It asks for something else than what was shown.
    case changed
}

/// What is to be answered to a request.
package struct ServedAnswer: Sendable, Hashable {
    package let id: AgentPermission.ID
    /// One of its options; nil rejects it.
    package let option: String?
    package let isAllowed: Bool
}

extension AgentToolCall.Result {
    /// All that it says; nil where something is missing.
    fileprivate var words: [String?] {
        switch self {
        case .text(let text): ["text", text.text, "\(text.omitted)"]
        case .difference(let path, let old, let new):
            ["difference", path, old?.text, old.map { "\($0.omitted)" }, new.text, "\(new.omitted)"]
        case .other(let name): ["other", name]
        }
    }

    fileprivate var texts: [AgentText] {
        switch self {
        case .text(let text): [text]
        case .difference(_, let old, let new): [old, new].compactMap(\.self)
        case .other: []
        }
    }

    /// Whether there is something in it that is not shown.
    fileprivate var isHidden: Bool { if case .other = self { true } else { false } }
}
