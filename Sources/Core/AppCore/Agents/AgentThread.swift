/// A session that an agent has already, also one that another program began. All of it is the agent's word.
package struct AgentThread: Sendable, Hashable, Codable {
    /// What the agent calls it.
    package let id: String
    /// Empty if the agent does not say.
    package let title: String
    /// Where it works; `nil` if the agent does not say.
    package let folder: String?
    /// When something was said in it last; `nil` if the agent does not say.
    package let changedAt: Timestamp?

    package init(id: String, title: String, folder: String?, changedAt: Timestamp?) {
        (self.id, self.title, self.folder, self.changedAt) = (id, title, folder, changedAt)
    }

    /// As it may be shown; `nil` if it cannot be gone on with, because a name that were cut would be another one.
    var fitted: AgentThread? {
        guard !id.isEmpty, id.utf8.count <= AgentTalkLimits.nameBytes, folder?.isAgentFolder ?? true else { return nil }
        return AgentThread(
            id: id, title: title.withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes), folder: folder,
            changedAt: changedAt)
    }
}

/// What a view is shown of the sessions that an agent has.
package struct AgentThreadList: Sendable, Hashable, Codable {
    package let agent: AgentID
    /// Where the agent was asked.
    package let folder: String?
    /// The ``Effect/Kind/listAgentThreads(place:folder:)`` that tells, or has told.
    package internal(set) var effect: EffectID?
    /// Those that changed last first; `nil` as long as they are not known.
    package internal(set) var threads: [AgentThread]?
    /// Whether the agent does not say which it has; `nil` for no.
    package internal(set) var isUnlisted: Bool?
    package internal(set) var failure: Failure?

    /// Whether the answer of the agent is awaited.
    var isReading: Bool { effect != nil && threads == nil && failure == nil }
}

extension Agent {
    /// Whether it may have sessions that it can be asked for: a model server keeps none, and of somebody else's this person has their own.
    var keepsThreads: Bool {
        switch place {
        case .program, .gateway: true
        case .modelServer, .member: false
        }
    }

    /// Those of what it says that can be gone on with here. A confined agent must not say itself where it may write.
    package func possible(_ threads: [AgentThread], in folder: String?) -> [AgentThread] {
        let fitted = threads.lazy.compactMap(\.fitted).filter { thread in
            !place.isConfined || thread.folder.map { Array($0.utf8) } == folder.map { Array($0.utf8) }
        }
        let kept = fitted.prefix(AgentTalkLimits.threads).enumerated().sorted { first, second in
            // One without a time stands behind those that have one, and else as the agent says.
            let times = (first.element.changedAt?.milliseconds ?? .min, second.element.changedAt?.milliseconds ?? .min)
            return times.0 == times.1 ? first.offset < second.offset : times.0 > times.1
        }
        var seen: Set<String> = []
        return kept.map(\.element).filter { seen.insert($0.id).inserted }
    }
}
