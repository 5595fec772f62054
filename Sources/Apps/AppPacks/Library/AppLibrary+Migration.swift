internal import Components
internal import Storage

/// What earlier versions kept elsewhere.
///
/// They kept the files of an app under a domain below its own where those of an app of that domain are. These are moved once, when this
/// version has the library for the first time, for those apps alone that are installed then: what is installed later never had them, and a
/// manifest may name any domain below its own.
extension AppLibrary {
    /// There since everything was moved.
    private static let migrationFile = "data-version"

    func isMigrated() throws(FileError) -> Bool { try Folder(path).status(of: Self.migrationFile) != nil }

    /// One that dies on the way is repeated by the next one: nothing is installed before it is done.
    func migrate(holding lock: borrowing LibraryLock) throws(AppPackError) {
        if try reporting({ () throws(FileError) in try isMigrated() }) { return }
        // Of two apps that used the same folder, the one whose domain is nearer gets it.
        let apps = try list().apps.sorted { $0.domain.name.utf8.count > $1.domain.name.utf8.count }
        try reporting { () throws(FileError) in
            for app in apps {
                for name in app.foldersBelow { try move(name, below: app.domain) }
            }
            try Folder(path).write(Array("2\n".utf8), to: Self.migrationFile)
        }
    }

    /// Leaves what may be another app's.
    private func move(_ name: AppDomain, below app: AppDomain) throws(FileError) {
        let data = try folder(.data)
        guard try data.status(of: name.reversed) != nil, try isNobodys(name) else { return }
        let below = try data.folder(making: Self.folderBelow(app))
        guard try below.status(of: name.reversed) == nil else { return }
        try data.move(name.reversed, to: below, as: name.reversed)
        try below.synchronize()
        try data.synchronize()
    }

    /// Whether there is no sign that an app of this domain is here, or was. Earlier versions left none of an app that was removed and
    /// never wrote a log, so this is no reason to give files away, or to remove them.
    func isNobodys(_ domain: AppDomain) throws(FileError) -> Bool {
        if try folder(.packs).status(of: domain.reversed) != nil { return false }
        if try folder(.publishers).status(of: domain.reversed) != nil { return false }
        return try folder(.logs).status(of: "\(domain.reversed).log") == nil
    }
}

extension InstalledApp {
    /// Domains below its own whose folders it uses.
    fileprivate var foldersBelow: [AppDomain] {
        let named = Set(manifest.components.flatMap { $0.requested.folders(in: .local) })
        return named.subtracting([domain]).sorted()
    }
}
