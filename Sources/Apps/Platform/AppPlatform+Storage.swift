internal import AppPacks
internal import ComponentStorage
internal import Components
internal import Storage
internal import Wire

extension AppPlatform {
    /// The folder of an app's files, opened once for each component and permission.
    func storage(of domain: AppDomain, under permission: Permission, for id: Instance.ID) throws(RuntimeException)
        -> StorageRoot
    {
        try storage(.local, under: permission, for: id) { try library.dataFolder(of: domain) }
    }

    /// The data of all apps, for apps that look after the system.
    func systemStorage(under permission: Permission, for id: Instance.ID) throws(RuntimeException) -> StorageRoot {
        try storage(.system, under: permission, for: id) { library.path + "/data" }
    }

    private func storage(
        _ kind: StorageRoot.Kind, under permission: Permission, for id: Instance.ID, at path: () throws -> String
    ) throws(RuntimeException) -> StorageRoot {
        guard let instance = instances[id], instance.isLive else { throw ServicePipe.exception("connectionClosed") }
        if let root = instance.storages[permission] { return root }
        let (log, entryPoint) = (instance.app.log, instance.entryPoint.text)
        do {
            let root = try StorageRoot(path(), kind: kind, limits: settings.storage) { refused in
                // Closed means that the person took it back.
                let denied = refused.has("storageClosed") ? permission.capability : nil
                log.write(.warning, from: entryPoint, "denied: \(refused.json.text)", denying: denied)
            }
            instance.storages[permission] = root
            instance.opened[permission, default: []].append { root.close() }
            return root
        } catch {
            log.write(.error, from: entryPoint, "its files cannot be opened: \(error)")
            throw RuntimeException(type: "storage", flag: "notAvailable")
        }
    }

    /// Closes what was opened for a component and is not granted any more, with everything that came out of it.
    func withdrawDenied(from instance: Instance) {
        let permissions = instance.component.requested.limited(to: instance.app.grants)
        for permission in instance.opened.keys where !permissions.contains(permission.capability, permission.scope) {
            for close in instance.opened.removeValue(forKey: permission) ?? [] { close() }
            instance.storages[permission] = nil
        }
    }

    /// A file or folder that an app shares with its other components, or with other apps.
    func resource(
        _ name: String, of domain: AppDomain, for id: Instance.ID, on connection: ObjectConnection
    ) throws(RuntimeException) -> ShellFsResourceProto.GetFSResourceReplyBody {
        func exception(_ flag: String) -> RuntimeException { RuntimeException(type: "fs-resource", flag: flag) }
        guard let instance = instances[id], instance.isLive else { throw ServicePipe.exception("connectionClosed") }
        let owner: RunningApp
        do { owner = try app(domain) } catch { throw exception("notFound") }
        guard let resource = owner.manifest.resources.first(where: { $0.name == name }), resource.storage == .local
        else {
            throw exception("notFound")
        }
        guard resource.allowed.allows(instance.caller, at: domain) else {
            owner.log.write(
                .warning, from: nil, "denied: \(name) is not for \(instance.entryPoint) of \(instance.app.domain)")
            throw exception("notAllowed")
        }
        let permission = Permission(.resources, .named(name, app: domain == instance.app.domain ? nil : domain))
        let root = try storage(of: domain, under: permission, for: id)
        try prepare(resource, of: owner)
        switch resource.kind {
        case .file: return .init(file: try root.serveFile(resource.path, writable: true, on: connection))
        case .folder: return .init(folder: try root.serve(resource.path, writable: true, name: name, on: connection))
        }
    }

    /// Puts the value in place with which a shared file begins.
    private func prepare(_ resource: ExposedResource, of owner: RunningApp) throws(RuntimeException) {
        do {
            let files = try ConfinedFolder(library.dataFolder(of: owner.domain))
            let place = try ConfinedPath(resource.path)
            if (try? files.status(place)) != nil { return }
            if let parent = place.parent as ConfinedPath?, !parent.steps.isEmpty { try files.makeFolders(parent) }
            switch resource.kind {
            case .folder: try files.makeFolder(place)
            case .file:
                guard let initial = resource.initialValue else { return }
                let bytes = try library.read(initial, of: owner.installed)
                try AtomicFile.write(bytes, to: files.folder(place.parent).path + "/" + (place.name ?? ""))
            }
        } catch {
            owner.log.write(.error, from: nil, "the shared \(resource.name) cannot be made: \(error)")
            throw RuntimeException(type: "fs-resource", flag: "notFound")
        }
    }
}
