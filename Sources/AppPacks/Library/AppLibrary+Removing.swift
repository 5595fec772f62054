public import Components
internal import Storage

extension AppLibrary {
    /// Removes an app with what it was granted. Stop it first.
    /// - Parameter keepingData: whether its files and its log stay, for when it is installed again.
    public func remove(_ domain: AppDomain, keepingData: Bool) throws(AppPackError) {
        try changing { (lock) throws(AppPackError) in
            try sweep(holding: lock)
            let removed = try reporting { () throws(FileError) in
                let packs = try folder(.packs)
                guard try packs.status(of: domain.reversed) != nil else { return false }
                try discard(domain.reversed, in: packs)
                return true
            }
            guard removed else { throw Self.notInstalled(domain) }
            if !keepingData { try removeFiles(of: domain) }
        }
    }

    /// Removes what an app keeps, whether it is installed or not: its files and its log. Stop it first.
    public func removeData(of domain: AppDomain) throws(AppPackError) {
        try changing { (lock) throws(AppPackError) in
            try sweep(holding: lock)
            try removeFiles(of: domain)
        }
    }

    private func removeFiles(of domain: AppDomain) throws(AppPackError) {
        try reporting { () throws(FileError) in
            let data = try folder(.data)
            let logs = try folder(.logs)
            if try data.status(of: domain.reversed) != nil { try discard(domain.reversed, in: data) }
            for name in ["\(domain.reversed).log", "\(domain.reversed).log.1"] { try logs.remove(name) }
        }
    }

    /// Takes something out of its place in one step, and then apart.
    func discard(_ name: String, in folder: borrowing Folder) throws(FileError) {
        let partial = try self.folder(.partial)
        try folder.move(name, to: partial, as: Self.partialName())
        try folder.synchronize()
        try Self.clear(partial)
    }

    /// Removes what others left when they died.
    func sweep(holding lock: borrowing LibraryLock) throws(AppPackError) {
        try reporting { () throws(FileError) in
            try Self.clear(folder(.partial))
            let packs = try folder(.packs)
            for name in try packs.names(atMost: Self.appLimit) where AppDomain(reversed: name) != nil {
                // An app whose first version was never put in place.
                if try packs.folder(name).status(of: "current") == nil { try discard(name, in: packs) }
            }
        }
    }

    /// Empties a folder. What is in folders in it is brought up first, so no tree is too deep.
    private static func clear(_ partial: borrowing Folder) throws(FileError) {
        while true {
            let names = try partial.names(atMost: 1_000_000)
            if names.isEmpty { return }
            for name in names {
                guard try partial.status(of: name)?.kind == .folder else {
                    try partial.remove(name)
                    continue
                }
                let folder = try partial.folder(name)
                for entry in try folder.names(atMost: 1_000_000) {
                    if try folder.status(of: entry)?.kind == .folder {
                        try folder.move(entry, to: partial, as: partialName())
                    } else {
                        try folder.remove(entry)
                    }
                }
                try partial.removeEmptyFolder(name)
            }
        }
    }
}
