internal import Components
internal import Storage
internal import Wire

/// What can be done with a place, through a folder or through a file alike. Replies are messages or their bytes.
struct StorageCalls: Sendable {
    let root: StorageRoot
    let writable: Bool
    private var tree: Tree { root.tree }

    func stat(_ location: Location) throws(RuntimeException) -> [UInt8] {
        let status = try tree.existing(location)
        let milliseconds = { (time: FileStatus.Time) in
            CommonProto.UInt64Value(value: UInt64(clamping: time.milliseconds))
        }
        return FileProto.StatsMsg(
            isFile: .when(status.kind == .file), isFolder: .when(status.kind == .folder),
            isLink: .when(status.kind == .symbolicLink), writable: writable,
            size: status.kind == .file ? CommonProto.UInt64Value(value: UInt64(clamping: status.size)) : nil,
            mtime: milliseconds(status.modified), ctime: milliseconds(status.born),
            version: root.isVersioned ? try tree.version(of: location).map { CommonProto.UInt64Value(value: $0) } : nil
        ).encoded
    }

    /// Without a start, the end does not count.
    func readBytes(
        _ location: Location, _ start: CommonProto.UInt64Value?, _ end: CommonProto.UInt64Value?, _ call: ServiceCall
    ) throws(RuntimeException) -> any CallBody {
        guard let part = try tree.part(of: location, from: start?.value, to: start == nil ? nil : end?.value) else {
            return FileProto.ReadBytesReplyBody()
        }
        return try location.attempt { () throws(FileError) in try part.reply(to: call) }
    }

    /// The reply is the text itself.
    func readText(_ location: Location) throws(RuntimeException) -> [UInt8] {
        try text(tree.read(location) ?? [], at: location)
    }

    /// Checks that bytes are text.
    func text(_ bytes: [UInt8], at location: Location) throws(RuntimeException) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .file(flag: "parsingError", at: location.shown, cause: "the file is not UTF-8 text")
        }
        return bytes
    }

    func readJSON(_ location: Location) throws(RuntimeException) -> [UInt8] {
        try json(tree.read(location) ?? [], at: location)
    }

    /// Checks that bytes are JSON.
    func json(_ bytes: [UInt8], at location: Location) throws(RuntimeException) -> [UInt8] {
        do throws(JSONError) {
            try JSONValue.check(bytes, depthLimit: 256)
        } catch {
            throw .file(flag: "parsingError", at: location.shown, cause: "the file is not JSON")
        }
        return bytes
    }

    func byteSource(_ location: Location, for connection: ObjectConnection) throws(RuntimeException) -> [UInt8] {
        try byteSource(of: tree.open(location), at: location, for: connection).encoded
    }

    func byteSource(
        of file: FileDescriptor, at location: Location, for connection: ObjectConnection
    ) throws(RuntimeException) -> CommonProto.ObjectReference {
        let opening = try root.openings.open(.stream, by: connection, at: location)
        let source = ByteSource(file, at: location, limit: root.limits.bytesPerCall, opening)
        return try connection.expose(source.object(of: root))
    }

    func byteSink(
        _ location: Location, _ flags: WritingFlags, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        let opening = try root.openings.open(.stream, by: connection, at: location)
        let sink = try ByteSink(in: tree, at: location, flags, opening)
        return try connection.expose(sink.object(of: root)).encoded
    }

    /// Copies a file that the caller passed, and returns the version of the copy.
    @discardableResult
    func save(
        _ reference: CommonProto.ObjectReference?, to location: Location, overwrite: Bool,
        _ connection: ObjectConnection
    ) throws(RuntimeException) -> UInt64 {
        let file = try FileView.passed(reference, on: connection)
        return try tree.copyFile(file.location, of: file.root.tree, to: location, overwrite: overwrite)
    }
}

extension CommonProto.BooleanValue {
    /// A yes that is left out when it is a no.
    static func when(_ isTrue: Bool) -> CommonProto.BooleanValue? {
        isTrue ? CommonProto.BooleanValue(value: true) : nil
    }
}

extension FileView {
    /// The file that a caller passed.
    static func passed(
        _ reference: CommonProto.ObjectReference?, on connection: ObjectConnection
    ) throws(RuntimeException) -> FileView {
        let object = try connection.exposed(reference ?? CommonProto.ObjectReference(), as: .file)
        guard let view = object.subject as? FileView else {
            throw .badArguments("the file does not belong to a storage of this host")
        }
        // What was taken back cannot be read through another storage.
        try view.root.checkOpen()
        return view
    }
}

extension FolderView {
    /// The folder that a caller passed.
    static func passed(
        _ reference: CommonProto.ObjectReference?, on connection: ObjectConnection
    ) throws(RuntimeException) -> FolderView {
        let object = try connection.exposed(reference ?? CommonProto.ObjectReference(), as: .fs)
        guard let view = object.subject as? FolderView else {
            throw .badArguments("the folder does not belong to a storage of this host")
        }
        try view.root.checkOpen()
        return view
    }
}
