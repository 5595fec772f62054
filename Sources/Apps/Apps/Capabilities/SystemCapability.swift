internal import AppPacks
internal import Components
internal import Wire

/// `w3n.system`: opening apps, and seeing what runs, for apps that look after the others. Where apps come from over the network
/// (`downloader`), and updates of Alcove itself, are not there yet.
enum SystemCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject? {
        var members: [String: ServiceObject] = [:]
        var parts: [String: ServiceObject] = [:]
        for (part, make) in [("opener", opener), ("installer", InstallerCapability.functions)]
        where subject.requested.contains(.systemApps, .whole) || subject.requested.contains(.systemApps, .part(part)) {
            parts[part] = ServiceObject(functions: make(subject))
        }
        members["apps"] = .unlessEmpty(members: parts)
        if subject.requested.contains(.systemMonitor) {
            members["monitor"] = ServiceObject(functions: monitor(subject))
        }
        return .unlessEmpty(members: members)
    }

    static func exception(_ flag: String, _ message: String? = nil) -> RuntimeException {
        RuntimeException(type: "app-init", flag: flag, message.map { ["message": .string($0)] } ?? [:])
    }

    /// A function that checks the permissions and then asks the platform.
    static func function(
        _ subject: CapabilitySubject, _ permissions: [Permission],
        _ answer: @escaping @Sendable (AppPlatform, [IPCValue]) async throws -> IPCValue?
    ) -> ServiceFunction {
        .promiseValues { arguments, _ async throws(RuntimeException) in
            try check(subject, permissions)
            let value = try await reporting(on: subject.platform) { try await answer(subject.platform, arguments) }
            // An answer that comes after the grant was taken back is not for the app.
            try check(subject, permissions)
            return value
        }
    }

    /// Passes if one of these was granted.
    static func check(_ subject: CapabilitySubject, _ permissions: [Permission]) throws(RuntimeException) {
        let granted = subject.access.permissions
        guard permissions.contains(where: { granted.contains($0.capability, $0.scope) }) else {
            throw subject.access.deny(permissions[0].capability)
        }
    }

    /// The value of what asks the library or the platform, whose errors become exceptions. No path of the host is in these.
    static func reporting<Value: Sendable>(
        on platform: AppPlatform, _ body: () async throws -> Value
    ) async throws(RuntimeException) -> Value {
        do {
            return try await body()
        } catch let exception as RuntimeException {
            throw exception
        } catch {
            let flag =
                switch (error as? AppPackError)?.code {
                case .notAPack, .refused, .manifest: "badAppPack"
                case .foreign: "notAllowed"
                default: "failed"
                }
            throw exception(
                flag, "\(error)".replacing(platform.library.path, with: "the apps"))
        }
    }

    static func domain(_ arguments: [IPCValue]) throws(RuntimeException) -> AppDomain {
        guard let domain = AppDomain(try arguments.argument(0, \.string)) else { throw exception("notFound") }
        return domain
    }

    /// Bytes of a file that are given at once. No launcher would show a longer one.
    private static let fileLimit: Int64 = 32 << 20

    /// A file of an app, by the second argument: its path, with or without the slash before it.
    static func file(
        _ arguments: [IPCValue], of version: any StoredVersion, in library: AppLibrary
    ) throws -> IPCValue {
        let name = try arguments.argument(1, \.string)
        guard let path = PackPath(name.hasPrefix("/") ? name : "/" + name) else { throw exception("notFound") }
        let file = try library.open(path, of: version)
        guard file.byteCount <= fileLimit else { throw exception("failed", "\(path) is too long to be given at once") }
        return .bytes(try file.readAll())
    }

    static func permissions(_ part: String) -> [Permission] {
        [Permission(.systemApps), Permission(.systemApps, .part(part))]
    }

    private static func opener(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let allowed = permissions("opener")
        return [
            "listCurrentApps": function(subject, allowed) { platform, _ in
                .json(.array(try platform.library.list().apps.map { summary($0) }))
            },
            "getAppManifestOfCurrent": function(subject, allowed) { platform, arguments in
                .json(try platform.library.manifestJSON(of: platform.library.app(domain(arguments))))
            },
            "getAppFileBytesOfCurrent": function(subject, allowed) { platform, arguments in
                try file(arguments, of: platform.library.app(domain(arguments)), in: platform.library)
            },
            "openApp": function(subject, allowed) { platform, arguments in
                let entryPoint = arguments.count > 1 ? arguments[1].string.flatMap(PackPath.init) : nil
                _ = try await platform.run(domain(arguments), component: entryPoint)
                return nil
            },
            "executeCommand": function(subject, allowed) { platform, arguments in
                let command = try arguments.argument(1, \.object)
                guard let name = command["cmd"]?.string else { throw exception("cmdNotFound") }
                var parameters: [JSONValue] = []
                if case .array(let given) = command["params"] { parameters = given }
                _ = try await platform.run(domain(arguments), command: StartCommand(name, parameters))
                return nil
            },
            "triggerAllStartupLaunchers": function(subject, allowed) { platform, _ in
                await platform.startup(try platform.library.list().apps.map(\.domain))
                return nil
            },
            "closeAppsAfterUpdate": function(subject, allowed) { platform, arguments in
                guard case .array(let names) = arguments.first?.json else { throw RuntimeException(ipc: .invalidBody) }
                for domain in names.compactMap({ $0.string.flatMap { AppDomain($0) } }) { await platform.stop(domain) }
                return nil
            },
        ]
    }

    private static func monitor(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let allowed = [Permission(.systemMonitor)]
        return [
            "listProcs": function(subject, allowed) { platform, _ in
                let all = Dictionary(grouping: await platform.running) { "\($0.app)\($0.entrypoint)" }
                return .json(
                    .array(all.values.compactMap { same in same.first.map { process($0, count: same.count) } }))
            },
            "listConnectionsToAppServices": function(subject, allowed) { platform, arguments in
                .json(await platform.connections(to: try domain(arguments)))
            },
        ]
    }

    private static func summary(_ app: InstalledApp) -> JSONValue {
        ["id": .string(app.domain.name), "version": .string(app.version.text), "name": .string(app.manifest.name)]
    }

    private static func process(_ instance: RunningInstance, count: Int) -> JSONValue {
        [
            "appId": .string(instance.app), "version": .string(instance.version),
            "entrypoint": .string(instance.entrypoint),
            "runtime": "deno", "numOfInstances": .number(String(count)),
        ]
    }
}
