import AppCore
import Host

/// `alcove host`: the process that holds a profile, so that several programs use it at once.
enum HostCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([
            HostRunCommand.self, HostStatusCommand.self, HostRestartCommand.self, HostStopCommand.self,
        ])
    }
}

/// `alcove host status`
struct HostStatusCommand: ReportingCommand {
    static let reference = CommandReference(
        "host status", "", "whether a host process holds the profile, and who is attached",
        options: [ProfileOptions.profile], examples: ["alcove host status", "alcove host status --json"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            throw CommandFailure("no host process holds this profile; start one with alcove host run", .unavailable)
        }
        let status = try await host.status()
        await host.stop()
        let (pid, clients) = (status["pid"]?.integer ?? 0, (status["clients"]?.integer ?? 1) - 1)
        let locked = status["locked"]?.bool == true ? ", locked" : ""
        let notifications: TerminalText =
            switch status["notifications"]?.string {
            case "no_desktop_bus": "\nnotifications: no desktop bus"
            case "no_notification_server": "\nnotifications: no program of the desktop shows them"
            default: ""
            }
        return CommandResult(
            "process \(pid), version \(status["version"]?.string ?? "unknown"), \(clients) attached\(locked)"
                + notifications, json: status)
    }
}

/// `alcove host restart`
struct HostRestartCommand: ReportingCommand {
    static let reference = CommandReference(
        "host restart", "",
        "have the host process begin anew in the program that is installed now; no passphrase is asked for again",
        options: [ProfileOptions.profile], examples: ["alcove host restart"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            return CommandResult("no host process holds this profile", json: ["restarted": .bool(false)])
        }
        do { try await host.restartHost() } catch let error as AttachError {
            throw HostEnd.failure(error, next: "start another one with alcove host run")
        }
        let version = try await host.status()["version"]?.string ?? "unknown"
        await host.stop()
        return CommandResult(
            "the host process goes on, version \(version)",
            json: ["restarted": .bool(true), "version": .string(version)])
    }
}

/// `alcove host stop`
struct HostStopCommand: ReportingCommand {
    static let reference = CommandReference(
        "host stop", "", "end the host process of the profile; what is not delivered waits for the next one",
        options: [ProfileOptions.profile], examples: ["alcove host stop"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            return CommandResult("no host process holds this profile", json: ["stopped": .bool(false)])
        }
        await host.endHost()
        await host.stop()
        return CommandResult("the host process has ended", json: ["stopped": .bool(true)])
    }
}
