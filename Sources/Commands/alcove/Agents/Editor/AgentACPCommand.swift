import AgentProtocols
import Agents
import AppCore
import Foundation
import Host
import Wire

/// `alcove agent acp`
struct AgentACPCommand: Command {
    static let reference = CommandReference(
        "agent acp", "NAME [--folder DIR]",
        "let an editor use an agent over the Agent Client Protocol, in sessions that the page shows, too",
        takes: .one("NAME"),
        options: [
            ProfileOptions.profile,
            .value("passphrase-file", "FILE", "open the profile with the passphrase in the first line of this file"),
            .value("folder", "DIR", "where it works, whatever folder the editor has open; behind a gateway, one there"),
            AgentOptions.tools,
        ],
        examples: [
            "alcove agent acp helper", "alcove agent acp helper@Ada",
            "alcove agent acp workstation --folder /home/ada/project",
        ])

    let arguments: Arguments

    init(arguments: Arguments) throws {
        self.arguments = arguments
        guard arguments["passphrase-file"] != "-" else {
            throw UsageError("standard input is the editor's; name a file")
        }
    }

    func run() async throws {
        let end = await Signals()
        if isatty(STDIN_FILENO) == 1 {
            Terminal.log("this talks to an editor on standard input; give an editor this command to start")
        }
        // Without its passphrase the profile can be opened in the page, while the editor waits.
        try await ProfileOptions.attached(
            arguments, startsHost: true, unlocks: arguments["passphrase-file"] != nil, front: false
        ) { host in
            let wanted = EditorAgent(
                name: arguments.operands[0], folder: arguments["folder"].map(ProfileOptions.absolute),
                hasTools: arguments.has("tools"))
            var takesPictures = true
            if await !host.read(\.lock.isLocked) {
                let agent = try await AgentOperand(text: wanted.name).find(in: host)
                takesPictures = await host.read { state in
                    state.talks.inOrder.lazy.map(\.session).filter { $0.agent == agent.id }
                        .compactMap(\.takesPictures).first ?? true
                }
            }
            let connection = EditorConnection(host, wanted, takesPictures: takesPictures)
            Task {
                await connection.read(StandardInput())
                end.raise()
            }
            Task {
                await connection.follow()
                end.raise()
            }
            await end.wait()
            await connection.leave()
            if let failure = await host.failure(next: "begin the session anew in the editor") { throw failure }
        }
    }
}

/// The agent that an editor uses, as the command line says.
struct EditorAgent: Sendable {
    /// Its name or the beginning of its id.
    let name: String
    /// Where it works; nil where the editor says.
    let folder: String?
    let hasTools: Bool

    /// The agent, if the profile is open.
    func find(in host: any ProfileHost) async throws -> Agent {
        guard await !host.read(\.lock.isLocked) else {
            throw CommandFailure(
                "The profile of Alcove is locked. Unlock it in the page (alcove open), and try again.",
                .noPermission)
        }
        return try await AgentOperand(text: name).find(in: host)
    }

    /// The folder of sessions that an editor means by a folder of its own.
    func folder(for folder: String) -> String { self.folder ?? ProfileOptions.absolute(folder) }
}
