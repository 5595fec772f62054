import AppPacks
import Apps
import Components
import Foundation

/// `alcove app run`
struct AppRunCommand: Command {
    static let reference = CommandReference(
        "app run", "NAME [COMMAND [WORD…]]",
        "run an app, or one of its commands, until it ends or Control-C",
        takes: .some(1...100, "alcove app run NAME, and perhaps a command of the app with its words"),
        options: AppOptions.all + [
            .value("component", "PATH", "run only this component, for example /main.mjs"),
            .value(
                "record", "DIR", "write down each component's run there, for alcove app replay: with all that it sees"),
            AppOptions.jsonLines,
        ] + AppOptions.running,
        examples: [
            "alcove app run feed-reader add https://example.org/feed.xml",
            "alcove app run checklist add shopping lemons",
        ])

    let arguments: Arguments
    private var words: [String] { arguments.operands }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(words[0], in: library)
        let signals = await Signals()
        // Another alcove that is about to end starts nothing any more; after it, this one runs the apps.
        while try await !run(app, of: library, until: signals) {}
    }

    /// Runs it here, or in the alcove that runs already.
    /// - Returns: false if that one has ended before it began.
    private func run(_ app: InstalledApp, of library: AppLibrary, until signals: Signals) async throws -> Bool {
        let runtime = try AppRuntime.open(arguments, library)
        if runtime.platform == nil, arguments.has("in-process") || arguments["record"] != nil {
            throw CommandFailure(
                "another alcove runs the apps of this profile; end it to use --in-process or --record",
                .temporaryFailure)
        }
        let reports = runtime.platform?.reports()
        let wishes = Task { if let reports { await AppPrompts().show(reports) } }
        let request = AppControlRequest.run(
            app: app.domain.name, component: arguments["component"], command: words.count > 1 ? words[1] : nil,
            parameters: Array(words.dropFirst(2)))
        let outcome: Result<Follower.Outcome, any Error>
        do {
            outcome = .success(
                try await Follower(
                    control: runtime.control, app: app.domain.name,
                    denials: LogTail(path: library.denialsFile(of: app.domain)), printsJSON: arguments.has("json")
                ).run(request, until: signals))
        } catch {
            outcome = .failure(error)
        }
        if case .failure(let failure as AppFailure) = outcome, failure.code == .closing, runtime.platform == nil,
            await KeepAlive(signals: signals).outlives(runtime, atMost: KeepAlive.patience)
        {
            wishes.cancel()
            return false
        }
        let failure = failure(of: outcome)
        // At once, and not when the others are done.
        if let failure, !failure.explanation.isEmpty { Terminal.complain(of: failure.explanation) }
        await runtime.waitForClients(until: signals)
        await runtime.close()
        await wishes.value
        if let failure { throw CommandFailure("", failure.code) }
        return true
    }

    private func failure(of outcome: Result<Follower.Outcome, any Error>) -> CommandFailure? {
        switch outcome {
        case .success(.interrupted), .success(.ended(nil, false)): nil
        case .success(.ended(nil, true)): CommandFailure("", .failure)
        case .success(.ended(let problem?, _)):
            CommandFailure("\(words[0]) \(problem)", .failure)
        case .failure(let failure as AppFailure): CommandFailure(failure)
        case .failure(let error): CommandFailure(ErrorWords.sentence(error), .software)
        }
    }
}

/// Starts something and prints what it says.
struct Follower {
    enum Outcome {
        /// It ended: with a problem, and whether it said that something went wrong.
        case ended(problem: String?, complained: Bool)
        case interrupted
    }

    let control: any AppControl
    let app: String
    /// What was denied to any component of the app.
    let denials: LogTail
    let printsJSON: Bool

    func run(_ request: AppControlRequest, until signals: Signals) async throws -> Outcome {
        var denials = denials
        _ = denials.more()
        guard let reply = try await control.ask(request, until: signals) else { return .interrupted }
        guard case .started(let instance, let component) = reply else {
            throw AppFailure(.unavailable, "this is another version of alcove; end the other one")
        }
        let outcome = try await follow(instance, until: signals)
        if case .ended(let problem, let complained) = outcome, problem != nil || complained {
            // The component prints its own. What it called rarely says which permission it lacked.
            let others = denials.more().map(AppLogsCommand.Entry.init).filter { $0.component != component }
            for text in Set(others.map(\.text)).sorted() { Terminal.complain(of: text) }
        }
        return outcome
    }

    private func follow(_ instance: UInt64, until signals: Signals) async throws -> Outcome {
        let reading = Task { try await read(instance) }
        let interrupt = Task {
            await signals.wait()
            guard !Task.isCancelled else { return }
            reading.cancel()
            await stop(instance, until: signals)
        }
        defer { interrupt.cancel() }
        let outcome = await reading.result
        guard reading.isCancelled else { return try outcome.get() }
        await interrupt.value
        return .interrupted
    }

    private func stop(_ instance: UInt64, until signals: Signals) async {
        do {
            guard try await control.ask(.stop(app: app, instance: instance), until: signals) == nil else { return }
            Terminal.complain("the alcove that runs \(app) does not answer; it may go on there")
        } catch {
            // That alcove has ended, and what it ran with it.
        }
    }

    private func read(_ instance: UInt64) async throws -> Outcome {
        var next = 0
        var complained = false
        while true {
            guard
                case .printed(let lines, let following, let end) = try await control.ask(
                    .follow(instance: instance, from: next))
            else { throw AppFailure(.unavailable, "this is another version of alcove; end the other one") }
            for line in lines {
                complained = complained || line.level == .error
                try print(line)
            }
            next = following
            if let end { return .ended(problem: end.isOrderly ? nil : end.text, complained: complained) }
            try Task.checkCancellation()
        }
    }

    private func print(_ line: PrintedLine) throws {
        if printsJSON { return try Terminal.print(json: line) }
        switch line.level {
        case .info: Terminal.print(.text(line.text))
        default: Terminal.log("\(line.level.rawValue): \(.text(line.text, margin: "  "))")
        }
    }
}
