internal import AppPacks
internal import ComponentStorage
internal import Components
internal import Wire

/// `w3n.system.apps.installer`: packs that are added, wait and are installed, and apps that are removed. An app that is installed this
/// way has the grants of its previous version, and no others.
enum InstallerCapability {
    private static let allowed = SystemCapability.permissions("installer")

    static func functions(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        packFunctions(subject).merging(appFunctions(subject)) { $1 }.merging([
            "addAppPackFromFolder": adding(subject) { reference, connection throws(RuntimeException) in
                try PassedItem(folder: reference, on: connection)
            },
            "addAppPackFromZipFile": adding(subject) { reference, connection throws(RuntimeException) in
                try PassedItem(file: reference, on: connection)
            },
            "watchApps": watchApps(subject),
        ]) { $1 }
    }

    // MARK: Packs

    private static func packFunctions(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        let function = { SystemCapability.function(subject, allowed, $0) }
        return [
            "listAllAppsPacks": function { platform, _ in .json(try AppInventory(of: platform.library).json) },
            "listAppPacks": function { platform, arguments in
                let versions = try AppInventory(of: platform.library).versions(of: SystemCapability.domain(arguments))
                return versions.isEmpty ? nil : .json(.array(versions.map { .string($0.text) }))
            },
            "getAppManifest": function { platform, arguments in
                try platform.library.stored(SystemCapability.domain(arguments), version(arguments, 1))
                    .map { .json(try platform.library.manifestJSON(of: $0)) }
            },
            "getAppFileBytes": function { platform, arguments in
                let library = platform.library
                return try library.stored(SystemCapability.domain(arguments), version(arguments, 2))
                    .map { try SystemCapability.file(arguments, of: $0, in: library) }
            },
            "installApp": function { platform, arguments in
                let pack = WaitingPack(
                    domain: try SystemCapability.domain(arguments), version: try version(arguments, 1))
                let isDone = try await platform.install(pack, for: subject.app) {
                    try SystemCapability.check(subject, allowed)
                }
                let what = isDone ? "installed" : "when nothing of the app runs any more, puts in place"
                subject.app.log.write(
                    .info, from: subject.entryPoint, "\(what) \(pack.domain) \(pack.version), and grants it nothing")
                return .string(isDone ? "all-done" : "need-restart")
            },
            "removeAppPack": function { platform, arguments in
                let pack = WaitingPack(
                    domain: try SystemCapability.domain(arguments), version: try version(arguments, 1))
                try await platform.remove(pack)
                return nil
            },
        ]
    }

    private static func version(_ arguments: [IPCValue], _ index: Int) throws(RuntimeException) -> AppVersion {
        guard let version = AppVersion(try arguments.argument(index, \.string)) else {
            throw SystemCapability.exception("notFound")
        }
        return version
    }

    /// `(pack, observer)`, which emits `{numOfFiles, numOfProcessed, fileInProgress}`, and in the end also `{id, version}`.
    private static func adding(
        _ subject: CapabilitySubject,
        _ item:
            @escaping @Sendable (CommonProto.ObjectReference, ObjectConnection) throws(RuntimeException) -> PassedItem
    ) -> ServiceFunction {
        .observableValues { arguments, connection, values async throws(RuntimeException) in
            try SystemCapability.check(subject, allowed)
            let item = try item(try arguments.argument(0) { $0.reference() }, connection)
            let (pack, progress) = try await SystemCapability.reporting(on: subject.platform) {
                try await subject.platform.add(item) {
                    try SystemCapability.check(subject, allowed)
                } progress: {
                    values.offer(.json(.object($0.json)))
                }
            }
            try SystemCapability.check(subject, allowed)
            subject.app.log.write(.info, from: subject.entryPoint, "added \(pack.domain) \(pack.version)")
            var last = progress.json
            last.append("id", .string(pack.domain.name))
            last.append("version", .string(pack.version.text))
            try await values.emit(.json(.object(last)))
        }
    }

    // MARK: Apps

    private static func appFunctions(_ subject: CapabilitySubject) -> [String: ServiceFunction] {
        [
            "uninstallApp": SystemCapability.function(subject, allowed) { platform, arguments in
                try await platform.remove(SystemCapability.domain(arguments), keepingData: true)
                return nil
            },
            "removeAppData": SystemCapability.function(subject, allowed) { platform, arguments in
                try await platform.removeData(of: SystemCapability.domain(arguments), by: subject.app.domain)
                return nil
            },
        ]
    }

    private static func watchApps(_ subject: CapabilitySubject) -> ServiceFunction {
        .observableValues { _, _, values async throws(RuntimeException) in
            try SystemCapability.check(subject, allowed)
            let platform = subject.platform
            let look = { () async throws(RuntimeException) in
                try await SystemCapability.reporting(on: platform) { try AppInventory(of: platform.library) }
            }
            let reports = platform.reports()
            var known = try await look()
            for await case .packsChanged in reports {
                try SystemCapability.check(subject, allowed)
                let now = try await look()
                try SystemCapability.check(subject, allowed)
                for event in now.events(since: known) { try await values.emit(.json(event)) }
                known = now
            }
        }
    }
}

extension PackProgress {
    fileprivate var json: JSONObject {
        var object: JSONObject = [
            "numOfFiles": .number(String(files)), "numOfProcessed": .number(String(done)),
        ]
        if let file { object.append("fileInProgress", .string(file.text)) }
        return object
    }
}
