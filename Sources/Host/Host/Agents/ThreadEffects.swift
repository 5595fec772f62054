package import Agents
package import AppCore
import Foundation

extension AppHost {
    /// Asks an agent which sessions it has, beside everything else: a program may take its time to start.
    func listAgentThreads(_ id: EffectID, _ place: Agent.Place, _ folder: String) async {
        await attempt(id) {
            let (name, provider) = try await provider(place, folder, nil, AgentSetup())
            inBackground(id) {
                do throws(AgentError) {
                    return .agentThreadsListed(effect: id, threads: try await provider.sessions().map(AgentThread.init))
                } catch {
                    throw Failure(error, of: name)
                }
            }
        }
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
