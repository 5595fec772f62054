import AppCore
import Foundation
import Host

/// `alcove agent share`
struct AgentShareCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent share", "NAME --with MEMBER",
        "let a person of your circle use an agent of this machine, over the link between you two",
        takes: .one("NAME"),
        options: ProfileOptions.all + [
            .value("with", "MEMBER", "the person: a name or the beginning of an id, as circle list shows them"),
            .value("folder", "DIR", "where a program works for them, and nowhere else (default: the current folder)"),
            .flag("read-only", "reject every change; a program is confined, and its folder cannot be written"),
            .flag("owner-decides", "only you answer what the agent asks, not they"),
        ],
        examples: [
            "alcove agent share helper --with Ben --read-only --folder ~/project",
            "alcove agent share helper --with Ben --owner-decides",
        ])

    let arguments: Arguments
    private let member: String

    init(arguments: Arguments) throws {
        guard let member = arguments["with"] else { throw UsageError("missing: --with MEMBER") }
        (self.arguments, self.member) = (arguments, member)
    }

    func result() async throws -> CommandResult {
        let folder = ProfileOptions.absolute(arguments["folder"] ?? FileManager.default.currentDirectoryPath)
        let (agent, room) = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            let room = try await RoomOperand(text: member, isPerson: true).find(in: host, fits: \.isMember)
            if case .program = agent.place { try Self.check(folder) }
            try await host.change(
                agents: .shareAgent(
                    agent: agent.id, room: room.id, folder: folder, readOnly: arguments.has("read-only"),
                    ownerDecides: arguments.has("owner-decides")))
            return (await host.read { $0.agents.byID[agent.id] ?? agent }, room)
        }
        return CommandResult(
            "\(room.title) may use \(agent.name) while you are connected. \(warning(agent))",
            json: AgentLine(agent, [room.id: room.title]))
    }

    private static func check(_ folder: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(folder) is no folder", .noInput)
        }
    }

    /// What the person should know of what they granted.
    private func warning(_ agent: Agent) -> TerminalText {
        guard case .program(_, let sandbox, _) = agent.place, sandbox == nil, !arguments.has("read-only") else {
            return "End that with: alcove agent unshare \(ShellWords.written([agent.name]))"
        }
        return "It runs with all your rights: what it does not ask about, they can have it do. "
            + "Add it with --sandbox, or share it with --read-only, to confine it."
    }
}

/// `alcove agent unshare`
struct AgentUnshareCommand: ReportingCommand {
    static let reference = CommandReference(
        "agent unshare", "NAME [--with MEMBER]", "do not let a person use an agent any more; without one, nobody",
        takes: .one("NAME"),
        options: ProfileOptions.all + [.value("with", "MEMBER", "the person (default: everybody)")],
        examples: ["alcove agent unshare helper --with Ben", "alcove agent unshare helper"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        let agent = try await ProfileOptions.attached(arguments) { host in
            let agent = try await AgentOperand(text: arguments.operands[0]).find(in: host)
            var room: RoomID?
            if let member = arguments["with"] {
                let users = Set(agent.shares.map(\.room))
                let found = try await RoomOperand(text: member, isPerson: true)
                    .find(in: host, fits: { users.contains($0.id) })
                guard users.contains(found.id) else {
                    throw CommandFailure("\(found.title) does not use \(agent.name)", .noInput)
                }
                room = found.id
            }
            try await host.change(agents: .unshareAgent(agent: agent.id, room: room))
            return await host.read { $0.agents.byID[agent.id] ?? agent }
        }
        return CommandResult(json: AgentLine(agent))
    }
}
