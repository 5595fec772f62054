import AppPacks
import Apps
import Components

/// `alcove app permissions`
struct AppPermissionsCommand: Command {
    static let reference = CommandReference(
        "app permissions", "NAME [--grant CAP] [--revoke CAP]",
        "show what an app may do, grant more, or take something back",
        takes: .one("the name of an app"),
        options: AppOptions.all + [
            .value("grant", "CAP", "grant this; repeatable"),
            .value("revoke", "CAP", "take this back, also from what runs; repeatable"), AppOptions.json,
        ],
        examples: ["alcove app permissions feed-reader", "alcove app permissions feed-reader --revoke network"])

    let arguments: Arguments
    private var name: String { arguments.operands[0] }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(name, in: library)
        do {
            try change(app, in: library)
            if let runtime = AppRuntime.elsewhere(library) {
                _ = try await runtime.control.ask(.grantsChanged(app: app.domain.name))
            }
            try show(app, library.grants(of: app.domain))
        } catch let error as AppPackError {
            throw CommandFailure(error)
        } catch let failure as AppFailure {
            throw CommandFailure(failure)
        }
    }

    private func change(_ app: InstalledApp, in library: AppLibrary) throws {
        for (option, isGranted) in [("revoke", false), ("grant", true)] {
            for capability in try AppInstallCommand.capabilities(arguments.all(option), of: app.manifest) {
                try library.setGrant(capability, to: isGranted, of: app.domain)
            }
        }
    }

    private func show(_ app: InstalledApp, _ grants: Grants) throws {
        if arguments.has("json") { return try Terminal.print(json: AppLine.permissions(of: app.manifest, grants)) }
        let lines = app.manifest.requests.flatMap { request in
            AppDescription.request(request, of: app.manifest, granted: AppDescription.isGranted(request, in: grants))
        }
        Terminal.print(lines.isEmpty ? "\(app.domain) asks for nothing" : .lines(lines))
    }
}
