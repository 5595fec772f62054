package import Components
internal import Storage
package import Wire

/// A version of an app in the library: the one that is installed, or one that waits.
package protocol StoredVersion: Sendable {
    var domain: AppDomain { get }
    var version: AppVersion { get }
    /// Where it lies, from the library's folder on.
    var steps: [String] { get }
}

extension AppLibrary {
    /// The version of an app that is installed, or waits; nil if there is none.
    package func stored(_ domain: AppDomain, _ version: AppVersion) throws(AppPackError) -> (any StoredVersion)? {
        if let app = try installed(domain), app.version == version { return app }
        return try waitingPacks().first { $0.domain == domain && $0.version == version }
    }

    private func folder(of app: some StoredVersion) throws(FileError) -> Folder {
        var folder = try Folder(path)
        for step in app.steps { folder = try folder.folder(step) }
        return folder
    }

    /// Opens a file of an app, in the version that `app` says. No path leads out of the app's folder.
    package func open(_ path: PackPath, of app: some StoredVersion) throws(AppPackError) -> AppFile {
        do throws(FileError) {
            return try AppFile(folder(of: app).folder("app").open(at: path))
        } catch {
            if [.missing, .notFile, .isDirectory, .notDirectory].contains(error.code) {
                throw AppPackError(.noSuchFile, "there is no file \(path) in \(app.domain) \(app.version)")
            }
            throw AppPackError(error)
        }
    }

    /// The whole file.
    package func read(_ path: PackPath, of app: some StoredVersion) throws(AppPackError) -> [UInt8] {
        try open(path, of: app).readAll()
    }

    /// The manifest as it came with the app, for programs that look after apps.
    package func manifestJSON(of app: some StoredVersion) throws(AppPackError) -> JSONValue {
        let bytes = try reporting { () throws(FileError) in
            try folder(of: app).read("manifest.json", atMost: AppManifest.byteLimit)
        }
        guard let json = try? AppManifest.json(bytes) else {
            throw AppPackError(.changed, "the manifest of \(app.domain) is damaged; install the app again")
        }
        return json
    }

    /// Bytes of all files of an app, in the version that `app` says.
    package func byteCount(of app: some StoredVersion) throws(AppPackError) -> Int64 {
        try reporting { () throws(FileError) in
            try Self.byteCount(of: folder(of: app).folder("app"), atMost: limits.entries)
        }
    }

    private static func byteCount(of folder: Folder, atMost limit: Int) throws(FileError) -> Int64 {
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
