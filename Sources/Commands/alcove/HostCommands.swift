import AppCore
import Foundation
import Host
import Networking

/// `alcove host`: the process that holds a profile, so that several programs use it at once.
enum HostCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([HostRunCommand.self, HostStatusCommand.self, HostStopCommand.self])
    }
}

/// `alcove host run`
struct HostRunCommand: Command {
    static let reference = CommandReference(
        "host run", "[--stay]",
        "hold the profile and keep its rooms connected, for chats and other programs to attach to",
        options: ProfileOptions.all + ProfileOptions.network + NoteOptions.place + [
            .flag("stay", "stay also when nobody is attached and nothing is connected"),
            .flag("json", "print one JSON object when it is ready"),
        ],
        examples: ["alcove host run --stay &", "alcove chat Ben"])

    private let arguments: Arguments

    init(arguments: Arguments) throws { self.arguments = arguments }

    func run() async throws {
        let signals = await Signals()
        // Whoever attaches unlocks it: no passphrase is asked for here.
        let host = try await ProfileOptions.host(arguments, unlocks: false)
        if await host.read({ !$0.lock.isLocked }) { try await ProfileOptions.configure(host, arguments) }
        await host.dispatch(.app(.becameActive))
        let profile = arguments["profile"] ?? ProfileDirectory.standardPath
        let server = AttachServer(host, whenAsked: { [end = signals.raise] in end() })
        do { try await server.start(profile: profile) } catch let error as NetworkingError {
            await host.stop()
            throw CommandFailure(error.message, .unavailable)
        }
        if arguments.has("json") {
            try Terminal.print(json: ["socket_path": AttachServer.path(of: profile)])
        } else {
            Terminal.print("host: \(AttachServer.path(of: profile))  (end it: alcove host stop, or Control-C)")
        }
        let configuring = Task { await configureOnceUnlocked(host) }
        defer { configuring.cancel() }
        let watch = Task { await watchIdleness(host, server, signals) }
        await signals.wait()
        watch.cancel()
        await server.stop()
        await host.stop()
    }

    /// What the command line says can be set only when the profile is open.
    private func configureOnceUnlocked(_ host: AppHost) async {
        guard await host.read(\.lock.isLocked) else { return }
        for await _ in await host.changes() where await host.read({ !$0.lock.isLocked }) {
            do { try await ProfileOptions.configure(host, arguments) } catch { Terminal.complain(of: "\(error)") }
            return
        }
    }

    /// How long the process stays when nobody is attached and nothing lasts.
    private static let patience = Duration.seconds(60)
    /// How long a profile with auto-lock stays open when no client is in front.
    private static let lockPatience = Duration.seconds(300)

    /// Ends when nobody is there and nothing lasts, and locks when nobody looks.
    private func watchIdleness(_ host: AppHost, _ server: AttachServer, _ signals: Signals) async {
        var lastLook = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if await host.read({ $0.views.contains { $0.id != .main && $0.isFront } }) { lastLook = .now }
            let locksItself = await host.read { $0.settings.autoLock && !$0.lock.isLocked }
            if locksItself, .now - lastLook >= Self.lockPatience { await host.dispatch(.app(.lock)) }
            guard !arguments.has("stay") else { continue }
            let isBusy = await host.read { $0.hasSomethingLasting }
            if !isBusy, let idle = await server.idle(), idle >= Self.patience { return signals.raise() }
        }
    }
}

/// `alcove host status`
struct HostStatusCommand: ReportingCommand {
    static let reference = CommandReference(
        "host status", "", "whether a host process holds the profile, and who is attached",
        options: [ProfileOptions.profile], examples: ["alcove host status", "alcove host status --json"])

    let arguments: Arguments

    init(arguments: Arguments) throws { self.arguments = arguments }

    func result() async throws -> CommandResult {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            throw CommandFailure("no host process holds this profile; start one with alcove host run", .unavailable)
        }
        let status = try await host.status()
        await host.stop()
        let (pid, clients) = (status["pid"]?.integer ?? 0, (status["clients"]?.integer ?? 1) - 1)
        let locked = status["locked"]?.bool == true ? ", locked" : ""
        return CommandResult(
            "process \(pid), version \(status["version"]?.string ?? "unknown"), \(clients) attached\(locked)",
            json: status)
    }
}

/// `alcove host stop`
struct HostStopCommand: ReportingCommand {
    static let reference = CommandReference(
        "host stop", "", "end the host process of the profile; what is not delivered waits for the next one",
        options: [ProfileOptions.profile], examples: ["alcove host stop"])

    let arguments: Arguments

    init(arguments: Arguments) throws { self.arguments = arguments }

    func result() async throws -> CommandResult {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            return CommandResult("no host process holds this profile", json: ["stopped": .bool(false)])
        }
        await host.endHost()
        await host.stop()
        return CommandResult("the host process has ended", json: ["stopped": .bool(true)])
    }
}

extension AppState {
    /// Whether something goes on that ends with the process: links, searches, waiting for somebody, what runs of apps.
    fileprivate var hasSomethingLasting: Bool {
        pendingEffects.contains { kind in
            switch kind {
            case .openLink, .meet, .watchRoom, .checkRoom, .createRoom, .joinRoom, .shareNote, .installApp, .startApp:
                true
            default: false
            }
        } || apps.components.contains(where: \.isRunning)
    }
}
