public import Components
internal import Storage

/// Where apps keep files: each in `data/<reversed domain>`, and in `data/<reversed domain>+/<reversed name>` where its manifest names a
/// domain below its own. That is a name and nothing else: the files of an app of that domain are elsewhere.
extension AppLibrary {
    /// A folder in which an app keeps its files. It is made if it is missing.
    /// - Parameter name: the app's own domain, or one below it that its manifest names.
    public func dataFolder(of app: AppDomain, named name: AppDomain? = nil) throws(AppPackError) -> String {
        try reporting { () throws(FileError) in
            let data = try folder(.data)
            guard let name, name != app else { return try data.folder(making: app.reversed).path }
            let below = try data.folder(making: Self.folderBelow(app))
            if try below.status(of: name.reversed) == nil { try adopt(name, into: below) }
            return try below.folder(making: name.reversed).path
        }
    }

    /// All folders in which an app may keep files, whether they are there or not: what one quota is for.
    public func dataFolders(of app: AppDomain) -> [String] {
        [app.reversed, Self.folderBelow(app)].map { "\(path)/data/\($0)" }
    }

    static func folderBelow(_ app: AppDomain) -> String { app.reversed + "+" }

    /// Earlier versions kept these files where those of an app of that domain are. They are moved unless there may be such an app.
    private func adopt(_ name: AppDomain, into below: borrowing Folder) throws(FileError) {
        let data = try folder(.data)
        guard try data.status(of: name.reversed) != nil, try isNobodys(name) else { return }
        try data.move(name.reversed, to: below, as: name.reversed)
        try below.synchronize()
        try data.synchronize()
    }

    /// Whether no app of this domain is here, or was.
    func isNobodys(_ domain: AppDomain) throws(FileError) -> Bool {
        if try folder(.packs).status(of: domain.reversed) != nil { return false }
        if try folder(.publishers).status(of: domain.reversed) != nil { return false }
        return try folder(.logs).status(of: "\(domain.reversed).log") == nil
    }

    /// The file that an app's log goes to. It may not be there yet.
    public func logFile(of domain: AppDomain) -> String { "\(path)/logs/\(domain.reversed).log" }

    /// The file that says what was denied to an app.
    public func denialsFile(of domain: AppDomain) -> String { "\(path)/logs/\(domain.reversed).denied" }
}
