import AppPacks
import Apps
import ComponentRuntime
import Components
import Foundation
import Testing

/// A library in a folder of its own, with an app that a test writes.
struct TestApps {
    let folder: URL
    let library: AppLibrary

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = try AppLibrary(path: folder.appending(path: "Apps").path)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Writes and installs an app.
    /// - Parameters:
    ///   - components: JSON of each component by its path.
    ///   - granting: nil grants all that it asks for.
    @discardableResult
    func install(
        _ domain: String = "one.example", components: [String: String], scripts: [String: String], more: String = "",
        granting: Set<Capability>? = nil
    ) throws -> AppDomain {
        let source = folder.appending(path: "source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: source.appending(path: "app"), withIntermediateDirectories: true)
        let members = components.map { "\"\($0.key)\": \($0.value)" }.sorted().joined(separator: ",\n")
        let manifest = """
            {"appDomain": "\(domain)", "version": "1.0.0", "name": "One", "description": "", "components": {\(members)}\(more)}
            """
        try Data(manifest.utf8).write(to: source.appending(path: "manifest.json"))
        for (name, text) in scripts { try Data(text.utf8).write(to: source.appending(path: "app/" + name)) }
        let inspection = try library.inspect(source.path)
        let asked = Set(inspection.newRequests.map(\.capability))
        return try library.install(inspection, granting: granting ?? asked).domain
    }

    /// Where other processes, or a test in their place, may come in.
    func runtime(lastWords: Duration = .seconds(3_600)) throws -> AppRuntime {
        try AppRuntime.open(library, lastWords: lastWords) { () throws(ComponentError) in InProcessSandbox() }
    }

    func platform(
        sandbox: any ComponentSandbox = InProcessSandbox(), _ change: (inout AppPlatform.Settings) -> Void = { _ in }
    ) -> AppPlatform {
        var settings = AppPlatform.Settings()
        settings.restarts.first = .milliseconds(20)
        change(&settings)
        return AppPlatform(library: library, sandbox: sandbox, settings: settings)
    }
}

extension AppPlatform {
    /// Everything that a component said until it ended.
    func transcript(of instance: UInt64) async throws -> (lines: [PrintedLine], end: PrintedEnd) {
        var (all, next): ([PrintedLine], Int) = ([], 0)
        while true {
            guard
                case .printed(let lines, let following, let end) = try await ask(
                    .follow(instance: instance, from: next))
            else { throw AppFailure(.unavailable, "no lines") }
            all += lines
            next = following
            if let end { return (all, end) }
        }
    }

    /// Runs a command to its end and returns what it said, without what the platform says of denials.
    func said(_ domain: AppDomain, _ command: String, _ parameters: [String] = []) async throws -> [String] {
        guard
            case .started(let id, _) = try await ask(
                .run(app: domain.name, component: nil, command: command, parameters: parameters))
        else { throw AppFailure(.unavailable, "not started") }
        return try await transcript(of: id).lines.map(\.text).filter { !$0.hasPrefix("denied: ") }
    }
}
