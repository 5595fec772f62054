import Components
import ExternalCore
import Foundation
import HostFunctions
import Networking
import Synchronization
import Wire

/// Our small core library, and a folder for it.
final class TestCore: Sendable {
    let folder: String
    let said = Mutex<[String]>([])
    let logged = Mutex<[CoreHost.Event]>([])

    init() throws {
        folder = NSTemporaryDirectory() + "alcove-core-\(UUID().uuidString)"
        for name in ["data", "keys", "apps/app"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/apps/manifest.json"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func bundle() throws -> CoreBundle {
        let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Core")
        let parts = try ["object-ipc.js", "device-specs.js", "core.js"].map { name in
            try String(contentsOf: place.appending(path: name), encoding: .utf8)
        }
        return CoreBundle(name: "core.js", code: parts.joined(separator: "\n"))
    }

    var configuration: CoreConfiguration {
        let actions = HostActions(
            showComponent: { [self] in say("show \($0.appDomain) \($0.entrypoint)") },
            closeComponent: { [self] in say("close \($0)") }, focusComponent: { [self] in say("focus \($0)") },
            startComponent: { [self] in say("start \($0.entrypoint)") },
            showError: { [self] title, _ in say("error \(title)") }, exit: { [self] in say("exit") },
            open: { [self] in say("open \($0)") }, isOnline: { true })
        var configuration = CoreConfiguration(
            dataFolder: folder + "/data", keys: KeyFiles(folder: folder + "/keys", vault: nil), actions: actions)
        configuration.assets = HostAssets(packs: nil, apps: folder + "/apps")
        configuration.policy = HTTPPolicy { _ in .anyAddress }
        return configuration
    }

    func say(_ text: String) { said.withLock { $0.append(text) } }

    /// Waits until something was said, and answers whether it was in time.
    func hears(_ text: String) async -> Bool { await eventually { said.withLock { $0.contains(text) } } }

    func start() async throws -> CoreHost {
        try await CoreHost.start(Self.bundle(), configuration) { [self] event in logged.withLock { $0.append(event) } }
    }
}

/// Whether something comes true within ten seconds.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<2000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

/// The page of the test core's startup app: commands in JSON.
final class StartupPage: Sendable {
    private let waiting = Mutex<[Int: CheckedContinuation<JSONObject, Never>]>([:])
    private let last = Mutex(0)
    private let connector = Mutex<CoreConnector?>(nil)

    /// Joins the page to the connector that the core gave out.
    init(_ attach: (@escaping @Sendable ([UInt8]) -> Void) async throws -> CoreConnector) async throws {
        let connector = try await attach { [weak self] bytes in self?.receive(bytes) }
        self.connector.withLock { $0 = connector }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let reply = (try? JSONValue(bytes))?.object, case .number(let id)? = reply["id"] else { return }
        waiting.withLock { $0.removeValue(forKey: Int(id) ?? 0) }?.resume(returning: reply)
    }

    /// The result of a command.
    func callAsFunction(_ command: String, _ options: JSONObject = [:]) async throws -> JSONValue {
        let reply = await reply(to: command, options)
        if let error = reply["error"] { throw CommandError(error: error) }
        return reply["result"] ?? .null
    }

    func reply(to command: String, _ options: JSONObject = [:]) async -> JSONObject {
        let id = last.withLock { last in
            last += 1
            return last
        }
        let message: JSONObject = ["id": .number(String(id)), "command": .string(command), "options": .object(options)]
        return await withCheckedContinuation { continuation in
            waiting.withLock { $0[id] = continuation }
            connector.withLock { $0 }?.send(Array(JSONValue.object(message).text.utf8))
        }
    }

    /// Gives a command whose reply may never come, because the page goes with it.
    func send(_ command: String, _ options: JSONObject = [:]) {
        let message: JSONObject = ["id": 0, "command": .string(command), "options": .object(options)]
        connector.withLock { $0 }?.send(Array(JSONValue.object(message).text.utf8))
    }

    struct CommandError: Error { let error: JSONValue }
}
