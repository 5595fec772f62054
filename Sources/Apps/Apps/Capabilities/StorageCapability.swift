internal import ComponentStorage
internal import Components
internal import Wire

/// `w3n.storage`: folders of the app on this computer, and those of the system for apps that look after it.
///
/// Synced storage is not there yet: its functions will join these.
enum StorageCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject? {
        var functions: [String: ServiceFunction] = [:]
        if !subject.requested.folders(in: .local).isEmpty { functions["getAppLocalFS"] = ownFolder(subject) }
        if subject.requested.contains(.systemFiles) { functions["getSysFS"] = systemFolder(subject) }
        return .unlessEmpty(functions: functions)
    }

    /// `getAppLocalFS(appName?)`: the name is a reversed domain, the app's own without one.
    private static func ownFolder(_ subject: CapabilitySubject) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let request = try StorageProto.GetAppLocalFSRequestBody(body: call.body)
            let domain = try domain(request.appName?.value, subject)
            let permission = Permission(.ownFiles, .folder(domain))
            try subject.access.check(permission)
            let root = try await subject.platform.storage(named: domain, under: permission, for: subject.id)
            return try root.serve(writable: true, name: domain.reversed, on: call.connection).encoded
        }
    }

    private static func domain(_ name: String?, _ subject: CapabilitySubject) throws(RuntimeException) -> AppDomain {
        guard let name, !name.isEmpty else { return subject.app.domain }
        guard let domain = AppDomain(reversed: name), subject.requested.folders(in: .local).contains(domain) else {
            throw RuntimeException(type: "storage", flag: "notAllowed", ["appName": .string(name)])
        }
        return domain
    }

    /// `getSysFS(type, path?)`
    private static func systemFolder(_ subject: CapabilitySubject) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let request = try StorageProto.GetSysFSRequestBody(body: call.body)
            guard request.type == "local" else {
                throw RuntimeException(type: "storage", flag: "notAvailable", ["storageType": .string(request.type)])
            }
            let granted = subject.access.permissions
            let isWritable = granted.contains(.systemFiles, .storage(.local, writable: true))
            let permission = Permission(.systemFiles, .storage(.local, writable: isWritable))
            try subject.access.check(permission)
            let root = try await subject.platform.systemStorage(under: permission, for: subject.id)
            let path = request.path?.value ?? ""
            return try root.serve(path, writable: isWritable, name: "system", on: call.connection).encoded
        }
    }
}
