public import Components
internal import Storage
public import Wire

extension AppLibrary {
    /// Opens a file of an app, in the version that `app` says. No path leads out of the app's folder.
    public func open(_ path: PackPath, of app: InstalledApp) throws(AppPackError) -> AppFile {
        do throws(FileError) {
            let version = try folder(.packs).folder(app.domain.reversed).folder(app.folder)
            return try AppFile(version.folder("app").open(at: path))
        } catch {
            if error.code == .missing || error.code == .damaged {
                throw AppPackError(.noSuchFile, "there is no file \(path) in \(app.domain) \(app.version)")
            }
            throw AppPackError(error)
        }
    }

    /// The whole file.
    public func read(_ path: PackPath, of app: InstalledApp) throws(AppPackError) -> [UInt8] {
        try open(path, of: app).readAll()
    }

    /// The manifest as it came with the app, for programs that look after apps.
    public func manifestJSON(of app: InstalledApp) throws(AppPackError) -> JSONValue {
        let bytes = try reporting { () throws(FileError) in
            try folder(.packs).folder(app.domain.reversed).folder(app.folder)
                .read("manifest.json", atMost: AppManifest.byteLimit)
        }
        guard let json = try? JSONValue(bytes) else {
            throw AppPackError(.changed, "the manifest of \(app.domain) is damaged; install the app again")
        }
        return json
    }

    /// The folder in which an app keeps its files. It is made if it is missing.
    /// - Parameter domain: that of the app, or one below it that its manifest names.
    public func dataFolder(of domain: AppDomain) throws(AppPackError) -> String {
        try reporting(try folder(.data).folder(making: domain.reversed).path)
    }

    /// The file that an app's log goes to. It may not be there yet.
    public func logFile(of domain: AppDomain) -> String { "\(path)/logs/\(domain.reversed).log" }

    /// Bytes of all files of an app, in the version that `app` says.
    public func byteCount(of app: InstalledApp) throws(AppPackError) -> Int64 {
        try reporting { () throws(FileError) in
            let version = try folder(.packs).folder(app.domain.reversed).folder(app.folder)
            return try Self.byteCount(of: version.folder("app"), atMost: limits.entries)
        }
    }

    private static func byteCount(of folder: borrowing Folder, atMost limit: Int) throws(FileError) -> Int64 {
        var count: Int64 = 0
        for name in try folder.names(atMost: limit) {
            guard let status = try folder.status(of: name) else { continue }
            switch status.kind {
            case .file: count += status.size
            case .folder: count += try byteCount(of: folder.folder(name), atMost: limit)
            case .symbolicLink, .other: break
            }
        }
        return count
    }
}
