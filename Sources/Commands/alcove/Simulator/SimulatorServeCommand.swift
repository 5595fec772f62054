import AppCore
import ForeignCore
import Foundation
import Networking
import Scenarios
import Simulator

/// What every command takes that begins a simulator of its own.
struct SimulatorOptions {
    static let all: [Arguments.Option] = [
        .value(
            "scenario", "NAME|FILE", "the situation to begin with (default first_run; alcove sim scenarios lists them)"),
        .value("seed", "N", "of everything that the world leaves to chance (default 0)"),
        .value("core", "LIBRARY", "a core of your own: a library that speaks the C ABI (docs/c-abi.md)"),
    ]

    let scenario: Scenario
    let seed: UInt64
    let core: String?
    /// Where a core of the earlier shape begins, which has scenarios of its own.
    private var jcodeScenario: String?

    init(scenario: String, core: String? = nil) throws {
        self.scenario = try Self.scenario(scenario)
        self.core = core
        seed = 0
    }

    init(_ arguments: Arguments) throws {
        let name = arguments["scenario"]
        if let name, let core = arguments["core"], try Self.isOfEarlierShape(core) {
            (scenario, jcodeScenario) = (try Self.scenario("first_run"), name)
        } else {
            scenario = try Self.scenario(name ?? "first_run")
        }
        guard let seed = UInt64(arguments["seed"] ?? "0") else { throw UsageError("--seed takes a whole number") }
        self.seed = seed
        core = arguments["core"]
    }

    /// A scenario by its name, or from a file.
    static func scenario(_ text: String) throws -> Scenario {
        do {
            guard text.hasSuffix(".json") || text.contains("/") else { return try Scenario.named(text) }
            guard let file = FileManager.default.contents(atPath: text) else {
                throw CommandFailure("\(text) cannot be read", .noInput)
            }
            let name = URL(filePath: text).deletingPathExtension().lastPathComponent
            return try Scenario(name: name, json: file)
        } catch let error as ScenarioError {
            throw CommandFailure("\(error)", .dataError)
        }
    }

    private static func isOfEarlierShape(_ library: String) throws -> Bool {
        do { return try ForeignCore(library: library).dialect == .jcode } catch {
            throw CommandFailure(error.message, .unavailable)
        }
    }

    func simulator(socket: String? = nil) throws -> Simulator {
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        do {
            return try Simulator(
                core: core.map { .library(path: $0) } ?? .builtIn, scenario: scenario,
                jcodeScenario: jcodeScenario ?? "onboarding", seed: seed, socketPath: socket, startedAt: now)
        } catch let error as SimulatorError {
            throw CommandFailure(error.message, .dataError)
        } catch let error as ForeignCoreError {
            throw CommandFailure(error.message, .unavailable)
        }
    }
}

/// `alcove sim serve`
struct SimulatorServeCommand: Command {
    static let reference = CommandReference(
        "sim serve", "[--socket PATH] [--scenario NAME|FILE]",
        "run the simulator until it is shut down",
        options: SimulatorConnection.options + SimulatorOptions.all + [
            .flag("detached", "leave the terminal: alcove sim start uses this")
        ],
        examples: [
            "alcove sim serve", "alcove sim serve --scenario verified_chat --socket /tmp/sim.sock",
            "alcove sim serve --core ./libother_core.so",
        ])

    private let path: String
    private let options: SimulatorOptions
    private let json: Bool

    init(arguments: Arguments) throws {
        path = SimulatorConnection.path(arguments)
        options = try SimulatorOptions(arguments)
        json = arguments.has("json")
        if arguments.has("detached") { setsid() }
    }

    func run() async throws {
        let signals = await Signals()
        let simulator = try options.simulator(socket: path)
        let tooLong = SimulatorError(
            .badRequest,
            "This line is longer than 16 MiB. Play a long trace from its file: alcove sim replay FILE")
        let refusal = (try? JSON.encode(Response(id: .null, tooLong))) ?? []
        let page = SimulatedPage(simulator)
        let server = LineServer(path: path, refusal: refusal) { [end = signals.raise] line in
            let wish = try? JSON.decode(Request.self, from: line)
            let response =
                if let wish, wish.method == "page" { await page.answer(wish) } else {
                    await simulator.answer(line: line)
                }
            if await simulator.isShutDown { end() }
            // A response is made of JSON already, and its numbers are finite.
            return (try? JSON.encode(response)) ?? Array(#"{"id":null,"ok":false,"error":"not to be written"}"#.utf8)
        }
        do { try server.start() } catch { throw CommandFailure(error.message, .unavailable) }
        if json {
            try Terminal.print(json: ["socket_path": path])
        } else {
            Terminal.print("simulator: \(path)  (see it: alcove sim view; end it: alcove sim shutdown, or Control-C)")
        }
        await signals.wait()
        await server.stop()
        await page.stop()
    }
}

/// `alcove sim start`
struct SimulatorStartCommand: Command {
    static let reference = CommandReference(
        "sim start", "[--socket PATH] [--scenario NAME|FILE]",
        "begin a simulator in the background, and return when it answers",
        options: SimulatorConnection.options + SimulatorOptions.all,
        examples: ["alcove sim start --scenario room_waiting && alcove sim tree"])

    private let arguments: Arguments
    private let path: String

    init(arguments: Arguments) throws {
        self.arguments = arguments
        path = SimulatorConnection.path(arguments)
        // What is wrong with the options is said here, not in the background.
        _ = try SimulatorOptions(arguments)
    }

    func run() async throws {
        if let running = try? SimulatorConnection(path: path) {
            _ = try await running.ask("status")
            throw CommandFailure(
                "a simulator listens at \(path) already; end it with: alcove sim shutdown", .unavailable)
        }
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            ["sim", "serve", "--detached", "--socket", path]
            + ["scenario", "seed", "core"].flatMap { name in arguments[name].map { ["--" + name, $0] } ?? [] }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<100 {
            if let connection = try? SimulatorConnection(path: path) {
                let status = try await connection.ask("status")
                return try Terminal.print(status, onOneLine: arguments.has("json"))
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure("the simulator did not begin; see why with: alcove sim serve", .unavailable)
    }
}
