import AppPacks
import Apps
import Components
import Foundation
import Host

/// `alcove app startup`
struct AppStartupCommand: Command {
    static let reference = CommandReference(
        "app startup", "[NAME] [--once]",
        "start what apps want started with the system, and keep it running",
        takes: .optional("the name of an app, or none for all"),
        options: AppOptions.all + [
            .flag("once", "end after a while, as a timer of the system wants it"),
            .value("for", "TIME", "how long --once lasts (default 2m)"), AppOptions.jsonLines,
        ] + AppOptions.running,
        examples: ["alcove app startup", "alcove app startup feed-reader --once --for 5m"])

    private let arguments: Arguments
    private let name: String?
    private let length: Int

    init(arguments: Arguments) throws {
        name = arguments.operands.first
        guard let length = WrittenDuration.seconds(arguments["for"] ?? "2m") else {
            throw UsageError("--for takes a time such as 90s or 5m")
        }
        self.length = length
        self.arguments = arguments
    }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try name.map { try AppOptions.app($0, in: library) }
        let stay = KeepAlive(signals: await Signals(), length: arguments.has("once") ? .seconds(length) : nil)
        do {
            while try await open(library, app, stay) == .leftToUs {}
        } catch let failure as AppFailure {
            throw CommandFailure(failure)
        }
    }

    private enum Outcome {
        case over
        /// Another alcove ran the apps, and has ended.
        case leftToUs
    }

    /// Opens the runtime, or goes to that of another alcove, and stays there.
    private func open(_ library: AppLibrary, _ app: InstalledApp?, _ stay: KeepAlive) async throws -> Outcome {
        let runtime = try AppRuntime.open(arguments, library)
        let result: Result<Outcome, any Error>
        do { result = .success(try await start(app, on: runtime, stay)) } catch { result = .failure(error) }
        await runtime.waitForClients(until: stay.signals)
        await runtime.close()
        // Another alcove that is about to end takes no requests.
        if case .failure(let failure as AppFailure) = result, failure.code == .closing, runtime.platform == nil,
            await stay.outlives(runtime, atMost: KeepAlive.patience)
        {
            return .leftToUs
        }
        return try result.get()
    }

    private func start(_ app: InstalledApp?, on runtime: AppRuntime, _ stay: KeepAlive) async throws -> Outcome {
        let reports = runtime.platform?.reports()
        let request = AppControlRequest.startup(app: app?.domain.name)
        guard let reply = try await runtime.control.ask(request, until: stay.signals) else { return .over }
        guard case .startup(let outcome) = reply else {
            throw AppFailure(.unavailable, "this is another version of alcove; end the other one")
        }
        if outcome.running.isEmpty, let failure = outcome.failures.first {
            complain(of: outcome.failures.filter { $0 != failure })
            throw failure
        }
        guard !outcome.running.isEmpty else {
            Terminal.log("no app wants to be started with the system")
            return .over
        }
        complain(of: outcome.failures)
        for instance in outcome.running {
            if arguments.has("json") {
                try Terminal.print(json: instance)
            } else {
                Terminal.print("\(instance.app) \(instance.entrypoint)  \(AppDescription.state(instance.state))")
            }
        }
        guard let reports else {
            Terminal.log("they run in the alcove that runs already; this one goes on with them when that one ends")
            return await stay.outlives(runtime) ? .leftToUs : .over
        }
        let log = Task {
            // There is no person in front of it when a system timer started this.
            await tell(reports, AppPrompts(opensLinks: !arguments.has("once")))
        }
        defer { log.cancel() }
        await stay.untilOver()
        return .over
    }

    private func complain(of failures: [AppFailure]) {
        for failure in failures { Terminal.complain(of: CommandFailure(failure).explanation) }
    }

    private func tell(_ reports: AsyncStream<AppReport>, _ wishes: AppPrompts) async {
        for await report in reports {
            if case .logged(let app, let entry) = report {
                if entry.level != .info { Terminal.log("\(app): \(entry.text)") }
            } else {
                await wishes.show(report)
            }
        }
    }
}

/// `alcove app background`
struct AppBackgroundCommand: ReportingCommand {
    static let reference = CommandReference(
        "app background", "NAME foreground|push|periodic [--every TIME]",
        "choose how an app's services go on while nobody looks",
        takes: .some(2...2, "the name of an app, and foreground, push or periodic"),
        options: AppOptions.all + [.value("every", "TIME", "how often `periodic` wakes it (default 30m)")],
        examples: [
            "alcove app background feed-reader periodic --every 1h", "alcove app background feed-reader foreground",
        ])

    let arguments: Arguments
    private var words: [String] { arguments.operands }

    func result() async throws -> CommandResult {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(words[0], in: library)
        let strategy = try strategy()
        let scheduler = SystemScheduler.waking(
            profile: arguments["profile"] ?? ProfileDirectory.standardPath)
        if case .unavailable(let reason) = strategy.availability(scheduler: scheduler) {
            throw CommandFailure("\(words[1]) is not available: \(reason)", .unavailable)
        }
        do throws(AppFailure) {
            if case .periodic(let period) = strategy {
                try await scheduler?.schedule(app: app.domain.name, every: period)
                let seconds = period.components.seconds
                return CommandResult(
                    "\(app.domain) is woken every \(WrittenDuration.text(seconds: Int(seconds)))",
                    json: Line(app: app.domain.name, background: words[1], every: seconds))
            }
            try await scheduler?.cancel(app: app.domain.name)
            return CommandResult(
                "\(app.domain) works while `alcove app startup` or `alcove app run` does",
                json: Line(app: app.domain.name, background: words[1]))
        } catch {
            throw CommandFailure(error)
        }
    }

    private struct Line: Encodable {
        var app: String
        var background: String
        /// Seconds.
        var every: Int64?
    }

    private func strategy() throws -> BackgroundStrategy {
        switch words[1] {
        case "foreground": return .foregroundOnly
        case "push": return .wakeByPush
        case "periodic":
            guard let seconds = WrittenDuration.seconds(arguments["every"] ?? "30m") else {
                throw UsageError("--every takes a time such as 30m or 1h")
            }
            return .periodic(every: .seconds(seconds))
        default: throw UsageError("\(words[1]) is not foreground, push or periodic")
        }
    }
}
