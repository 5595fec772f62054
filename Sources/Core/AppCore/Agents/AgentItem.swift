/// One thing in a session: what was asked, said, done or decided.
package struct AgentItem: Sendable, Hashable, Codable, Identifiable {
    /// Counted in its session; never used again, so that what is on the screen stays what it is.
    package let id: Int
    /// The turn that it belongs to, from 1; 0 for what was said in the session before it was taken up here.
    package let turn: Int
    package let at: Timestamp
    /// When it changed last.
    package internal(set) var changedAt: Timestamp
    package internal(set) var content: Content

    package enum Content: Sendable, Hashable, Tagged {
        /// What the person asked.
        case prompt(text: String, pictures: [AgentPicture]? = nil)
        /// The agent's answer, or a piece of it between calls. Markdown of a stranger.
        case text(text: CutText)
        /// What the agent thought aloud.
        case thought(text: CutText)
        case called(call: AgentCall)
        /// What became of a question.
        case decided(decision: AgentDecision)
        /// The agent was started anew, and knows nothing of what stands above.
        case begunAnew
        /// The agent could not go on with the session, and knows only what is asked from here on.
        case notTakenUp
        /// The agent used a tool of Alcove's, or was not allowed to.
        case usedTool(name: String, isAllowed: Bool)
        /// Something that the agent had to tell beside its answer.
        case remarked(text: CutText)
        /// The last of what the agent wrote into its log before it ended.
        case logged(text: CutText)
    }

    /// Bytes that it takes, about.
    package var bytes: Int {
        switch content {
        case .prompt(let text, let pictures): 64 + text.utf8.count + (pictures ?? []).count * 256
        case .text(let text), .thought(let text), .logged(let text), .remarked(let text): 64 + text.text.utf8.count
        case .called(let call): call.bytes
        case .decided(let decision): 256 + (decision.command?.utf8.count ?? 0)
        case .begunAnew, .notTakenUp, .usedTool: 256
        }
    }
}

/// What became of a question of an agent: an entry of the log.
package struct AgentDecision: Sendable, Hashable, Codable {
    package let verdict: AgentVerdict
    /// The agent's words for what it wanted to do.
    package let title: String
    package let kind: String?
    /// The command that it wanted to run, where that says more than the title.
    package let command: String?
    /// The first places that it named.
    package let paths: [String]
    /// Names what was shown.
    package let of: String

    /// Bytes of each of its texts, and how many places it names.
    private static let (bytes, places) = (512, 4)

    package init(_ verdict: AgentVerdict, _ call: AgentCall) { self.init(verdict, call, of: call.fitted.substance) }

    init(_ verdict: AgentVerdict, _ call: AgentCall, of: String) {
        let title = call.title ?? call.kind ?? call.id
        self =
            AgentDecision(
                verdict: verdict, title: title, kind: call.kind,
                command: call.command.flatMap { $0 == title ? nil : $0 },
                paths: call.distinctPlaces, of: of
            ).fitted
    }

    /// With no more of each text than is kept.
    var fitted: AgentDecision {
        AgentDecision(
            verdict: verdict, title: title.limited(to: Self.bytes), kind: kind?.limited(to: Self.bytes),
            command: command?.limited(to: Self.bytes),
            paths: paths.prefix(Self.places).map { $0.limited(to: Self.bytes) }, of: of.limited(to: Self.bytes))
    }

    init(verdict: AgentVerdict, title: String, kind: String?, command: String?, paths: [String], of: String) {
        (self.verdict, self.title, self.kind, self.command) = (verdict, title, kind, command)
        (self.paths, self.of) = (paths, of)
    }
}

/// What became of all questions, the newest last: what a person can look up later, also when the session is gone.
///
/// What a person allowed, what was allowed unasked, and what was not allowed have a limit each. Otherwise an agent could ask so often that nobody
/// finds any more what it was allowed.
package struct AgentLog: Sendable, Hashable, Codable, AddedLater {
    package struct Entry: Sendable, Hashable, Codable {
        package let at: Timestamp
        package let session: AgentSessionID
        package let agent: String
        /// Where the session worked; `nil` where it has no folder.
        package let folder: String?
        package let decision: AgentDecision
    }

    package internal(set) var entries: [Entry] = []

    package init() {}

    mutating func add(_ entry: Entry) {
        entries.append(entry)
        let kind = entry.decision.verdict.isAllowedBy
        let alike = entries.indices.filter { entries[$0].decision.verdict.isAllowedBy == kind }
        if alike.count > AgentTalkLimits.logged { entries.remove(at: alike[0]) }
    }
}

extension AgentCall {
    /// The places that it names or changes, each once.
    fileprivate var distinctPlaces: [String] {
        places.reduce(into: []) { known, place in if !known.contains(place) { known.append(place) } }
    }
}
