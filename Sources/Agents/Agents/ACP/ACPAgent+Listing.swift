internal import AgentProtocols
internal import Wire

// What sessions the agent has, in place of a session.

extension ACPAgent {
    /// Answers of `session/list` that are read.
    private static let pages = 32

    package func sessions() async throws(AgentError) -> [ListedSession]? {
        do throws(AgentError) {
            try await launch()
            let capabilities = try await greeting()["agentCapabilities"]?.object ?? [:]
            let lists = capabilities["sessionCapabilities"]?.object?["list"]?.object != nil
            let all = lists && wayOn(capabilities) != nil ? try await listed() : nil
            await finish(nil)
            return all
        } catch {
            await finish(error)
            throw error
        }
    }

    /// Of every folder: a person may not know any more where they began one.
    private func listed() async throws(AgentError) -> [ListedSession] {
        var (all, cursor): ([ListedSession], String?) = ([], nil)
        for _ in 0..<Self.pages {
            let answer = try await ask(.sessionList, cursor.map { ["cursor": .string($0)] } ?? [:])
            all += answer.array("sessions").compactMap(\.object).compactMap(ListedSession.init)
            cursor = answer.string("nextCursor")
            if cursor == nil || all.count >= AgentLimits.elements { break }
        }
        return Array(all.prefix(AgentLimits.elements))
    }
}

extension ListedSession {
    /// A session as the protocol has it (`SessionInfo`).
    fileprivate init?(_ info: JSONObject) {
        guard let id = info.string("sessionId") else { return nil }
        self.init(
            id: id, title: info.string("title") ?? "", folder: info.string("cwd"), changedAt: info.string("updatedAt"))
    }
}
