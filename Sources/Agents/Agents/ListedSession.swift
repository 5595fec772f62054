/// A session that an agent has, also one that another program began. All of it is the agent's word.
package struct ListedSession: Sendable, Hashable {
    /// What the agent calls it.
    package let id: String
    /// Empty if the agent does not say.
    package let title: String
    /// Where it works; nil if the agent does not say.
    package let folder: String?
    /// When something was said in it last, in ISO 8601; nil if the agent does not say.
    package let changedAt: String?

    /// - Returns: nil for names that are too long: cut, they would be others.
    init?(id: String, title: String = "", folder: String? = nil, changedAt: String? = nil) {
        guard !id.isEmpty, [id, folder ?? "", changedAt ?? ""].allSatisfy({ $0.utf8.count <= AgentLimits.nameBytes })
        else { return nil }
        (self.id, self.folder, self.changedAt) = (id, folder, changedAt)
        self.title = AgentText.name(title)
    }
}
