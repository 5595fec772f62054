import AppCore
import Foundation

/// `alcove sim replay`
struct SimulatorReplayCommand: Command {
    static let reference = CommandReference(
        "sim replay", "FILE [--until N] [--step]",
        "play a trace, a recording, or the recorded run of an app again, whole, up to a step, or step by step",
        takes: .one("FILE"),
        options: SimulatorConnection.options + [
            .value("core", "LIBRARY", "play it on a core of your own: a library that speaks the C ABI"),
            .value("until", "N", "stop after so many steps"),
            .flag("step", "show every step: what happened, what it asked for, and the screen; Enter goes on"),
        ],
        examples: [
            "alcove sim replay alcove-report.json --step", "alcove sim replay trace.json --until 20",
            "alcove sim replay runs/1-commands.mjs.run --step",
        ])

    private let arguments: Arguments
    private let file: String
    private let until: Int?

    init(arguments: Arguments) throws {
        file = arguments.operands[0]
        until = try arguments.integer("until", in: 0...1_000_000)
        self.arguments = arguments
    }

    func run() async throws {
        if let recorded = try RecordedRun(detecting: file) {
            if arguments.has("step") || until != nil { recorded.show(until: until) }
            return try await recorded.replay(asJSON: arguments.has("json"))
        }
        let trace = try TraceFile.read(file)
        let simulator = try SimulatorAsker(own: SimulatorOptions(scenario: "first_run", core: arguments["core"]))
        guard arguments.has("step") else {
            let played = try await simulator.ask("replay", parameters(trace, until))
            try check(played)
            return try await show(played, simulator)
        }
        var played = try await simulator.ask("replay", parameters(trace, 0))
        try check(played)
        let last = until.map(Int64.init) ?? played["total"]?.integer ?? 0
        try await show(played, simulator)
        while (played["seq"]?.integer ?? last) < last {
            if Terminal.isInteractive, isatty(STDIN_FILENO) == 1, readLine() == nil { return }
            played = try await simulator.ask("step")
            try await show(played, simulator)
        }
    }

    /// A person who plays a trace wants to see something happen.
    private func check(_ played: JSONValue) throws {
        guard played["total"]?.integer ?? 0 > 0 else {
            throw CommandFailure("\(file) has no steps: nothing was done while it was recorded", .dataError)
        }
    }

    private func parameters(_ trace: JSONValue, _ until: Int?) -> [String: JSONValue] {
        var parameters = ["trace": trace]
        if let until { parameters["until"] = .integer(Int64(until)) }
        return parameters
    }

    private func show(_ played: JSONValue, _ simulator: SimulatorAsker) async throws {
        if arguments.has("json") { return try Terminal.print(played, onOneLine: true) }
        let (seq, total) = (played["seq"]?.integer ?? 0, played["total"]?.integer ?? 0)
        var lines = ["step \(seq) of \(total)"]
        if let action = played["transition"]?["action"] {
            lines.append("happened: " + String(decoding: try JSON.encode(action).prefix(400), as: UTF8.self))
        }
        let effects = played["transition"]?["effects"]?.array ?? []
        for effect in effects {
            lines.append("asked for: " + String(decoding: try JSON.encode(effect).prefix(400), as: UTF8.self))
        }
        let screen = try await simulator.ask("render")["output"]?.string ?? ""
        Terminal.print("\(.lines(lines))\n\(.text(screen))\n")
    }
}

/// `alcove sim export-replay`
struct SimulatorExportCommand: Command {
    static let reference = CommandReference(
        "sim export-replay", "[FILE]",
        "write what happened in the running simulator as a trace",
        takes: .optional("at most one FILE"),
        options: SimulatorConnection.options + [.value("name", "NAME", "what the trace is called")],
        examples: ["alcove sim export-replay golden.json && alcove sim assert-replay golden.json"])

    let arguments: Arguments
    private var file: String? { arguments.operands.first }

    func run() async throws {
        let parameters = arguments["name"].map { ["name": JSONValue.string($0)] } ?? [:]
        let trace = try await SimulatorAsker(running: arguments).ask("export_replay", parameters)
        guard let file else { return try Terminal.print(trace, onOneLine: arguments.has("json")) }
        try OutputFile.write(JSON.encode(trace), to: file, forOwnerOnly: true)
    }
}

/// `alcove sim assert-replay`
struct SimulatorAssertReplayCommand: Command {
    static let reference = CommandReference(
        "sim assert-replay", "FILE [--live]",
        "fail unless a trace, or the recorded run of an app, plays as it says; with --live, also unless a trace is what happened in the simulator",
        takes: .one("FILE"),
        options: SimulatorConnection.options + [
            .value("core", "LIBRARY", "play it on a core of your own: a library that speaks the C ABI"),
            .flag("live", "compare it with the running simulator too"),
        ],
        examples: ["alcove sim assert-replay golden.json", "alcove sim assert-replay golden.json --live"])

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    func run() async throws {
        if !arguments.has("live"), let recorded = try RecordedRun(detecting: file) {
            return try await recorded.replay(asJSON: arguments.has("json"))
        }
        let trace = try TraceFile.read(file)
        let result: JSONValue
        if arguments.has("live") {
            result = try await SimulatorAsker(running: arguments).ask("assert_replay", ["trace": trace])
        } else {
            let own = try SimulatorAsker(own: SimulatorOptions(scenario: "first_run", core: arguments["core"]))
            _ = try await own.ask("replay", ["trace": trace])
            result = try await own.ask("assert_replay", ["trace": trace])
        }
        try Terminal.print(result, onOneLine: arguments.has("json"))
    }
}

/// `alcove sim walk`
struct SimulatorWalkCommand: Command {
    static let reference = CommandReference(
        "sim walk", "[--steps N] [--seed N]",
        "tap at random in a world that answers at random, and check what must always hold",
        options: [
            .value("steps", "N", "how many steps (default 100000)"),
            .value("seed", "N", "which of the many walks (default 0); each is the same every time"),
            .value("core", "LIBRARY", "walk on a core of your own: a library that speaks the C ABI"),
            .value("output", "FILE", "where the trace of a finding goes (default walk-SEED.json)"),
            .flag("json", "print the result as one line of JSON"),
        ],
        examples: ["alcove sim walk --steps 1000000", "alcove sim walk --seed 7 && echo nothing found"])

    private let arguments: Arguments
    private let steps: Int

    init(arguments: Arguments) throws {
        steps = try arguments.integer("steps", in: 1...1_000_000_000) ?? 100_000
        self.arguments = arguments
    }

    func run() async throws {
        let options = try SimulatorOptions(scenario: "first_run", core: arguments["core"])
        let seed = try arguments.integer("seed", in: 0...Int.max) ?? 0
        let simulator = try SimulatorAsker(own: options)
        var done = 0
        var fingerprint = JSONValue.null
        // A segment has a seed of its own, so that a finding is found again without the segments before it.
        for segment in 0... {
            guard done < steps else { break }
            let count = min(steps - done, 100_000)
            let result = try await simulator.ask(
                "walk", ["steps": .integer(Int64(count)), "seed": .integer(Int64(clamping: seed &+ segment))])
            guard let finding = result["finding"]?.string else {
                done += count
                fingerprint = result["fingerprint"] ?? .null
                if Terminal.isInteractive { Terminal.show("\r\(done) of \(steps) steps") }
                continue
            }
            let file = arguments["output"] ?? "walk-\(seed &+ segment).json"
            try OutputFile.write(JSON.encode(result["trace"] ?? .null), to: file)
            throw CommandFailure("\(finding)\nSee it: alcove sim replay \(file) --step", .dataError)
        }
        let summary = JSONValue.object([
            "steps": .integer(Int64(done)), "seed": .integer(Int64(seed)), "finding": .null,
            "fingerprint": fingerprint,
        ])
        if arguments.has("json") { return try Terminal.print(summary, onOneLine: true) }
        Terminal.print("\(Terminal.isInteractive ? ("\r" as TerminalText) : "")\(done) steps, nothing found")
    }
}
