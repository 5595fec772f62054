import AppCore
import Foundation
import Host
import Networking
import PageServer

/// `alcove host run`
struct HostRunCommand: Command {
    static let reference = CommandReference(
        "host run", "[--idle TIME]",
        "hold the profile and keep its rooms connected, for chats and other programs to attach to",
        options: ProfileOptions.all + ProfileOptions.network + NoteOptions.place + [
            .value("idle", "TIME", "end when for this long nobody was attached, nobody connected and nothing ran"),
            .flag("log", "write to host.log in the profile, not to the terminal"),
            .flag("json", "print one JSON object when it is ready"),
        ],
        examples: ["alcove host run &", "alcove chat Ben"])

    private let arguments: Arguments
    /// How long it goes on when nobody needs it; `nil`: until somebody ends it.
    private let patience: Duration?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        patience = try arguments["idle"].map { text throws(UsageError) in
            guard let seconds = WrittenDuration.seconds(text) else {
                throw UsageError("--idle takes a time like 30s, 5m or 1h, not \"\(text)\"")
            }
            return .seconds(seconds)
        }
    }

    func run() async throws {
        let (signals, restart) = (await Signals(), HostRestart())
        let profile = ProfileOptions.absolute(ProfileOptions.path(arguments))
        // Whoever attaches unlocks it: no passphrase is asked for here.
        let host = try await ProfileOptions.host(arguments, handedOver: restart.takeKey()) {
            PageWindow.open(of: profile)
        }
        if await host.read({ !$0.lock.isLocked }) { try await ProfileOptions.configure(host, arguments) }
        await host.dispatch(.app(.becameActive))
        await host.whenRestored { [end = signals.raise] in
            restart.want()
            end()
        }
        let options = try ProfileOptions.runningOptions(arguments)
        let isSpare: @Sendable () async -> Bool = { [patience] in
            guard patience != nil else { return false }
            return await !host.read(\.hasSomethingLasting)
        }
        let server = AttachServer(host, options: options, isSpare: isSpare) { [end = signals.raise] restarts in
            if restarts { restart.want() }
            end()
        }
        do { try await server.start(profile: profile) } catch let error as NetworkingError {
            await host.stop()
            throw CommandFailure(error.message, .unavailable)
        }
        let apps = PageApps {
            try await host.windowAddress($0)
        } picture: {
            try await host.picture(ofApp: $0)
        }
        let page = PageServer(server, folder: PageLocation.folder, profile: profile, apps: apps)
        await server.servePage { port in
            do throws(PageError) { return try await page.address(port: port) } catch {
                throw Failure(.other, error.message)
            }
        }
        await page.resume()
        let log = try announce(profile)
        let configuring = Task { await configureOnceUnlocked(host) }
        let watch = Task { await HostWatch(host, server, log, patience: patience).run(signals) }
        await signals.wait()
        configuring.cancel()
        watch.cancel()
        var (restarts, key) = (restart.isWanted, await host.handedOverKey)
        await server.stop(restarts: restarts)
        await page.stop()
        await host.stop()
        if let restored = await host.restored {
            // Another profile has another key.
            key = nil
            do { try restored.replace(profile) } catch { Terminal.complain(of: error.message) }
        }
        if restarts { throw restart.begin(with: key) }
        log?.write("process \(getpid()) has ended")
    }

    /// Says that it listens: to the person, or to the log and to who started it.
    private func announce(_ profile: String) throws -> HostLog? {
        if arguments.has("log") {
            // It keeps no folder busy that somebody wants to unmount.
            _ = FileManager.default.changeCurrentDirectoryPath("/")
            let log = HostLog(profile: profile)
            log.write("process \(getpid()) of version \(Core.version) listens")
            return log
        }
        if arguments.has("json") {
            try Terminal.print(json: ["socket_path": AttachServer.path(of: profile)])
        } else {
            Terminal.print("host: \(AttachServer.path(of: profile))  (end it: alcove host stop, or Control-C)")
        }
        return nil
    }

    /// What the command line says can be set only when the profile is open.
    private func configureOnceUnlocked(_ host: AppHost) async {
        guard await host.read(\.lock.isLocked) else { return }
        for await _ in await host.changes() where await host.read({ !$0.lock.isLocked }) {
            do { try await ProfileOptions.configure(host, arguments) } catch {
                Terminal.complain(of: ErrorWords.sentence(error))
            }
            return
        }
    }
}

/// Ends a host process that nobody needs, and locks a profile that nobody uses.
private struct HostWatch {
    private let host: AppHost
    private let server: AttachServer
    private let log: HostLog?
    /// How long the process goes on when nobody is attached and nothing lasts.
    private let patience: Duration?

    init(_ host: AppHost, _ server: AttachServer, _ log: HostLog?, patience: Duration?) {
        (self.host, self.server, self.log, self.patience) = (host, server, log, patience)
    }

    /// How long a profile with auto-lock stays open when nobody does or looks at anything.
    private static let lockPatience = Duration.seconds(300)

    func run(_ signals: Signals) async {
        var lastUse = ContinuousClock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            log?.tidy()
            await server.lockIfIdle(for: Self.lockPatience)
            if await isUsed() { lastUse = .now }
            guard let patience, .now - lastUse >= patience else { continue }
            log?.write("nobody is attached, and nothing goes on")
            return signals.raise()
        }
    }

    private func isUsed() async -> Bool {
        if await server.count > 0 { return true }
        return await host.read(\.hasSomethingLasting)
    }
}

extension AppState {
    /// Whether something goes on that would end with the process: a link with somebody, waiting for who has a code, a request to a
    /// server, a shared note, an app, the turn of an agent.
    ///
    /// Looking for people who are not there does not count: it would never end.
    fileprivate var hasSomethingLasting: Bool {
        rooms.contains { room in
            switch room.live.link {
            case .closed, .connecting, .waitingForPeer: room.status == .pending
            case .verifying, .connected, .reconnecting: true
            }
        }
            || pendingEffects.contains { kind in
                switch kind {
                case .createRoom, .joinRoom, .shareNote, .installApp, .startApp, .setPassphrase, .eraseAll,
                    .deleteRooms:
                    true
                default: false
                }
            } || apps.components.contains(where: \.isRunning) || talks.byID.values.contains { $0.session.isInTurn }
    }
}
