import Agents
import AppCore
import Foundation
import Host

/// The sessions that an agent has already, and how a person names one of them: by the agent's id for it, or the beginning of that.
struct AgentThreadOperand {
    /// - Parameter folder: where the agent is started to be asked, and goes on with a session of which it says no place.
    static func all(
        of agent: Agent, in folder: String?, _ host: any ProfileHost
    ) async throws -> [AgentThread] {
        let provider = try AgentOptions.provider(agent, try await AgentSecrets(of: agent, in: host), folder: folder)
        do throws(AgentError) {
            let here = agent.isBehindGateway ? folder : ProfileOptions.absolute(folder ?? currentFolder)
            if let threads = try await provider.sessions() {
                return agent.possible(threads.map(AgentThread.init), in: here)
            }
        } catch {
            throw AgentOptions.failure(error)
        }
        throw CommandFailure("\(agent.name) does not say which sessions it has, or cannot go on with them", .failure)
    }

    static func named(
        _ text: String, of agent: Agent, in folder: String?, _ host: any ProfileHost
    ) async throws -> AgentThread {
        let called = CalledByName(text)
        let found = try await all(of: agent, in: folder, host).filter { $0.id == text || called.begins($0.id) }
        // A gateway goes on with sessions that it does not list: those that were split off, for example.
        if found.isEmpty, agent.isBehindGateway {
            return AgentThread(id: text, title: "", folder: folder, changedAt: nil)
        }
        guard let thread = found.first(where: { $0.id == text }) ?? found.first else {
            throw CommandFailure(
                "\(agent.name) has no session \"\(text)\"; alcove agent sessions \(ShellWords.written([agent.name])) --elsewhere shows those that it has",
                .noInput)
        }
        guard found.count == 1 || thread.id == text else {
            throw called.ambiguity(found.map { ($0.id, $0.title) })
        }
        return thread
    }

    private static var currentFolder: String { FileManager.default.currentDirectoryPath }
}

extension Agent {
    fileprivate var isBehindGateway: Bool { if case .gateway = place { true } else { false } }
}
