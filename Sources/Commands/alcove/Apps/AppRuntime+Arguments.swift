import AppPacks
import Apps
import ComponentRuntime
import Components
import Foundation
import Networking
import Sandbox
import Synchronization

extension AppRuntime {
    /// The apps as the options of ``AppOptions/running`` describe it.
    static func open(_ arguments: Arguments, _ library: AppLibrary) throws -> AppRuntime {
        var settings = AppPlatform.Settings()
        if let file = arguments["tls-ca"] { settings.trust = .authorities(path: file) }
        let recording = try arguments["record"].map(recording)
        do {
            return try open(library, settings: settings) { () throws(ComponentError) in
                let sandbox = try Self.sandbox(arguments)
                return recording?(sandbox) ?? sandbox
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    static func sandbox(_ arguments: Arguments) throws(ComponentError) -> any ComponentSandbox {
        arguments.has("in-process") ? InProcessSandbox() : try ProcessSandbox()
    }

    /// A file for each component that runs: `1-commands.mjs.run`.
    private static func recording(in folder: String) throws -> (any ComponentSandbox) -> any ComponentSandbox {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(writing: folder, error)
        }
        let count = RunCount(in: folder)
        return { sandbox in
            RecordingSandbox(around: sandbox) { launch in
                let name = launch.source.split(separator: "/").joined(separator: "-")
                return "\(folder)/\(count.next())-\(name).run"
            }
        }
    }
}

/// Numbers the recordings in a folder, after those that are there.
private final class RunCount: Sendable {
    private let last: Mutex<Int>

    init(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        last = Mutex(names.compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0)
    }

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
