package import Components
internal import Storage

/// A file of the app in a pack, with its path in the app.
struct PackedFile {
    let entry: PackEntry
    let path: PackPath
}

/// A pack that was opened and understood.
struct Pack {
    let contents: any PackContents
    let manifest: AppManifest
    let manifestBytes: [UInt8]
    let files: [PackedFile]

    /// Opens a folder or a ZIP file, with `manifest.json` at the top and the files of the app in `app/`, or beside it.
    init(_ path: String, limits: PackLimits) throws(AppPackError) {
        let contents: any PackContents
        if (try? Folder(path)) != nil {
            contents = try FolderContents(path, limits: limits)
        } else {
            contents = try ZipContents(path, limits: limits)
        }
        guard let entry = contents.entries.first(where: { $0.path.text == "/manifest.json" }) else {
            throw AppPackError(
                .notAPack, "\(path) has no manifest.json at its top, so it is no app; pack what is in the app's folder")
        }
        let bytes = try contents.bytes(of: entry, atMost: AppManifest.byteLimit)
        do throws(ManifestError) {
            manifest = try AppManifest(decoding: bytes)
        } catch {
            throw AppPackError(error, in: "\(path)/manifest.json")
        }
        (self.contents, manifestBytes) = (contents, bytes)
        files = try Self.files(of: contents, manifest)
    }

    var byteCount: Int64 { files.reduce(0) { $0 + $1.entry.byteCount } }

    /// Bytes of all scripts of one pack.
    static let scriptLimit = 64 << 20

    /// The code of each headless component.
    func scripts() throws(AppPackError) -> [PackPath: String] {
        var (scripts, rest): ([PackPath: String], Int) = ([:], Self.scriptLimit)
        for component in manifest.components where component.runtime == .headless {
            guard let file = files.first(where: { $0.path == component.entryPoint }) else { continue }
            let bytes = try contents.bytes(of: file.entry, atMost: rest)
            guard let code = String(validating: bytes, as: UTF8.self) else {
                throw AppPackError(.refused, "\(component.entryPoint) in \(contents.path) is not UTF-8 text")
            }
            rest -= bytes.count
            scripts[component.entryPoint] = code
        }
        return scripts
    }

    /// Bytes of a picture of an app that is shown before it is installed.
    static let pictureLimit = 256 << 10

    /// The picture of the app; `nil` if there is none, or none so small. An app is not refused for its picture.
    var picture: [UInt8]? {
        guard let icon = manifest.icon, let file = files.first(where: { $0.path == icon }) else { return nil }
        return try? contents.bytes(of: file.entry, atMost: Self.pictureLimit)
    }

    /// Files that the manifest names and without which the app runs: pictures, and what shared files begin with.
    var missing: [PackPath] {
        let named =
            [manifest.icon] + manifest.components.map(\.icon) + manifest.launchers.map(\.icon)
            + manifest.resources.map(\.initialValue)
        let missing = Set(named.compactMap(\.self)).subtracting(files.map(\.path))
        return missing.sorted { $0.text < $1.text }
    }

    /// Those in `app/`, if all entry points are there, otherwise all but the manifest.
    private static func files(
        of contents: any PackContents, _ manifest: AppManifest
    ) throws(AppPackError) -> [PackedFile] {
        let visible = contents.entries.filter { !$0.path.names.contains { $0.hasPrefix(".") } }
        let inside = visible.compactMap { entry in
            entry.path.names[0] == "app"
                ? PackPath(String(entry.path.text.dropFirst(4))).map { PackedFile(entry: entry, path: $0) } : nil
        }
        let beside = visible.filter { $0.path.text != "/manifest.json" }.map { PackedFile(entry: $0, path: $0.path) }
        let layouts = inside.isEmpty ? [beside] : [inside, beside]
        for files in layouts where missing(from: files, manifest) == nil { return files }
        let path = missing(from: layouts[0], manifest) ?? .indexPage
        throw AppPackError(
            .notAPack, "\(contents.path) lacks the file of its component \(path); add it, or mend the manifest")
    }

    private static func missing(from files: [PackedFile], _ manifest: AppManifest) -> PackPath? {
        let paths = Set(files.map(\.path))
        return manifest.components.map(\.entryPoint).first { !paths.contains($0) }
    }
}

/// How large a pack may be. Apps of that platform are a few megabytes in some hundred files.
package struct PackLimits: Hashable, Sendable {
    /// Bytes of a ZIP file.
    package var archive: Int64 = 256 << 20
    /// Files in a pack, and folders.
    package var entries = 10_000
    /// Bytes of one file.
    package var file: Int64 = 128 << 20
    /// Bytes of all files.
    package var total: Int64 = 512 << 20
    /// Bytes that one byte of a ZIP file may become, above ``freelyUnpacked``.
    package var ratio: Int64 = 100
    package var freelyUnpacked: Int64 = 16 << 20

    /// Packs that wait to be installed, and bytes of their files all together.
    package var waiting = 16
    package var waitingTotal: Int64 = 1 << 30

    package init() {}
}

/// How far the unpacking of a pack is.
package struct PackProgress: Hashable, Sendable {
    /// Files of the app, and how many of them are done.
    package var files = 0
    package var done = 0
    /// Bytes that were copied.
    package var bytes: Int64 = 0
    /// The one that is being copied, or was the last.
    package var file: PackPath?

    package init() {}
}
