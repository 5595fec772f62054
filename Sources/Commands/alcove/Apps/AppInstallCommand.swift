import AppPacks
import Apps
import Components
import Foundation
import Sandbox

/// `alcove app install`
struct AppInstallCommand: ReportingCommand {
    static let reference = CommandReference(
        "app install", "DIR|ZIP",
        "install or update an app, after showing what it asks for",
        takes: .one("a folder or a ZIP file with an app"),
        options: AppOptions.all + [
            .flag("yes", "grant everything that it asks for, without a question"),
            .value("grant", "CAP", "grant only what is named so, without a question; repeatable; \"none\" for nothing"),
            .flag("downgrade", "replace a newer version"),
        ],
        examples: [
            "alcove app install Apps/feed-reader",
            "alcove app install checklist.zip --grant storage.app.local --grant log",
        ])

    let arguments: Arguments
    private var source: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let library = try AppOptions.library(arguments)
        do {
            let path = URL(fileURLWithPath: (source as NSString).expandingTildeInPath).standardizedFileURL.path
            let inspection = try library.inspect(path)
            let description = TerminalText.lines(AppDescription.install(inspection))
            if arguments.has("json") { Terminal.log(description) } else { Terminal.print(description) }
            // Before anybody is asked, and anything ended.
            try inspection.check(goingBack: arguments.has("downgrade"))
            try await Self.checkScripts(of: inspection)
            let granting = try chosen(inspection)
            let runtime = AppRuntime.elsewhere(library)
            _ = try await runtime?.control.ask(.packsChanged(app: inspection.manifest.domain.name, because: .update))
            let app = try library.install(inspection, granting: granting, goingBack: arguments.has("downgrade"))
            _ = try? await runtime?.control.ask(.grantsChanged(app: app.domain.name))
            return CommandResult(
                .lines(report(app, granting, of: inspection)), json: try AppLine(app, in: library, running: []))
        } catch let error as AppPackError where error.code == .older {
            throw CommandFailure("\(error.message); --downgrade puts the older one in its place", .usage)
        } catch let error as AppPackError {
            throw CommandFailure(error)
        } catch let failure as AppFailure {
            throw CommandFailure(failure)
        }
    }

    /// Refuses an app with a script that can never run.
    private static func checkScripts(of inspection: PackInspection) async throws {
        // Where nothing can be confined, nothing runs either, which is said then.
        guard let sandbox = try? ProcessSandbox() else { return }
        for (path, code) in inspection.scripts.sorted(by: { $0.key.text < $1.key.text }) {
            do throws(ComponentError) {
                try await sandbox.check(code, source: path.text)
            } catch {
                guard error.code == .invalidCode else { continue }
                throw CommandFailure(
                    "\(path) in \(inspection.source) is no script that can run: \(error.message)", .dataError)
            }
        }
    }

    /// What the person grants of what is new.
    private func chosen(_ inspection: PackInspection) throws -> Set<Capability> {
        let asked = Set(inspection.newRequests.map(\.capability))
        if arguments.has("yes") { return asked }
        let named = arguments.all("grant")
        if !named.isEmpty { return try Self.capabilities(named, of: inspection.manifest).intersection(asked) }
        guard !asked.isEmpty else { return [] }
        guard Terminal.isInteractive, isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                "nobody is here to ask: say --yes to grant all of it, or --grant CAP for each that you grant", .usage)
        }
        return ask(inspection.newRequests)
    }

    static func capabilities(_ names: [String], of manifest: AppManifest) throws -> Set<Capability> {
        let requested = Set(manifest.requests.map(\.capability))
        var chosen: Set<Capability> = []
        for name in names where name != "none" {
            guard let capability = Capability(rawValue: name), requested.contains(capability) else {
                let known = manifest.requests.map(\.capability.rawValue).joined(separator: ", ")
                throw CommandFailure("\(manifest.name) does not ask for \(name); it asks for: \(known)", .usage)
            }
            chosen.insert(capability)
        }
        return chosen
    }

    private func ask(_ requests: [CapabilityRequest]) -> Set<Capability> {
        Terminal.ask("\n")
        // Asks until there is an answer: pressing Enter does not mean no.
        while true {
            Terminal.ask("Grant all of this? [y]es, [n]othing, or [e]ach by itself: ")
            guard let answer = readLine() else { return [] }
            switch answer.lowercased().first {
            case "y": return Set(requests.map(\.capability))
            case "n": return []
            case "e":
                return Set(
                    requests.map(\.capability).filter { capability in
                        Terminal.ask("  \(capability.words)? [y/N] ")
                        return readLine()?.lowercased().first == "y"
                    })
            default: Terminal.log("please answer with y, n or e")
            }
        }
    }

    /// What was installed, what was not granted, and how it is run.
    private func report(_ app: InstalledApp, _ granting: Set<Capability>, of inspection: PackInspection) -> [String] {
        var lines = ["", "installed \(app.manifest.name) \(app.version) as \(app.domain)"]
        let denied = inspection.newRequests.filter { !granting.contains($0.capability) }.map(\.capability.rawValue)
        if !denied.isEmpty {
            lines.append(
                "not granted: \(denied.joined(separator: ", "))  (alcove app permissions \(app.domain) --grant CAP)")
        }
        let commands = Set(app.manifest.components.flatMap(\.commands.keys)).sorted()
        if let first = commands.first {
            let name = app.domain.name.split(separator: ".").first ?? ""
            lines.append(
                "run it:  alcove app run \(name) \(first)    (it takes: \(commands.joined(separator: ", ")))")
        }
        return lines
    }
}
