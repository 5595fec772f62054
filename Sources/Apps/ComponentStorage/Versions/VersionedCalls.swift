internal import Components
internal import Storage
internal import Wire

/// What can be done with the versions of a place, through a folder or through a file alike.
struct VersionedCalls: Sendable {
    let calls: StorageCalls
    private var root: StorageRoot { calls.root }
    private var tree: Tree { calls.root.tree }

    /// A file as it is, or as it was archived, with its version.
    private func file(
        _ location: Location, _ flags: FileProto.VersionedReadFlags?
    ) throws(RuntimeException) -> (file: FileDescriptor, version: UInt64) {
        if let version = try archived(flags, location) {
            return (try tree.open(location, archived: version), version)
        }
        let file = try tree.open(location)
        return (file, StoredVersion(file.attributes).number)
    }

    private func archived(
        _ flags: FileProto.VersionedReadFlags?, _ location: Location
    ) throws(RuntimeException) -> UInt64? {
        guard flags?.remoteVersion == nil else { throw .file(flag: "storageIsNotSyncedType", at: location.shown) }
        return flags?.archivedVersion?.value
    }

    private func bytes(_ file: FileDescriptor, _ location: Location) throws(RuntimeException) -> [UInt8] {
        guard let part = try tree.part(of: file, at: location) else { return [] }
        return try location.attempt { () throws(FileError) in try part.bytes() }
    }

    // MARK: Reading

    func readBytes(
        _ location: Location, _ start: CommonProto.UInt64Value?, _ end: CommonProto.UInt64Value?,
        _ flags: FileProto.VersionedReadFlags?
    ) throws(RuntimeException) -> [UInt8] {
        let (file, version) = try file(location, flags)
        let part = try tree.part(of: file, at: location, from: start?.value, to: start == nil ? nil : end?.value)
        let bytes = try location.attempt { () throws(FileError) in try part?.bytes() }
        return FileProto.VersionedReadBytesReplyBody(
            version: version, bytes: bytes.map { CommonProto.BytesValue(value: $0) }
        ).encoded
    }

    func readText(_ location: Location, _ flags: FileProto.VersionedReadFlags?) throws(RuntimeException) -> [UInt8] {
        let (file, version) = try file(location, flags)
        let text = try calls.text(bytes(file, location), at: location)
        return FileProto.VersionedReadTxtReplyBody(version: version, txt: String(decoding: text, as: UTF8.self)).encoded
    }

    func readJSON(_ location: Location, _ flags: FileProto.VersionedReadFlags?) throws(RuntimeException) -> [UInt8] {
        let (file, version) = try file(location, flags)
        let json = try calls.json(bytes(file, location), at: location)
        return FileProto.VersionedReadJsonReplyBody(version: version, json: String(decoding: json, as: UTF8.self))
            .encoded
    }

    func byteSource(
        _ location: Location, _ flags: FileProto.VersionedReadFlags?, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        let (file, version) = try file(location, flags)
        let source = try calls.byteSource(of: file, at: location, for: connection)
        return FileProto.VersionedGetByteSourceReplyBody(version: version, src: source).encoded
    }

    func stat(_ location: Location, _ flags: FileProto.VersionedReadFlags?) throws(RuntimeException) -> [UInt8] {
        guard let version = try archived(flags, location) else { return try calls.stat(location) }
        let isFolder = try tree.existing(location).kind == .folder
        let file = try tree.open(location, archived: version)
        let status = try location.attempt { () throws(FileError) in try file.status() }
        func number(_ value: Int64) -> CommonProto.UInt64Value {
            CommonProto.UInt64Value(value: UInt64(clamping: value))
        }
        return FileProto.StatsMsg(
            isFile: .when(!isFolder), isFolder: .when(isFolder), writable: false,
            size: isFolder ? nil : number(status.size), mtime: number(status.modified.milliseconds),
            ctime: number(status.born.milliseconds), version: CommonProto.UInt64Value(value: version)
        ).encoded
    }

    func list(_ location: Location, _ flags: FileProto.VersionedReadFlags?) throws(RuntimeException) -> [UInt8] {
        guard let version = try archived(flags, location) else {
            // Its version first: what comes meanwhile is of a later one.
            _ = try tree.openFolder(location)
            let version = try tree.version(of: location) ?? 1
            let entries = try tree.entries(location).map(FsProto.ListingEntryMsg.init)
            return FsProto.VersionedListFolderReplyBody(version: version, entries: entries).encoded
        }
        guard try tree.existing(location).kind == .folder else { throw location.exception(.notDirectory) }
        let bytes = try bytes(tree.open(location, archived: version), location)
        guard let listing = try? FsProto.ListFolderReplyBody(decoding: bytes) else {
            throw .file(flag: "inconsistentStateOfFS", at: location.shown)
        }
        return FsProto.VersionedListFolderReplyBody(version: version, entries: listing.entries).encoded
    }

    func attribute(
        _ name: String, of location: Location, _ flags: FileProto.VersionedReadFlags?
    ) throws(RuntimeException) -> [UInt8] {
        let (attributes, version) = try attributes(location, flags)
        let value = try calls.value(of: name, in: attributes, at: location)
        return FileProto.VersionedGetXAttrReplyBody(
            version: version, str: value.str, json: value.json, bytes: value.bytes
        ).encoded
    }

    func attributeNames(
        _ location: Location, _ flags: FileProto.VersionedReadFlags?
    ) throws(RuntimeException) -> [UInt8] {
        let (attributes, version) = try attributes(location, flags)
        let names = try location.attempt { () throws(FileError) in try attributes.names() }
        return FileProto.VersionedListXAttrsReplyBody(version: version, xaNames: names).encoded
    }

    private func attributes(
        _ location: Location, _ flags: FileProto.VersionedReadFlags?
    ) throws(RuntimeException) -> (StoredAttributes, version: UInt64) {
        if let version = try archived(flags, location) {
            return (StoredAttributes(try tree.open(location, archived: version).attributes), version)
        }
        let system = try tree.systemAttributes(location)
        return (StoredAttributes(system), StoredVersion(system).number)
    }

    func versions(_ location: Location) throws(RuntimeException) -> [UInt8] {
        let current = try tree.version(of: location).map { CommonProto.UInt64Value(value: $0) }
        return FileProto.ListVersionsReplyBody(current: current, archived: try tree.archivedVersions(of: location))
            .encoded
    }

    // MARK: Changing, which answers with a version

    func byteSink(
        _ location: Location, _ flags: WritingFlags, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        let opening = try root.openings.open(.stream, by: connection, at: location)
        let sink = try ByteSink(in: tree, at: location, flags, isVersioned: true, opening)
        let reference = try connection.expose(sink.object(of: root))
        return FileProto.VersionedGetByteSinkReplyBody(version: sink.version, sink: reference).encoded
    }

    func change(_ changes: FileProto.XAttrsChanges?, of location: Location) throws(RuntimeException) -> [UInt8] {
        try calls.change(changes, of: location)
        return reply(try tree.version(of: location) ?? 1)
    }

    func archive(_ location: Location, _ version: CommonProto.UInt64Value?) throws(RuntimeException) -> [UInt8] {
        reply(try tree.archive(location, version: version?.value))
    }

    func reply(_ version: UInt64) -> [UInt8] { CommonProto.UInt64Value(value: version).encoded }
}
