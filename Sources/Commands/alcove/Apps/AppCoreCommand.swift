import AppPacks
import Apps
import ComponentRuntime
import Components
import ExternalCore
import Foundation
import Host
import HostFunctions
import Networking
import Sandbox
import Synchronization
import Wire

/// `alcove app core`
struct AppCoreCommand: Command {
    static let reference = CommandReference(
        "app core", "[--bundle FILE] [--sign-in ADDRESS]",
        "run a core library of 3NWeb that you have, in place of the built-in core",
        options: AppOptions.all + [
            .value("bundle", "FILE", "the library, bundled into one classic script"),
            .value("assets", "DIR", "the folder with the bundled apps of that platform"),
            .value("sign-in", "ADDRESS", "sign in, with the passphrase that is asked for"),
            .value("open", "DOMAIN", "open an app after that; repeatable"), AppOptions.jsonLines,
        ] + PassphrasePrompt.options + AppOptions.running,
        examples: [
            "alcove app core --bundle core.js",
            "alcove app core --bundle core.js --sign-in ann@example.org --open chat.app.example.org",
        ])

    let arguments: Arguments

    func run() async throws {
        guard let path = arguments["bundle"] else {
            let sentence: TerminalText = """
                Apps run on the built-in core: no account, no server.
                alcove app core --bundle FILE runs a core library of 3NWeb that you have.
                """
            return try CommandResult(sentence, json: ["core": "built-in"]).show(arguments)
        }
        do {
            try await run(CoreBundle(path: path))
        } catch let error as CoreError {
            throw CommandFailure(error.message, error.code == .invalidBundle ? .dataError : .failure)
        } catch let error as ComponentError {
            throw CommandFailure(error.message, .unavailable)
        }
    }

    private func run(_ bundle: CoreBundle) async throws {
        let signals = await Signals()
        // The end of the core, or its wish for that.
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let say: CoreWindow.Say = { [arguments] sentence, event in
            // Strings have no value that JSON cannot express.
            _ = try? CommandResult(sentence, json: event).show(arguments)
        }
        let window = CoreWindow(address: arguments["sign-in"], passphrase: try passphrase(), say: say)
        let session = CoreSession(windows: window.windows, components: try AppRuntime.sandbox(arguments)) { event in
            switch event {
            case .console(_, let text), .uncaught(let text), .ignored(let text):
                Terminal.log("core: \(text)")
            case .ended(.stopped): ending.finish()
            case .ended(let end):
                Terminal.complain("the core ended: \(end)")
                ending.finish()
            }
        }
        // A core that does not come up hears nothing. Its context ends with this process.
        let interrupt = Task {
            await signals.wait()
            if signals.haveCome { ProgramEnd.now(.success) }
        }
        defer { interrupt.cancel() }
        try await session.start(bundle, configuration { ending.finish() })
        interrupt.cancel()
        say("the core is up", ["event": "up"])
        await window.enter(session)
        for app in arguments.all("open") { await session.open(app) }
        await withTaskGroup { group in
            group.addTask { await signals.wait() }
            group.addTask { for await _ in end {} }
            await group.next()
            group.cancelAll()
        }
        await session.stop()
        if let problem = await window.problem { throw CommandFailure(problem, .noPermission) }
    }

    private func passphrase() throws -> String? {
        guard arguments["sign-in"] != nil else { return nil }
        return try PassphrasePrompt.ask("Passphrase", file: arguments["passphrase-file"])
    }

    /// The core's own folder in the profile, with its files and the keys of this device.
    private func configuration(exit: @escaping @Sendable () -> Void) throws -> CoreConfiguration {
        var configuration = try CoreConfiguration(
            folder: AppOptions.library(arguments).path + "/core",
            showError: { title, content in
                Terminal.complain("\(title): \(content)")
            },
            exit: exit)
        if let assets = arguments["assets"] {
            configuration.assets = HostAssets(packs: assets + "/bundled-app-packs", apps: assets + "/bundled-apps")
        }
        if let file = arguments["tls-ca"] { configuration.trust = .authorities(path: file) }
        return configuration
    }
}

/// What stands in for windows in a terminal: says which are wanted, and signs in by what the startup window would do.
actor CoreWindow {
    private let address: String?
    private let passphrase: String?
    private let say: Say
    private weak var session: CoreSession?
    private(set) var problem: String?

    /// Prints what happens: a sentence for a person, or its members for a script.
    typealias Say = @Sendable (_ sentence: TerminalText, _ event: [String: String]) -> Void

    init(address: String?, passphrase: String?, say: @escaping Say) {
        self.address = address
        self.passphrase = passphrase
        self.say = say
    }

    nonisolated var windows: CoreWindows {
        CoreWindows(
            show: { connector, app, entrypoint in await self.show(connector, app, entrypoint) },
            focus: { _ in },
            close: { connector in
                self.say("the core closes window \(connector)", ["event": "window_closed", "window": "\(connector)"])
            })
    }

    /// Begins: the startup app is what the core shows first.
    func enter(_ session: CoreSession) async {
        self.session = session
        await session.open(await session.boot.apps.startup)
    }

    private func show(_ connector: String, _ app: String, _ entrypoint: String) async {
        guard let session, await app == session.boot.apps.startup else {
            return say(
                "the core wants to show \((app + entrypoint)); there is no display of windows yet",
                ["event": "window_wanted", "app": app, "entrypoint": entrypoint])
        }
        guard let address, let passphrase else {
            return say(
                "nobody is signed in: alcove app core --bundle FILE --sign-in ADDRESS", ["event": "sign_in_wanted"])
        }
        do {
            try await CoreSignIn(session, connector).signIn(address, passphrase)
            say("signed in as \(address)", ["event": "signed_in", "address": address])
        } catch {
            problem = ErrorWords.sentence(error)
            await session.stop()
        }
    }
}

/// Signs in over the connector of the startup app, as its page would: `w3n.signIn`.
struct CoreSignIn {
    private let connection: ObjectConnection

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    init(_ session: CoreSession, _ connector: String) async throws {
        let pipe = PendingPipe()
        let connection = ObjectConnection(root: nil) { pipe.send($0) }
        self.connection = connection
        pipe.open(try await session.attach(connector) { connection.receive($0) })
    }

    func signIn(_ address: String, _ passphrase: String) async throws {
        let known = try await connection.call(["w3n", "signIn", "getUsersOnDisk"], values: [])
        if case .array(let users) = known.json, users.contains(.string(address)) {
            guard try await decision("useExistingStorage", [.string(address), .string(passphrase)]) else {
                throw Refused(description: "the passphrase is wrong")
            }
            return
        }
        guard
            try await connection.call(["w3n", "signIn", "startLoginToRemoteStorage"], values: [.string(address)]).bool
                == true
        else { throw Refused(description: "the server does not know \(address)") }
        guard try await decision("completeLoginAndLocalSetup", [.string(passphrase)]) else {
            throw Refused(description: "the passphrase is wrong")
        }
    }

    /// A call that tells its progress in percent, and then whether it worked.
    private func decision(_ function: String, _ arguments: [IPCValue]) async throws -> Bool {
        var result = false
        for try await value in connection.observe(["w3n", "signIn", function], arguments.body) {
            let value = try IPCValue(reply: value[...])
            if let decided = value.bool ?? value.object.flatMap(Self.decided) { result = decided }
            if let percent = value.integer ?? value.object?["p"].flatMap(Self.percent) { Terminal.log("\(percent) %") }
        }
        return result
    }

    private static func decided(_ object: JSONObject) -> Bool? {
        if case .bool(let decided) = object["decrResult"] { decided } else { nil }
    }

    private static func percent(_ value: JSONValue) -> Int? {
        if case .number(let spelling) = value { Int(spelling) } else { nil }
    }
}

/// Keeps what is said before the connector is attached.
private final class PendingPipe: Sendable {
    private let state = Mutex<(connector: CoreConnector?, waiting: [[UInt8]])>((nil, []))

    func send(_ bytes: [UInt8]) {
        let connector = state.withLock { state -> CoreConnector? in
            if state.connector == nil { state.waiting.append(bytes) }
            return state.connector
        }
        connector?.send(bytes)
    }

    func open(_ connector: CoreConnector) {
        let waiting = state.withLock { state in
            state.connector = connector
            defer { state.waiting = [] }
            return state.waiting
        }
        for bytes in waiting { connector.send(bytes) }
    }
}
