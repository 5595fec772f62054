import AppPacks
import Apps
import Components

/// `alcove app list`
struct AppListCommand: Command {
    static let reference = CommandReference(
        "app list", "[--json]",
        "list the installed apps",
        options: AppOptions.all + [AppOptions.json],
        examples: ["alcove app list"])

    let arguments: Arguments

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let listing: AppListing
        do { listing = try library.list() } catch { throw CommandFailure(error) }
        let running = try await AppRunning.everywhere(library)
        if arguments.has("json") {
            let lines = try listing.apps.map { try AppLine($0, in: library, running: running) }
            return try Terminal.print(json: lines)
        }
        for app in listing.apps {
            let count = running.count { $0.app == app.domain.name }
            let state = count == 0 ? "" : "  (running)"
            Terminal.print("\(app.domain)  \(app.version)  \(app.manifest.name)\(state)")
        }
        for damaged in listing.damaged { Terminal.complain("\(damaged.domain) is damaged: \(damaged.explanation)") }
        if listing.apps.isEmpty, listing.damaged.isEmpty {
            Terminal.log("no apps yet: alcove app install DIR, or alcove app new NAME")
        }
    }
}

/// `alcove app info`
struct AppInfoCommand: Command {
    static let reference = CommandReference(
        "app info", "NAME [--json]",
        "show what an app is made of, what it may do, and what of it runs",
        takes: .one("the name of an app"),
        options: AppOptions.all + [AppOptions.json],
        examples: ["alcove app info checklist"])

    let arguments: Arguments
    private var name: String { arguments.operands[0] }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(name, in: library)
        let running = try await AppRunning.everywhere(library)
        if arguments.has("json") { return try Terminal.print(json: AppLine(app, in: library, running: running)) }
        do {
            let grants = try library.grants(of: app.domain)
            let here = running.filter { $0.app == app.domain.name }
            Terminal.print(.lines(AppDescription.app(app, grants: grants, running: here)))
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// What runs, wherever that is.
enum AppRunning {
    static func everywhere(_ library: AppLibrary) async throws -> [RunningInstance] {
        guard let runtime = AppRuntime.elsewhere(library),
            case .status(let running) = try await runtime.control.ask(.status)
        else {
            return []
        }
        return running
    }
}

/// An app, as a script reads it.
struct AppLine: Encodable {
    struct Permission: Encodable {
        var capability: String
        var words: String
        var details: [String]
        var components: [String]
        var granted: Bool
        var available: Bool
        var sensitive: Bool
    }

    struct Component: Encodable {
        var path: String
        var runtime: String
        var commands: [String]
        var services: [String]
        var startup: Bool
    }

    var domain: String
    var name: String
    var version: String
    var about: String
    var components: [Component]
    var permissions: [Permission]
    var running: [RunningInstance]

    init(_ app: InstalledApp, in library: AppLibrary, running: [RunningInstance]) throws {
        let grants: Grants
        do { grants = try library.grants(of: app.domain) } catch { throw CommandFailure(error) }
        let manifest = app.manifest
        domain = app.domain.name
        name = manifest.name
        version = app.version.text
        about = manifest.about
        components = manifest.components.map { component in
            Component(
                path: component.entryPoint.text, runtime: component.runtime.rawValue,
                commands: component.commands.keys.sorted(), services: component.services.keys.sorted(),
                startup: manifest.startup.contains(component.entryPoint))
        }
        permissions = Self.permissions(of: manifest, grants)
        self.running = running.filter { $0.app == app.domain.name }
    }

    static func permissions(of manifest: AppManifest, _ grants: Grants) -> [Permission] {
        manifest.requests.map { request in
            Permission(
                capability: request.capability.rawValue, words: request.capability.words, details: request.details,
                components: request.components.map(\.text), granted: AppDescription.isGranted(request, in: grants),
                available: request.capability.isServed, sensitive: request.isSensitive(for: manifest.domain))
        }
    }
}
