internal import Components
internal import Storage

/// What the storage itself keeps of a file or folder: its version, and where its archived versions lie.
///
/// A version begins at 1 and grows by one with each change: of a file's content, of what a folder holds, of attributes. It is kept in an
/// extended attribute of the system under a name that apps cannot set, so it goes where the file goes. What somebody else made has
/// none, which means 1; what others change in place keeps its version.
struct StoredVersion: Sendable {
    private let system: ExtendedAttributes
    #if os(Linux)
    private static let prefix = "user.alcove-"
    #else
    private static let prefix = "alcove-"
    #endif
    private static let versionName = prefix + "version"
    private static let archiveName = prefix + "archive"
    static let emptyRangesName = prefix + "empty"
    /// The highest version, as JavaScript counts.
    static let limit: UInt64 = (1 << 53) - 1

    init(_ system: ExtendedAttributes) { self.system = system }

    /// Whether the file system of a folder keeps attributes, without which there are no versions.
    static func areKept(in folder: Folder) -> Bool { (try? folder.attributes().names()) != nil }

    var number: UInt64 {
        guard let bytes = try? system.value(Self.versionName, atMost: 20) ?? nil,
            let number = UInt64(String(decoding: bytes, as: UTF8.self)), (1...Self.limit).contains(number)
        else { return 1 }
        return number
    }

    func set(_ number: UInt64) throws(FileError) {
        try system.set(Self.versionName, to: Array(String(min(number, Self.limit)).utf8))
    }

    /// Makes it the next version.
    @discardableResult
    func advance() throws(FileError) -> UInt64 {
        let next = number + 1
        try set(next)
        return next
    }

    /// The name of the folder with the archived versions of a file; nil if none was archived.
    var archive: String? {
        guard let bytes = try? system.value(Self.archiveName, atMost: 20) ?? nil, !bytes.isEmpty else { return nil }
        let isName = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
        return isName ? String(decoding: bytes, as: UTF8.self) : nil
    }

    func setArchive(_ name: String) throws(FileError) {
        try system.set(Self.archiveName, to: Array(name.utf8))
    }
}

extension Tree {
    /// Makes the next version of a folder, in which something comes or goes. Before that happens, so that what was told of a version
    /// stays true.
    func advance(_ folder: Folder) throws(FileError) {
        guard keepsVersions else { return }
        try StoredVersion(folder.attributes()).advance()
    }

    /// The version of what is there; nil of a link, and where none are kept.
    func version(of location: Location) throws(RuntimeException) -> UInt64? {
        guard keepsVersions, try existing(location).kind != .symbolicLink else { return nil }
        let attributes = try systemAttributes(location)
        return StoredVersion(attributes).number
    }
}
