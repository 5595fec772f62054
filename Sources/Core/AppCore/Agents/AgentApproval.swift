/// A question of an agent whether it may, as the person sees it. It is answered once, for exactly what is shown.
package struct AgentApproval: Sendable, Hashable, Codable, Identifiable {
    /// Counted in its session; never used again.
    package let id: Int
    /// What the host calls it.
    package let request: Int
    /// What is asked for.
    package let call: AgentCall
    /// The answers that the agent takes.
    package let options: [Option]
    /// What it wants to be given; `nil` if it wants an answer.
    package let input: Input?
    package let askedAt: Timestamp
    /// When it counts as rejected.
    package let expiresAt: Timestamp
    /// Names what is shown: an answer has to name the same.
    package let of: String

    /// One answer of the agent's.
    package struct Option: Sendable, Hashable, Codable {
        package var id: String
        /// `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a word that is not known here.
        package var kind: String
        /// The agent's own words for it; `nil` if they say no more than the kind does.
        package var name: String?

        package init(id: String, kind: String, name: String? = nil) {
            self.id = id
            self.kind = kind
            self.name = name
        }

        /// What says no more than a button does.
        private static let plainNames: Set = [
            "allow", "allow once", "yes", "accept", "no", "reject", "reject once", "deny",
        ]

        /// As it is kept.
        var fitted: Option {
            let name = name?.withoutControls.trimmed.limited(to: AgentTalkLimits.optionBytes) ?? ""
            let isPlain = name.isEmpty || Self.plainNames.contains(name.lowercased())
            return Option(
                id: id.limited(to: AgentTalkLimits.nameBytes), kind: kind.agentName, name: isPlain ? nil : name)
        }
    }

    /// What a tool wants to be given. Neither is kept.
    package enum Input: String, Sendable, Hashable, Codable, CaseIterable {
        case text
        /// Something that nobody may see, like a password.
        case secret
    }

    init(
        id: Int, request: Int, call: AgentCall, options: [Option], input: Input? = nil, askedAt: Timestamp,
        expiresAt: Timestamp, of: String
    ) {
        (self.id, self.request, self.call, self.options, self.input) = (id, request, call, options, input)
        (self.askedAt, self.expiresAt, self.of) = (askedAt, expiresAt, of)
    }

    init(id: Int, request: Int, call: AgentCall, options: [Option], input: Input? = nil, at now: Timestamp) {
        (self.id, self.request, self.call, self.input, askedAt) = (id, request, call, input, now)
        self.options = options.prefix(AgentTalkLimits.options).map(\.fitted)
        expiresAt = now.advanced(byMilliseconds: AgentTalkLimits.approvalPatience)
        of = call.substance
    }

    /// How the person can answer. Whatever the agent offers, it can be rejected.
    package var choices: [AgentChoice] {
        // What it wants to be given cannot be allowed, only given.
        if input != nil { return [.reject] }
        if option("allow_once") != nil { return call.isWhole ? [.once, .always, .reject] : [.once, .reject] }
        return option("allow_always") != nil ? [.lasting, .reject] : [.reject]
    }

    /// What the agent is answered; nil cancels the request, which rejects it.
    func answer(_ choice: AgentChoice) -> String? { option(choice)?.id }

    /// What the agent calls an answer, if that says more than what it is called here. Of what is decided here it knows nothing.
    package func name(of choice: AgentChoice) -> String? { choice == .always ? nil : option(choice)?.name }

    private func option(_ choice: AgentChoice) -> Option? {
        switch choice {
        // The agent is told of this one only: what is the same is decided here.
        case .once, .always: option("allow_once")
        case .lasting: option("allow_always")
        case .reject: option("reject_once")
        }
    }

    private func option(_ kind: String) -> Option? { options.first { $0.kind == kind } }
}

/// How a person answers a question of an agent.
package enum AgentChoice: String, Sendable, Hashable, Codable, CaseIterable {
    case once
    /// The very same again is allowed for this session, without asking.
    case always
    /// For agents that cannot be told "once": they decide themselves what they do not ask about any more.
    case lasting
    case reject
}

/// What became of a question.
package enum AgentVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    case once, always, lasting, reject
    /// The same was allowed for the session before.
    case before
    /// What the person set for the session allowed or rejected it.
    case allowedByPolicy = "allowed_by_policy"
    case rejectedByPolicy = "rejected_by_policy"
    /// The person gave what a tool wanted.
    case given
    /// The member of the circle for whom the agent works answered.
    case onceByMember = "once_by_member"
    case rejectedByMember = "rejected_by_member"
    /// Nobody answered in time.
    case expired
    /// What was asked for became something else after it was shown.
    case changed
    /// The agent took it back, or its turn ended.
    case gone

    package init(_ choice: AgentChoice) {
        self =
            switch choice {
            case .once: .once
            case .always: .always
            case .lasting: .lasting
            case .reject: .reject
            }
    }

    /// Who lets the agent.
    enum Permission: Sendable {
        /// Somebody who was asked.
        case person
        /// What was said before.
        case rule
    }

    /// Whether the agent may, and by whom; `nil` if it may not.
    var isAllowedBy: Permission? {
        switch self {
        case .once, .always, .lasting, .onceByMember, .given: .person
        case .before, .allowedByPolicy: .rule
        case .reject, .rejectedByPolicy, .rejectedByMember, .expired, .changed, .gone: nil
        }
    }

    /// Whether the agent may.
    package var isAllowed: Bool { isAllowedBy != nil }
}

extension AgentCall {
    /// Everything that is shown of a call but how far it is.
    private struct Shown: Encodable {
        let title: String?
        let kind: String?
        let input: CutText?
        let results: [Result]?
        let paths: [String]?
    }

    /// Names what is shown: calls of the same substance ask for the same.
    package var substance: String {
        let shown = Shown(title: title, kind: kind, input: input, results: results, paths: paths)
        return SHA256.digest((try? JSON.encode(shown)) ?? [])
    }

    /// Whether it says that it only looks. That is the agent's own word: what it cannot do is up to the sandbox.
    var isReading: Bool {
        switch AgentPolicies.Kind(of: kind) {
        case .read, .fetch: true
        case .edit, .execute: false
        case nil: kind == "think"
        }
    }

    /// Whether all of it is here: nothing was cut off, and there is something that says what is to be done.
    package var isWhole: Bool { isWhole(in: nil) }

    /// The same where the folder of the session is known, whose own name may have something in it that nobody sees.
    func isWhole(in folder: String?) -> Bool {
        let texts = [input].compactMap(\.self) + (results ?? []).compactMap(\.text)
        let isHidden = (results ?? []).contains { if case .other = $0 { true } else { false } }
        let isFull = [results?.count, paths?.count].contains { $0 ?? 0 >= AgentTalkLimits.elements }
        let says = input != nil || !(results ?? []).isEmpty
        return says && !isHidden && !isFull && texts.allSatisfy { $0.omitted == nil }
            && title?.isWholeName(but: folder) ?? true && places.allSatisfy { $0.isWholePath(but: folder) }
    }

    /// The places that it names, and those that it would change.
    var places: [String] { (paths ?? []) + (results ?? []).compactMap(\.place) }
}

extension String {
    /// Whether nothing of a name was cut off, and nothing stands in it by its number: that could also be how something else is written.
    fileprivate func isWholeName(but folder: String?) -> Bool {
        utf8.count < AgentTalkLimits.nameBytes - 4 && !bytes(without: folder).contains("⟨U+".utf8)
    }

    fileprivate func isWholePath(but folder: String?) -> Bool {
        let bytes = bytes(without: folder)
        return isWholeName(but: folder) && !bytes.contains("␊".utf8) && !bytes.contains("␉".utf8)
    }

    private func bytes(without folder: String?) -> [UInt8] {
        guard let folder else { return Array(utf8) }
        return Array(utf8).replacing(Array(folder.rootAsShown.utf8), with: [UInt8]())
    }
}
