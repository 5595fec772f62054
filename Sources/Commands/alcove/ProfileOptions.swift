import AppCore
import Catalogues
import Cryptography
import DataChannels
import Foundation
import Host
import Notifications
import Rooms

/// The options that every command with a profile takes, and the host they describe.
enum ProfileOptions {
    static let all: [Arguments.Option] =
        [profile] + PassphrasePrompt.options + debugging

    /// The same words on every machine, because manual pages are made of them.
    static let profile = Arguments.Option.value(
        "profile", "DIR", "the folder of the profile (default ~/.local/share/alcove; XDG_DATA_HOME moves it)")

    #if DEBUG
    private static let debugging: [Arguments.Option] = [
        .value("scenario", "NAME", "debug builds only: fill a new profile with what a scenario leaves on the disk")
    ]
    #else
    private static let debugging: [Arguments.Option] = []
    #endif

    static let network: [Arguments.Option] = [
        .value("server", "URL", "the rendezvous server (default: settings.json, else \(Settings.defaultServer))"),
        .value(
            "ice-server", "URL", "a STUN or TURN server, as stun:HOST:PORT or turn:USER:PASSWORD@HOST:PORT; repeatable"),
        .flag("relay-only", "talk only through TURN, so that the other side does not learn this address"),
        .value("bind", "ADDRESS", "use only this local address; repeatable"),
        .value("tls-ca", "FILE", "PEM file with the authorities to check the server's certificate against"),
        .value("core", "LIBRARY", "carry a core of another language: a library that speaks the C ABI (docs/c-abi.md)"),
        .value("record", "FILE", "write every step there, with all that is said, for alcove sim replay"),
    ]

    /// For commands that talk to other people, and would keep others from the profile meanwhile.
    static let conversation =
        network + [.flag("no-host", "start no host process: if none runs, hold the profile in this process")]

    /// Opens the host that the options describe, for others to unlock.
    /// - Parameter key: opens the profile, if the process before this one handed it over.
    static func host(
        _ arguments: Arguments, handedOver key: SecretBytes?, openPage: (@Sendable () -> Bool)? = nil
    ) async throws -> AppHost {
        do { return try await ownHost(arguments, handedOver: key, openPage: openPage) } catch let error as ProfileError
        {
            throw await failure(error)
        }
    }

    /// Uses the host process of the profile if one runs, else a host in this process for as long as this lasts.
    /// - Parameters:
    ///   - startsHost: has a host process started if none runs, unless the person does not want one.
    ///   - unlocks: without it a profile with a passphrase stays locked, and nobody is asked.
    ///   - front: whether a person looks, so that the host process does not lock itself.
    ///   - hearsOfMove: see ``HostStart``.
    static func attached<Value>(
        _ arguments: Arguments, startsHost: Bool = false, unlocks: Bool = true, front: Bool = true,
        hearsOfMove: @escaping @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in },
        _ body: (any ProfileHost) async throws -> Value
    ) async throws -> Value {
        let start = startsHost && !arguments.has("no-host") ? HostStart(arguments, hearsOfMove: hearsOfMove) : nil
        return try await using(attachedHost(arguments, start, front: front), arguments, unlocks: unlocks, body)
    }

    /// Lends a host, open, and ends the use of it whatever happens.
    static func using<Value>(
        _ host: any ProfileHost, _ arguments: Arguments, unlocks: Bool = true,
        _ body: (any ProfileHost) async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            if unlocks {
                _ = try await unlock(host, arguments)
                if let own = host as? AppHost { try await configure(own, arguments) }
            }
            result = .success(try await body(host))
        } catch { result = .failure(error) }
        await host.stop()
        return try result.get()
    }

    /// How long a command waits for another one that has the profile for a moment.
    private static let patience = Duration.seconds(3)

    private static func attachedHost(
        _ arguments: Arguments, _ start: HostStart?, front: Bool
    ) async throws -> any ProfileHost {
        let deadline = ContinuousClock.now + patience
        while true {
            if let host = try await hostProcess(arguments, front: front) {
                return await start?.guarded(host) ?? host
            }
            if let start { return try await start.host(front: front) }
            do { return try await ownHost(arguments) } catch let error as ProfileError {
                guard case .inUse = error, .now < deadline else { throw await failure(error) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Why the profile cannot be used, and who has it that this command needs for itself.
    static func failure(_ error: ProfileError) async -> CommandFailure {
        guard case .inUse(let path) = error else { return CommandFailure("\(error)", .cannotCreate) }
        guard let host = try? await RemoteHost(profile: path, front: false) else {
            return CommandFailure("\(error)", .temporaryFailure)
        }
        await host.stop()
        return CommandFailure(
            "the host process has the profile \(path), and this command needs it for itself; end it with alcove host stop",
            .temporaryFailure)
    }

    /// The host process of the profile; `nil` if none runs.
    static func hostProcess(_ arguments: Arguments, front: Bool = true) async throws -> RemoteHost? {
        let host: RemoteHost
        do {
            host = try await RemoteHost(profile: path(arguments), front: front, options: hostOptions(arguments))
        } catch let error as AttachError {
            throw HostEnd.failure(error)
        } catch { return nil }
        guard let option = host.differing.first else { return host }
        // One that only waits for its end makes way for another with these options.
        if try await host.status()["spare"]?.bool == true {
            await host.endHost()
            await host.stop()
            return nil
        }
        await host.stop()
        throw CommandFailure(
            "the host process of this profile runs with another --\(option); end it with alcove host stop, or leave the"
                + " option out", .usage)
    }

    /// The folder of the profile.
    static func path(_ arguments: Arguments) -> String { arguments["profile"] ?? ProfileDirectory.standardPath }

    /// What the command line says about a host process, with whole paths: to start one, and to compare it with one that runs.
    static func hostOptions(_ arguments: Arguments) -> [String: [String]] {
        var options: [String: [String]] = [:]
        for name in ["server", "ice-server", "bind", "as", "scenario"] { options[name] = arguments.all(name) }
        for name in ["tls-ca", "core", "record", "dir"] { options[name] = arguments.all(name).map(absolute) }
        if arguments.has("relay-only") { options["relay-only"] = [""] }
        return options.filter { !$0.value.isEmpty }
    }

    /// A path that means the same in another folder.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// What a host process with these options runs with, the settings file included.
    static func runningOptions(_ arguments: Arguments) throws -> [String: [String]] {
        let settings = try settings(arguments, profile: path(arguments))
        var options = hostOptions(arguments)
        if let addresses = settings.bindAddresses { options["bind"] = addresses }
        if settings.relayOnly == true { options["relay-only"] = [""] }
        return options
    }

    /// Opens the host that the options describe, unlocks it, and gives it the settings.
    /// - Returns: the passphrase that opened it, too.
    static func openedHost(_ arguments: Arguments) async throws -> (host: AppHost, passphrase: String?) {
        let host = try await host(arguments, handedOver: nil)
        let passphrase = try await unlock(host, arguments)
        try await configure(host, arguments)
        return (host, passphrase)
    }

    /// A host in this process, as it starts.
    /// - Throws: ``ProfileError`` if the profile cannot be used.
    private static func ownHost(
        _ arguments: Arguments, handedOver key: SecretBytes? = nil, openPage: (@Sendable () -> Bool)? = nil
    ) async throws -> AppHost {
        let path = path(arguments)
        let settings = try settings(arguments, profile: path)
        #if DEBUG
        if let scenario = arguments["scenario"] { try fill(path, with: scenario) }
        #endif
        var configuration = HostConfiguration(
            profile: path,
            network: RoomsNetwork(
                relayOnly: settings.relayOnly ?? false, bindAddresses: settings.bindAddresses ?? [],
                certificateAuthorities: arguments["tls-ca"]),
            notesFolder: NoteOptions.folder(arguments),
            person: arguments["as"] ?? HostConfiguration.loginName, recording: arguments["record"],
            core: arguments["core"], handedOverKey: key)
        // A process in the background says it to the command that waits for it.
        if Terminal.showsProgress || arguments.has("log") {
            let progress = MoveProgress()
            configuration.tellOfMove = { progress.tell($0, of: $1) }
        }
        configuration.notifications = SystemNotifications.service()
        configuration.openPage = openPage
        configuration.supervisor = HostStart.program
        configuration.language = systemLanguage
        let host = try AppHost(configuration)
        await host.start()
        return host
    }

    /// The language of messages (POSIX, 8.2).
    private static var systemLanguage: String {
        let environment = ProcessInfo.processInfo.environment
        return ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "en"
    }

    /// Gives an unlocked host the settings of the file and of the command line.
    static func configure(_ host: AppHost, _ arguments: Arguments) async throws {
        let settings = try settings(arguments, profile: path(arguments))
        if let server = settings.server { try await set(.setServer(url: server), on: host) }
        var servers: [IceServer] = []
        for server in settings.iceServers ?? [] {
            var credential: SecretRef?
            if let secret = server.credential { credential = try await host.keep(secret: secret) }
            servers.append(IceServer(urls: server.urls, username: server.username, credential: credential))
        }
        try await set(.setIceServers(servers: servers), on: host)
    }

    /// Changes a setting, or stops the host and says why it cannot be changed.
    private static func set(_ setting: AppAction, on host: AppHost) async throws {
        let before = Set(await host.read { $0.notices.map(\.id) })
        await host.dispatch(.app(setting))
        // What a room says meanwhile is not about the setting.
        let problem = await host.read { state in
            state.notices.last { $0.kind == .problem && $0.room == nil && !before.contains($0.id) }?.sentence
        }
        guard let problem else { return }
        await host.stop()
        throw CommandFailure(problem, .usage)
    }

    #if DEBUG
    private static func fill(_ path: String, with scenario: String) throws {
        do { try AppHost.fill(profile: path, with: SimulatorOptions.scenario(scenario)) } catch let error
            as ProfileError
        {
            throw CommandFailure("\(error)", .cannotCreate)
        }
    }
    #endif

    /// Asks for the passphrase if the profile has one.
    static func unlock(_ host: any ProfileHost, _ arguments: Arguments) async throws -> String? {
        guard await host.read({ $0.lock.isLocked }) else { return nil }
        let passphrase = try PassphrasePrompt.ask("Passphrase", file: arguments["passphrase-file"])
        await host.dispatch(.app(.unlock(passphrase: try await host.hold(secret: passphrase))))
        let opened = await host.wait(upTo: .seconds(60)) { state -> Bool? in
            if !state.lock.isLocked { return true }
            return state.lock.attempt == nil ? false : nil
        }
        guard opened == true else {
            // Not from the tree, which is covered until somebody looks.
            let sentence = await host.read { $0.notices.last?.sentence }
            await host.stop()
            throw openingFailure(opened == nil ? nil : sentence)
        }
        return passphrase
    }

    /// Only an answer says that the passphrase is wrong.
    static func openingFailure(_ sentence: String?) -> CommandFailure {
        guard let sentence else {
            return CommandFailure("the profile could not be opened in time; try again", .temporaryFailure)
        }
        let isFull = sentence == Failure(.diskFull).passphraseSentence
        return CommandFailure(sentence, isFull ? .temporaryFailure : .noPermission)
    }

    /// The settings file, and over it what the command line says.
    private static func settings(_ arguments: Arguments, profile: String) throws -> NetworkSettings {
        var settings: NetworkSettings
        do {
            settings = try NetworkSettings(path: profile + "/settings.json")
        } catch {
            throw CommandFailure("\(error)", .configuration)
        }
        if let server = arguments["server"] { settings.server = server }
        if arguments.has("relay-only") { settings.relayOnly = true }
        let addresses = arguments.all("bind")
        if !addresses.isEmpty { settings.bindAddresses = addresses }
        let servers = try arguments.all("ice-server").map(WrittenICEServer.init(_:)).map(\.server)
        if !servers.isEmpty { settings.iceServers = servers }
        do { try settings.check() } catch { throw CommandFailure(error.message, .usage) }
        return settings
    }
}
