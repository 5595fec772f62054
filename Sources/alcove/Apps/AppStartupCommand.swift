import AppPacks
import Apps
import Components
import Foundation
import Host

/// `alcove app startup`
struct AppStartupCommand: Command {
    static let name = "app startup"
    static let summary = "start what apps want started with the system, and keep it running"
    static let usage = "[NAME] [--once]"
    static let options =
        AppOptions.all + [
            .flag("once", "end after a while, as a timer of the system wants it"),
            .value("for", "TIME", "how long --once lasts (default 2m)"),
        ] + AppOptions.running
    static let examples = ["alcove app startup", "alcove app startup feed-reader --once --for 5m"]

    private let arguments: Arguments
    private let name: String?
    private let length: Int

    init(_ arguments: Arguments) throws {
        name = try arguments.operands(0...1, "the name of an app, or none for all").first
        guard let length = WrittenDuration.seconds(arguments["for"] ?? "2m") else {
            throw UsageError("--for takes a time such as 90s or 5m")
        }
        self.length = length
        self.arguments = arguments
    }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try name.map { try AppOptions.app($0, in: library) }
        let signals = await Signals()
        let stage = try AppStage.open(arguments, library)
        let result: Result<Void, any Error>
        do { result = .success(try await stay(stage, app, signals)) } catch { result = .failure(error) }
        await stage.close()
        do { try result.get() } catch let failure as AppFailure { throw CommandFailure(failure) }
    }

    private func stay(_ stage: AppStage, _ app: InstalledApp?, _ signals: Signals) async throws {
        let reports = stage.platform?.reports()
        guard case .status(let running) = try await stage.door.ask(.startup(app: app?.domain.name)) else { return }
        for instance in running {
            Terminal.print("\(instance.app) \(instance.entrypoint)  \(AppDescription.state(instance.state))")
        }
        guard !running.isEmpty else { return Terminal.log("no app wants to be started with the system") }
        guard stage.platform != nil else { return Terminal.log("they run in the alcove that runs already") }
        let log = Task {
            // Nobody looks when a timer of the system started this.
            if let reports { await tell(reports, AppWishes(opensLinks: !arguments.has("once"))) }
        }
        defer { log.cancel() }
        let end = Task {
            guard arguments.has("once") else { return }
            try await Task.sleep(for: .seconds(length))
            signals.raise()
        }
        await signals.wait()
        end.cancel()
    }

    private func tell(_ reports: AsyncStream<AppReport>, _ wishes: AppWishes) async {
        for await report in reports {
            if case .logged(let app, let entry) = report {
                if entry.level != .info { Terminal.log("\(app): \(AppLog.printable(entry.text))") }
            } else {
                await wishes.show(report)
            }
        }
    }
}

/// `alcove app background`
struct AppBackgroundCommand: Command {
    static let name = "app background"
    static let summary = "choose how an app's services go on while nobody looks"
    static let usage = "NAME foreground|push|periodic [--every TIME]"
    static let options = AppOptions.all + [.value("every", "TIME", "how often `periodic` wakes it (default 30m)")]
    static let examples = [
        "alcove app background feed-reader periodic --every 1h", "alcove app background feed-reader foreground",
    ]

    private let arguments: Arguments
    private let words: [String]

    init(_ arguments: Arguments) throws {
        words = try arguments.operands(2...2, "the name of an app, and foreground, push or periodic")
        self.arguments = arguments
    }

    func run() async throws {
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
                Terminal.print(
                    "\(app.domain) is woken every \(WrittenDuration.text(seconds: Int(period.components.seconds)))")
            } else {
                try await scheduler?.cancel(app: app.domain.name)
                Terminal.print("\(app.domain) works while `alcove app startup` or `alcove app run` does")
            }
        } catch {
            throw CommandFailure(error)
        }
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
