import AgentProtocols
import Agents
import AppCore
import AppPacks
import Apps
import Components

/// Commands of apps, which run with what was granted to the apps and nothing else.
extension ToolWork {
    private struct Listed: Encodable {
        var app: String
        var name: String
        var commands: [String]
    }

    func listAppCommands(_ given: MCPArguments) throws -> MCPResult {
        try given.check(only: "app")
        let library = try AppOptions.library(arguments)
        let apps: [InstalledApp]
        do { apps = try library.list().apps } catch { throw CommandFailure(error) }
        let lines = apps.map { app in
            Listed(
                app: app.domain.name, name: app.manifest.name,
                commands: app.manifest.components.flatMap(\.commands.keys).sorted())
        }
        return try Self.list(lines.filter { !$0.commands.isEmpty }, from: "what installed apps say of themselves")
    }

    func runAppCommand(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "app", "command", "words")
        let name = try given.text("app", atMost: ToolLimits.nameBytes)
        let command = try given.text("command", atMost: ToolLimits.nameBytes)
        let words = try given.texts("words", atMost: ToolLimits.words, bytes: ToolLimits.wordBytes)
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(name, in: library)
        guard app.manifest.components.contains(where: { $0.commands[command] != nil }) else {
            throw CommandFailure("the app has no such command; list_app_commands lists them", .usage)
        }
        about.note("\(app.domain.name)/\(command)")
        let runtime = try AppRuntime.open(arguments, library)
        let outcome: Result<AppCommandRun.Outcome, any Error>
        do {
            outcome = .success(
                try await AppCommandRun(control: runtime.control, app: app.domain.name).run(command, words))
        } catch { outcome = .failure(error) }
        await runtime.close()
        do {
            let outcome = try outcome.get()
            return MCPResult.data(outcome.text, from: "what an app printed", mark: Self.mark, hint: outcome.hint)
        } catch let failure as AppFailure { throw CommandFailure(failure) }
    }
}

/// One command of an app, from its start to its end.
private struct AppCommandRun {
    let control: any AppControl
    let app: String

    struct Outcome {
        var text = ""
        /// What happened besides.
        var hint: String?
    }

    func run(_ command: String, _ words: [String]) async throws -> Outcome {
        let request = AppControlRequest.run(app: app, component: nil, command: command, parameters: words)
        guard case .started(let instance, _) = try await control.ask(request) else {
            throw AppFailure(.unavailable, "this is another version of alcove; end the other one")
        }
        let limit = Task {
            try await Task.sleep(for: ToolLimits.runTime)
            await stop(instance)
        }
        defer { limit.cancel() }
        // Its end comes in any case, once it is stopped.
        let reading = Task { try await follow(instance) }
        return try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            Task { await stop(instance) }
        }
    }

    private func stop(_ instance: UInt64) async { _ = try? await control.ask(.stop(app: app, instance: instance)) }

    private func follow(_ instance: UInt64) async throws -> Outcome {
        var outcome = Outcome()
        var (next, omitted) = (0, 0)
        while true {
            guard
                case .printed(let lines, let following, let end) = try await control.ask(
                    .follow(instance: instance, from: next))
            else { throw AppFailure(.unavailable, "this is another version of alcove; end the other one") }
            for line in lines {
                let text = line.level == .info ? line.text : "\(line.level.rawValue): \(line.text)"
                guard outcome.text.utf8.count + text.utf8.count < ToolLimits.resultBytes else {
                    omitted += 1
                    continue
                }
                outcome.text += text + "\n"
            }
            next = following
            guard let end else { continue }
            let hints = [
                omitted > 0 ? "\(omitted) lines more are left out." : nil,
                end.isOrderly ? nil : "It did not end as it should.",
            ].compactMap(\.self)
            outcome.hint = hints.isEmpty ? nil : hints.joined(separator: " ")
            return outcome
        }
    }
}
