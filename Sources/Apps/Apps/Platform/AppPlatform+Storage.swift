internal import AppPacks
internal import ComponentStorage
internal import Components
internal import Storage
internal import Wire

extension AppPlatform {
    /// A folder of an app's files, opened once for each permission.
    /// - Parameter name: the app's own domain, or one below it.
    func storage(named name: AppDomain, under permission: Permission, for id: Instance.ID) throws(RuntimeException)
        -> StorageRoot
    {
        let instance = try live(id)
        let owner = instance.app.domain
        return try storage(.local, of: owner, under: permission, for: instance) {
            try library.dataFolder(of: owner, named: name)
        }
    }

    /// The data of all apps, for apps that look after the system.
    func systemStorage(under permission: Permission, for id: Instance.ID) throws(RuntimeException) -> StorageRoot {
        try storage(.system, of: nil, under: permission, for: try live(id)) { library.path + "/data" }
    }

    private func live(_ id: Instance.ID) throws(RuntimeException) -> Instance {
        guard let instance = instances[id], instance.isLive else { throw ServicePipe.exception("connectionClosed") }
        return instance
    }

    /// - Parameter owner: whose files these are; nil for those of all.
    private func storage(
        _ kind: StorageRoot.Kind, of owner: AppDomain?, under permission: Permission, for instance: Instance,
        at path: () throws -> String
    ) throws(RuntimeException) -> StorageRoot {
        guard instance.permissions.contains(permission.capability, permission.scope) else {
            throw instance.access.deny(permission)
        }
        let app = instance.app
        if let open = storages[app.domain]?[permission] { return open.root }
        let log = app.log
        do {
            let root = try StorageRoot(
                path(), kind: kind, limits: settings.storage, quota: quota(of: owner), watches: app.allowances.watches
            ) { refused in
                // Closed means that it was taken back.
                log.deny("\(refused)", from: nil, lacking: refused.has("storageClosed") ? permission.capability : nil)
            }
            storages[app.domain, default: [:]][permission] = OpenStorage(root: root, owner: owner)
            return root
        } catch {
            log.write(.error, from: nil, "its files cannot be opened: \(error)")
            throw RuntimeException(type: "storage", flag: "notAvailable")
        }
    }

    /// What everything counts against that is written into the files of an app, no matter who writes it, and in which of its folders.
    private func quota(of owner: AppDomain?) -> StorageQuota {
        if let quota = quotas[owner] { return quota }
        let folders = owner.map { library.dataFolders(of: $0) } ?? [library.path + "/data"]
        let quota = StorageQuota(
            folders, limit: settings.storage.quota, pause: settings.storage.recountPause)
        quotas[owner] = quota
        return quota
    }

    /// Closes storages that were opened for an app, with everything that came out of them, wherever it is now; and what the app lends
    /// to others.
    func closeStorages(of domain: AppDomain) {
        closeStorages(openedFor: domain)
        closeStorages(lentBy: domain)
    }

    func closeStorages(openedFor domain: AppDomain, where matches: (Permission) -> Bool = { _ in true }) {
        for (permission, open) in storages[domain] ?? [:] where matches(permission) {
            open.root.close()
            storages[domain]?[permission] = nil
        }
    }

    /// Closes what other apps hold of an app's files.
    func closeStorages(lentBy domain: AppDomain) {
        for (borrower, all) in storages where borrower != domain {
            for (permission, open) in all where open.owner == domain {
                open.root.close()
                storages[borrower]?[permission] = nil
            }
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
        let instance = try live(id)
        let owner: RunningApp
        do { owner = try app(domain) } catch { throw exception("notFound") }
        guard let resource = owner.manifest.resources.first(where: { $0.name == name }), resource.storage == .local
        else {
            throw exception("notFound")
        }
        guard resource.allowed.allows(instance.caller, at: domain) else {
            owner.log.deny("\(name) is not for \(instance.entryPoint) of \(instance.app.domain)", from: nil)
            throw exception("notAllowed")
        }
        // Unavailable if the owner lacks the permission.
        let owned = Permission(.ownFiles, .folder(domain))
        guard owner.grants.contains(owned) else { throw exception("notAllowed") }
        let permission = Permission(.resources, .named(name, app: domain == instance.app.domain ? nil : domain))
        let root = try storage(.local, of: domain, under: permission, for: instance) {
            try library.dataFolder(of: domain)
        }
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
                // Written under another name first, so that half of it is never visible.
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

/// A storage that is open for an app.
struct OpenStorage {
    let root: StorageRoot
    /// Whose files these are: the app's own, or another one's that lends them; nil for those of all apps.
    let owner: AppDomain?
}
