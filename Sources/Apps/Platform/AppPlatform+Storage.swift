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
        guard instance.permissions.contains(permission.capability, permission.scope) else {
            throw instance.gate.deny(permission.capability, permission.scope.words)
        }
        let app = instance.app
        if let root = storages[app.domain]?[permission] { return root }
        let log = app.log
        do {
            let watches = app.allowances.watches
            let root = try StorageRoot(path(), kind: kind, limits: settings.storage, watches: watches) { refused in
                // Closed means that the person took it back.
                let denied = refused.has("storageClosed") ? permission.capability : nil
                log.write(.warning, from: nil, "denied: \(refused)", denying: denied)
            }
            storages[app.domain, default: [:]][permission] = root
            return root
        } catch {
            log.write(.error, from: nil, "its files cannot be opened: \(error)")
            throw RuntimeException(type: "storage", flag: "notAvailable")
        }
    }

    /// Closes storages that were opened for an app, with everything that came out of them, wherever it is now.
    func closeStorages(of domain: AppDomain, where matches: (Permission) -> Bool = { _ in true }) {
        for (permission, root) in storages[domain] ?? [:] where matches(permission) {
            root.close()
            storages[domain]?[permission] = nil
        }
    }

    /// Closes the connections that a component made and that are not granted any more.
    func withdrawDenied(from instance: Instance) {
        let permissions = instance.permissions
        for (pipe, permission) in instance.made where !permissions.contains(permission.capability, permission.scope) {
            instance.pipes[pipe]?.close()
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
        // What its owner may not touch, nobody can be lent.
        let owned = Permission(.ownFiles, .folder(domain))
        guard owner.grants.contains(owned) else { throw exception("notAllowed") }
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
                // Written under another name first, so that nobody ever sees half of it.
                let draft = try ConfinedPath(resource.path + ".new")
                let file = try files.open(draft, .creating)
                try file.write(bytes[...])
                try file.truncate(to: Int64(bytes.count))
                try file.synchronize()
                try files.rename(draft, to: place)
            }
        } catch {
            owner.log.write(.error, from: nil, "the shared \(resource.name) cannot be made: \(error)")
            throw RuntimeException(type: "fs-resource", flag: "notFound")
        }
    }
}
