internal import Wire

extension RequestReader {
    mutating func readStorage(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        if let folders = object.optional("appFS") { try readFolders(folders) }
        if let user = object.optional("userFS") { try readStorages(user, .userFiles) }
        if let system = object.optional("sysFS") { try readStorages(system, .systemFiles) }
        for value in try object.optional("filesOnDevice")?.array() ?? [] {
            var entry = try value.object()
            let path = try entry.required("path").string(atMost: 1024)
            ask(.deviceFiles, .devicePath(path, writable: try entry.flag("writable")))
            entry.done()
        }
        object.done()
    }

    private enum FolderStorage: String, CaseIterable {
        case synced, local
        case both = "synced-n-local"
    }

    private mutating func readFolders(_ value: ManifestValue) throws(ManifestError) {
        if value.json.string != nil {
            _ = try value.word("default")
            return ask(app, .both)
        }
        for element in try value.array() {
            var entry = try element.object()
            let domain = try entry.required("domain").domain()
            let storage = try entry.required("storage").word(of: FolderStorage.self)
            entry.done()
            if domain.isWithin(app), !domain.isReserved {
                ask(domain, storage)
            } else {
                element.warn("is left out, because \(domain) is neither \(app) nor below it")
            }
        }
    }

    private mutating func ask(_ domain: AppDomain, _ storage: FolderStorage) {
        if storage != .synced { ask(.ownFiles, .folder(domain)) }
        if storage != .local { ask(.syncedFiles, .folder(domain)) }
    }

    private mutating func readStorages(_ value: ManifestValue, _ capability: Capability) throws(ManifestError) {
        if value.json.string != nil {
            _ = try value.word("all")
            for kind in PermissionScope.StorageKind.allCases {
                ask(capability, .storage(kind, writable: true))
            }
            return
        }
        for element in try value.array() {
            var entry = try element.object()
            let kind = try entry.required("type").word(of: PermissionScope.StorageKind.self)
            ask(capability, .storage(kind, writable: try entry.flag("writable")))
            entry.done()
        }
    }
}
