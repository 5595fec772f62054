package import Agents
package import AppCore
import Foundation

extension AppHost {
    /// Agents that may be asked at once.
    private static let mostAsked = 4

    /// Asks an agent which sessions it has, beside everything else: a program may take its time to start.
    func listAgentThreads(_ id: EffectID, _ place: Agent.Place, _ folder: String) async {
        await attempt(id) {
            guard askedAgents.count < Self.mostAsked else { throw Failure(.agentBusy, retryable: true) }
            let (name, provider) = try await provider(place, folder, nil, AgentSetup())
            askedAgents[id] = provider
            inBackground(id) {
                do {
                    let threads = try await self.ask(provider)
                    return .agentThreadsListed(effect: id, threads: threads?.map(AgentThread.init))
                } catch let error as AgentError {
                    throw Failure(error, of: name)
                }
            }
            Task { [task = tasks[id]] in
                await task?.value
                askedAgents[id] = nil
            }
        }
    }

    /// However many answers it takes, all of them come in the time that a start may take, or the agent is ended.
    private nonisolated func ask(_ provider: any AgentProvider) async throws -> [ListedSession]? {
        let deadline = Task {
            try await Task.sleep(for: AgentLimits.startPatience)
            await provider.stop()
        }
        defer { deadline.cancel() }
        return try await provider.sessions()
    }
}

extension AgentThread {
    package init(_ listed: ListedSession) {
        self.init(
            id: listed.id, title: listed.title, folder: listed.folder,
            changedAt: listed.changedAt.flatMap(Date.init(written:)).map {
                Timestamp(milliseconds: Int64($0.timeIntervalSince1970 * 1000))
            })
    }
}

extension Date {
    /// A time in ISO 8601, with parts of a second or without.
    fileprivate init?(written text: String) {
        let date =
            (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
            ?? (try? Date.ISO8601FormatStyle().parse(text))
        guard let date else { return nil }
        self = date
    }
}
