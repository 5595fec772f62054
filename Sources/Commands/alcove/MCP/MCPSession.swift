import AgentProtocols
import Agents
import AppCore
import Foundation
import Host
import Storage
import Wire

/// One client of the Model Context Protocol, from its first line to its last.
actor MCPSession {
    private let client: String?
    private let work: ToolWork
    private let grants: ToolGrants
    private let log: ToolLog
    private var server: MCPServer
    private var calls: [JSONRPCMessage.ID: Task<Void, Never>] = [:]

    /// How often a change of the grants is looked for, to tell the client. Its next call sees it in any case.
    private static let glance = Duration.seconds(1)

    init(client: String?, work: ToolWork, grants: ToolGrants, log: ToolLog) {
        (self.client, self.work, self.grants, self.log) = (client, work, grants, log)
        server = MCPServer(
            about: ["name": "alcove", "title": "Alcove", "version": .string(Core.version)],
            instructions: AlcoveTool.instructions, tools: AlcoveTool.allCases.map(\.description), now: .now)
    }

    /// Serves the client until it says nothing more, and what it asked for is done.
    func run(_ input: StandardInput) async {
        let watch = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.glance)
                self.lookAtGrants()
            }
        }
        var lines = LineSplitter(limit: MCPLimits.lineBytes)
        reading: while let bytes = await input.next() {
            for line in lines.read(bytes) { guard perform(receive(line)) else { break reading } }
        }
        watch.cancel()
        for call in calls.values { await call.value }
    }

    // MARK: Grants

    /// Nothing, if that cannot be found out.
    private var granted: Set<ToolGrant> { client.flatMap { try? grants.granted(to: $0) } ?? [] }

    private var offered: Set<String> {
        let granted = granted
        return Set(AlcoveTool.allCases.filter { granted.contains($0.grant) }.map(\.rawValue))
    }

    private func lookAtGrants() { _ = perform(server.offer(offered)) }

    /// How the person could allow it.
    private func refusal(_ tool: AlcoveTool) -> String {
        guard let client else {
            return
                "nothing is granted to a program without a name; the person can start this with --client NAME, and grant "
                + "\(tool.grant.rawValue) to that"
        }
        let profile = work.arguments["profile"].map { ["--profile", $0] } ?? []
        let command = ShellWords.written(["alcove", "mcp", "grant"] + profile + [client, tool.grant.rawValue])
        return "\(client) may not \(tool.grant.words). The person can allow it with: \(command)"
    }

    // MARK: Steps

    private func receive(_ line: LineSplitter.Line) -> [MCPServer.Step] {
        server.receive(line, offered: offered, now: .now)
    }

    /// - Returns: false at the end.
    private func perform(_ steps: [MCPServer.Step]) -> Bool {
        for step in steps {
            switch step {
            case .send(let content): Terminal.send(JSONRPCMessage(content).line)
            case .call(let id, let name, let arguments):
                calls[id] = Task { await self.call(id, name, MCPArguments(arguments)) }
            case .cancel(let id): calls[id]?.cancel()
            case .giveUp:
                Terminal.complain("the program sends nothing that can be read")
                return false
            }
        }
        return true
    }

    private func call(_ id: JSONRPCMessage.ID, _ name: String, _ arguments: MCPArguments) async {
        let result: MCPResult
        if let tool = AlcoveTool(rawValue: name) {
            result = await use(tool, arguments)
        } else {
            result = MCPResult.failed("there is no such tool")
        }
        calls[id] = nil
        _ = perform(server.finish(id, result))
    }

    /// Does it, if it is granted and can be recorded.
    private func use(_ tool: AlcoveTool, _ arguments: MCPArguments) async -> MCPResult {
        guard granted.contains(tool.grant) else {
            await record(tool, nil, .refused)
            return MCPResult.failed(refusal(tool))
        }
        guard log.isWritable else {
            return unrecorded
        }
        let about = Described()
        do {
            let result = try await work.perform(tool, arguments, about)
            // What cannot be recorded is not told either.
            guard await record(tool, about.words, .done) else { return unrecorded }
            return result
        } catch {
            await record(tool, about.words, .failed)
            return MCPResult.failed(Self.words(error))
        }
    }

    private var unrecorded: MCPResult {
        MCPResult.failed("\(log.path) cannot be written, and nothing is done or told that is not recorded there")
    }

    /// - Returns: whether it is in the log.
    @discardableResult
    private func record(_ tool: AlcoveTool, _ about: String?, _ outcome: ToolLog.Entry.Outcome) async -> Bool {
        let entry = ToolLog.Entry(
            client: client ?? "", says: server.client, tool: tool.rawValue, about: about, outcome: outcome)
        var isRecorded = true
        do throws(FileError) { try log.append(entry) } catch {
            Terminal.complain(of: error.message)
            isRecorded = false
        }
        await show(tool, isAllowed: outcome != .refused)
        return isRecorded
    }

    /// Every use is shown in the session of the agent, if it has one.
    private func show(_ tool: AlcoveTool, isAllowed: Bool) async {
        guard let session = work.arguments["session"],
            let host = try? await ProfileOptions.hostProcess(work.arguments, front: false)
        else { return }
        await host.dispatch(
            .agents(.noteToolUse(session: AgentSessionID(session), tool: tool.rawValue, isAllowed: isAllowed)))
        await host.stop()
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let mistake as MCPArguments.Mistake: mistake.words
        case let failure as CommandFailure: failure.explanation
        default: "it could not be done"
        }
    }
}
