import Agents
import AppCore
import Errors
import Foundation
import Host

/// `alcove agent login`
struct AgentLoginCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent login", "NAME [METHOD]", "sign in with an agent that asks a service of its own, if it wants that",
        takes: .some(1...2, "alcove agent login NAME [METHOD]"), options: ProfileOptions.all,
        examples: ["alcove agent login helper", "alcove agent login helper oauth-personal"])

    let arguments: Arguments

    private struct Line: Encodable {
        let name: String
        /// `nil` if the agent offers no signing in.
        let method: String?
    }

    func result() async throws -> CommandResult {
        let (agent, secrets) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            return (agent, try await AgentSecrets(of: agent, in: host))
        }
        guard case .program(let command, let sandbox, _) = agent.place else {
            throw CommandFailure("\(agent.name) is no program; only programs are signed in with", .usage)
        }
        guard sandbox == nil else {
            throw CommandFailure(
                "\(agent.name) keeps nothing in its sandbox; add it with its key in --env-file instead", .usage)
        }
        var program = AgentProgram(command, folder: NSHomeDirectory(), variables: secrets.variables)
        program.showsWindows = true
        let provider = ACPAgent(program)
        do {
            let method = try await signIn(agent.name, provider)
            await provider.stop()
            return CommandResult(
                method == nil
                    ? "\(agent.name) offers no signing in here. Where it wants one, it has its own command for that."
                    : "signed in with \(agent.name)",
                json: Line(name: agent.name, method: method))
        } catch {
            await provider.stop()
            throw (error as? AgentError).map(AgentOptions.failure) ?? error
        }
    }

    /// - Returns: how; nil if the agent offers nothing.
    private func signIn(_ name: String, _ provider: ACPAgent) async throws -> String? {
        let ways = try await provider.logins()
        guard !ways.isEmpty else { return nil }
        let wanted = arguments.operands.dropFirst().first
        guard let way = ways.first(where: { $0.id == wanted ?? (ways.count == 1 ? $0.id : nil) }) else {
            var table = Table()
            for way in ways { table.add(way.id, way.name == way.id ? "" : way.name, way.about) }
            table.show()
            throw CommandFailure("say how: alcove agent login \(ShellWords.written([name])) METHOD", .usage)
        }
        Terminal.log("Signing in with \(name): \(way.name). If it opens a browser, go on there. Control-C gives up.")
        let reader = Task { await Self.follow(provider) }
        do {
            try await provider.signIn(with: way.id)
        } catch {
            reader.cancel()
            await reader.value
            throw error
        }
        reader.cancel()
        await reader.value
        return way.id
    }

    /// Shows what the agent says meanwhile, line by line, and at the end what is left: an address to open, perhaps.
    private static func follow(_ provider: ACPAgent) async {
        var (shown, line): (Int, [UInt8]) = (0, [])
        var isLast = false
        while !isLast {
            isLast = Task.isCancelled
            let (text, count) = await provider.log(after: shown)
            shown = count
            line += text
            while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                Terminal.log("  \(String(decoding: line[..<end], as: UTF8.self))")
                line.removeFirst(end + 1)
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
        if !line.isEmpty { Terminal.log("  \(String(decoding: line, as: UTF8.self))") }
    }
}
