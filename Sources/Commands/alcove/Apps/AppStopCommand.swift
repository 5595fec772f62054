import AppCore
import AppPacks
import Apps
import Components
import Foundation

/// `alcove app stop`
struct AppStopCommand: ReportingCommand {
    static let reference = CommandReference(
        "app stop", "NAME",
        "end every part of an app that runs",
        takes: .one("the name of an app"),
        options: AppOptions.all,
        examples: ["alcove app stop feed-reader"])

    let arguments: Arguments
    private var name: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(name, in: library)
        let running = try await AppRunning.everywhere(library).filter { $0.app == app.domain.name }
        guard !running.isEmpty, let runtime = AppRuntime.elsewhere(library) else {
            return CommandResult(
                "\(app.domain) does not run", json: ["app": .string(app.domain.name), "stopped": .array([])])
        }
        do {
            _ = try await runtime.control.ask(.stop(app: app.domain.name))
        } catch {
            throw CommandFailure(error)
        }
        let stopped = running.map(\.entrypoint)
        return CommandResult(
            "stopped \(stopped.joined(separator: ", "))",
            json: ["app": .string(app.domain.name), "stopped": .array(stopped.map { .string($0) })])
    }
}

/// `alcove app remove`
struct AppRemoveCommand: ReportingCommand {
    static let reference = CommandReference(
        "app remove", "NAME [--data]",
        "take an app away; its files stay unless --data",
        takes: .one("the name of an app"),
        options: AppOptions.all + [.flag("data", "remove its files too, for good")],
        examples: ["alcove app remove checklist", "alcove app remove checklist --data"])

    let arguments: Arguments
    private var name: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let library = try AppOptions.library(arguments)
        do {
            guard let app = try removable(library) else {
                return Self.removed("removed the files of \(name)", name.lowercased(), hasData: true)
            }
            let runtime = AppRuntime.elsewhere(library)
            _ = try await runtime?.control.ask(.packsChanged(app: app.name, because: .removal))
            try library.remove(app, keepingData: !arguments.has("data"))
            _ = try? await runtime?.control.ask(.grantsChanged(app: app.name))
            let kept = arguments.has("data") ? "" : "; its files are kept (--data removes them too)"
            return Self.removed("removed \(app)\(kept)", app.name, hasData: arguments.has("data"))
        } catch let error as AppPackError {
            throw CommandFailure(error)
        } catch let failure as AppFailure {
            throw CommandFailure(failure)
        }
    }

    private static func removed(_ sentence: TerminalText, _ app: String, hasData: Bool) -> CommandResult {
        CommandResult(sentence, json: ["app": .string(app), "data_removed": .bool(hasData)])
    }

    /// The app; or nil, after its files were removed, if only they are left.
    private func removable(_ library: AppLibrary) throws -> AppDomain? {
        if let damaged = try library.list().damaged.first(where: { $0.domain.name == name.lowercased() }) {
            return damaged.domain
        }
        guard arguments.has("data"), let domain = AppDomain(name),
            try !library.list().apps.contains(where: { $0.domain == domain })
        else { return try AppOptions.app(name, in: library).domain }
        try library.removeData(of: domain)
        return nil
    }
}
