package import Components
internal import Storage

/// The ports `assets_readBytes` and `assets_listFolder`: what a host brings along for its core, read only.
package struct HostAssets: Sendable {
    private let packs: ConfinedFolder?
    private let apps: ConfinedFolder?

    private static let readLimit = (64 << 20) - 4096
    private static let entryLimit = 100_000

    /// - Parameters:
    ///   - packs: the folder of app packs that can be installed.
    ///   - apps: the folder of apps that are never installed, such as the one to sign in with.
    ///   A folder that is not there is an empty one.
    package init(packs: String?, apps: String?) {
        self.packs = packs.flatMap { try? ConfinedFolder($0) }
        self.apps = apps.flatMap { try? ConfinedFolder($0) }
    }

    package var functions: [String: NativeFunction] {
        var functions = FileFunctions(queue: BlockingQueue("assets"))
        let (packs, apps) = (packs, apps)
        functions.slow("assets_readBytes") { (arguments: FsOpProto.ReadFromAssetsPathArgs) throws(FileError) in
            guard let folder = arguments.fromPacks ? packs : apps else { throw Self.missing }
            return try Self.read(
                folder.open(ConfinedPath(arguments.path), .reading), from: arguments.start, to: arguments.end)
        }
        functions.slow("assets_listFolder") { (arguments: FsOpProto.AssetsPathArgs) throws(FileError) in
            guard let folder = arguments.fromPacks ? packs : apps else { throw Self.missing }
            let entries = try folder.entries(ConfinedPath(arguments.path), atMost: Self.entryLimit)
            return FsOpProto.AssetsFolderListing(
                items: entries.map { .init(name: $0.name, isFolder: $0.kind == .folder) }
            ).encoded
        }
        return functions.byPort
    }

    private static let missing = FileError(.missing, reason: "this host brings no such assets")

    /// Bytes from `start` up to, and not including, `end`; as many as there are.
    private static func read(
        _ file: FileDescriptor, from start: Int64?, to end: Int64?
    ) throws(FileError) -> [UInt8] {
        let status = try file.status()
        if status.kind == .folder { throw FileError(.isDirectory, reason: "it is a folder") }
        let (start, end) = (start ?? 0, min(end ?? status.size, status.size))
        guard start >= 0, end >= 0 else { throw FileError(.failed, reason: "a range begins at 0 or later") }
        guard start < end else { return [] }
        guard end - start <= Int64(readLimit) else { throw FileError(.failed, reason: "the range is too long") }
        return try file.read(at: start, atMost: Int(end - start))
    }
}
