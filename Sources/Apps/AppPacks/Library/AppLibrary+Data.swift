package import Components
internal import Storage

/// Where apps keep files: each in `data/<reversed domain>`, and in `data/<reversed domain>+/<reversed name>` where its manifest names a
/// domain below its own. That is a name and nothing else: the files of an app of that domain are elsewhere.
extension AppLibrary {
    /// A folder in which an app keeps its files. It is made if it is missing.
    /// - Parameter name: the app's own domain, or one below it that its manifest names.
    package func dataFolder(of app: AppDomain, named name: AppDomain? = nil) throws(AppPackError) -> String {
        // Nobody puts something in the place of files that are still to be moved there.
        if try reporting({ () throws(FileError) in try !isMigrated() }) { try changing { (_) throws(AppPackError) in } }
        return try reporting { () throws(FileError) in
            let data = try folder(.data)
            guard let name, name != app else { return try data.folder(making: app.reversed).path }
            let below = try data.folder(making: Self.folderBelow(app))
            return try below.folder(making: name.reversed).path
        }
    }

    /// All folders in which an app may keep files, whether they are there or not: what one quota is for.
    package func dataFolders(of app: AppDomain) -> [String] {
        [app.reversed, Self.folderBelow(app)].map { "\(path)/data/\($0)" }
    }

    static func folderBelow(_ app: AppDomain) -> String { app.reversed + "+" }

    /// Those of these domains whose apps have files here, installed or not.
    func keptFiles(of domains: some Sequence<AppDomain>) throws(AppPackError) -> Set<AppDomain> {
        try reporting { () throws(FileError) in
            let data = try folder(.data)
            var kept: Set<AppDomain> = []
            for domain in domains where try data.status(of: domain.reversed) != nil { kept.insert(domain) }
            return kept
        }
    }

    /// The file that an app's log goes to. It may not be there yet.
    package func logFile(of domain: AppDomain) -> String { "\(path)/logs/\(domain.reversed).log" }

    /// The file that says what was denied to an app.
    package func denialsFile(of domain: AppDomain) -> String { "\(path)/logs/\(domain.reversed).denied" }
}
