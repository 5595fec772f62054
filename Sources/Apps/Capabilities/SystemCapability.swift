internal import AppPacks
internal import Components
internal import Wire

/// `w3n.system`: installing, opening and removing apps, and seeing what runs, for apps that look after the others. Where apps come from
/// over the network (`downloader`), and updates of Alcove itself, are not there yet.
enum SystemCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject? {
        var members: [String: ServiceObject] = [:]
        var parts: [String: ServiceObject] = [:]
        for (part, make) in [("opener", opener), ("installer", installer)]
        where subject.requested.contains(.systemApps, .whole) || subject.requested.contains(.systemApps, .part(part)) {
            parts[part] = ServiceObject(functions: make(subject))
        }
        members["apps"] = .unlessEmpty(members: parts)
        if subject.requested.contains(.systemMonitor) {
            members["monitor"] = ServiceObject(functions: monitor(subject))
        }
        return .unlessEmpty(members: members)
    }

    private static func exception(_ flag: String) -> RuntimeException { RuntimeException(type: "app-init", flag: flag) }

    /// A function that passes the gate and then asks the platform.
    private static func function(
        _ subject: CapabilitySubject, _ permissions: [Permission],
        _ answer: @escaping @Sendable (AppPlatform, [IPCValue]) async throws -> JSONValue?
    ) -> ServiceFunction {
        .promiseValues { arguments, _ async throws(RuntimeException) in
            let granted = subject.gate.permissions
            guard permissions.contains(where: { granted.contains($0.capability, $0.scope) }) else {
                throw subject.gate.deny(permissions[0].capability)
            }
            do {
                return try await answer(subject.platform, arguments).map { .json($0) }
            } catch let exception as RuntimeException {
                throw exception
            } catch {
                throw RuntimeException(type: "app-init", flag: "failed", ["message": .string("\(error)")])
            }
        }
    }

    private static func domain(_ arguments: [IPCValue]) throws(RuntimeException) -> AppDomain {
        guard let domain = AppDomain(try arguments.argument(0, \.string)) else { throw exception("notFound") }
        return domain
    }

    private static func permissions(_ part: String) -> [Permission] {
        [Permission(.systemApps), Permission(.systemApps, .part(part))]
    }

    private static func opener(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let allowed = permissions("opener")
        return [
            "listCurrentApps": function(subject, allowed) { platform, _ in
                try .array(platform.library.list().apps.map { summary($0) })
            },
            "getAppManifestOfCurrent": function(subject, allowed) { platform, arguments in
                try platform.library.manifestJSON(of: platform.library.app(domain(arguments)))
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
                for app in try platform.library.list().apps { _ = try? await platform.startup(app.domain) }
                return nil
            },
            "closeAppsAfterUpdate": function(subject, allowed) { platform, arguments in
                guard case .array(let names) = arguments.first?.json else { throw RuntimeException(ipc: .invalidBody) }
                for domain in names.compactMap({ $0.string.flatMap { AppDomain($0) } }) { await platform.stop(domain) }
                return nil
            },
        ]
    }

    private static func installer(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let allowed = permissions("installer")
        return [
            "listAllAppsPacks": function(subject, allowed) { platform, _ in
                try .array(platform.library.list().apps.map { summary($0) })
            },
            "listAppPacks": function(subject, allowed) { platform, arguments in
                try .array([.string(platform.library.app(domain(arguments)).version.text)])
            },
            "getAppManifest": function(subject, allowed) { platform, arguments in
                try platform.library.manifestJSON(of: platform.library.app(domain(arguments)))
            },
            "uninstallApp": function(subject, allowed) { platform, arguments in
                try await platform.remove(domain(arguments), keepingData: true)
                return nil
            },
            "removeAppData": function(subject, allowed) { platform, arguments in
                let domain = try domain(arguments)
                await platform.stop(domain)
                try platform.library.removeData(of: domain)
                return nil
            },
            "watchApps": .observableValues { _, _, values async throws(RuntimeException) in
                for await report in subject.platform.reports() {
                    let granted = subject.gate.permissions
                    guard allowed.contains(where: { granted.contains($0.capability, $0.scope) }) else {
                        throw subject.gate.deny(.systemApps)
                    }
                    if case .packsChanged = report { try await values.emit(.json(["type": "change"])) }
                }
            },
        ]
    }

    private static func monitor(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let allowed = [Permission(.systemMonitor)]
        return [
            "listProcs": function(subject, allowed) { platform, _ in
                let all = Dictionary(grouping: await platform.running) { "\($0.app)\($0.entrypoint)" }
                return .array(all.values.compactMap { same in same.first.map { process($0, count: same.count) } })
            },
            "listConnectionsToAppServices": function(subject, allowed) { platform, arguments in
                await platform.connections(to: try domain(arguments))
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
