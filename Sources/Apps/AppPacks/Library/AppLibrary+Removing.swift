package import Components
internal import Storage

extension AppLibrary {
    /// Removes an app with what it was granted. Stop it first.
    /// - Parameter keepingData: whether its files and its log stay, for when it is installed again.
    package func remove(_ domain: AppDomain, keepingData: Bool) throws(AppPackError) {
        try changing { (lock) throws(AppPackError) in
            sweep(holding: lock)
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
    /// - Parameter remover: who does it. An app that removes what another one put in place does not come into its name: who may install
    ///   it stays as it was.
    package func removeData(of domain: AppDomain, by remover: AppPublisher = .person) throws(AppPackError) {
        try changing { (lock) throws(AppPackError) in
            sweep(holding: lock)
            let known = try publisher(of: domain)
            if let known, remover != .person, remover != known {
                // What says it otherwise goes with the files.
                try note(known, of: domain)
                try removeFiles(of: domain, keepingPublisher: true)
            } else {
                try removeFiles(of: domain)
            }
        }
    }

    private func removeFiles(of domain: AppDomain, keepingPublisher: Bool = false) throws(AppPackError) {
        try reporting { () throws(FileError) in
            let data = try folder(.data)
            let names = [domain.reversed, Self.folderBelow(domain)]
            for name in names where try data.status(of: name) != nil { try discard(name, in: data) }
            let logs = try folder(.logs)
            for end in ["log", "log.1", "denied", "denied.1"] { try logs.remove("\(domain.reversed).\(end)") }
            if keepingPublisher { return }
            if try folder(.packs).status(of: domain.reversed) == nil { try folder(.publishers).remove(domain.reversed) }
        }
    }

    /// Takes something out of its place in one step, and then apart. What cannot be taken apart now is left to the next sweep.
    func discard(_ name: String, in folder: Folder) throws(FileError) {
        let partial = try self.folder(.partial)
        try folder.move(name, to: partial, as: Self.partialName())
        try folder.synchronize()
        try? Self.clear(partial)
    }

    /// Removes what others left when they died. What cannot be removed only takes up room.
    func sweep(holding lock: borrowing LibraryLock) {
        try? Self.clear(folder(.partial))
        guard let packs = try? folder(.packs), let names = try? packs.names(atMost: Self.appLimit) else { return }
        for name in names where (try? isLeftover(name, in: packs)) == true { try? discard(name, in: packs) }
    }

    /// Whether it is an app whose first version was never put in place.
    private func isLeftover(_ name: String, in packs: Folder) throws(FileError) -> Bool {
        guard AppDomain(reversed: name) != nil else { return false }
        return try packs.folder(name).status(of: "current") == nil
    }

    /// Empties a folder. What is in folders in it is brought up first, so no tree is too deep.
    private static func clear(_ partial: Folder) throws(FileError) {
        var stuck: Set<String> = []
        while true {
            let names = try partial.names(atMost: 1_000_000).filter { !stuck.contains($0) }
            if names.isEmpty { return }
            for name in names {
                do throws(FileError) { try takeApart(name, in: partial) } catch { stuck.insert(name) }
            }
        }
    }

    private static func takeApart(_ name: String, in partial: Folder) throws(FileError) {
        guard try partial.status(of: name)?.kind == .folder else {
            try partial.remove(name)
            return
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
