package import Components

/// An app's side of an `FSImpl`.
package struct FolderClient: Sendable {
    package let properties: FsProto.FS
    package let object: RemoteObject

    package init(_ properties: FsProto.FS, on connection: ObjectConnection) throws(RuntimeException) {
        self.properties = properties
        object = try connection.remote(properties.impl ?? CommonProto.ObjectReference(), as: .fs)
    }

    package var connection: ObjectConnection { object.connection }

    @discardableResult
    package func call(_ name: String, _ request: some ComponentMessage) async throws -> ArraySlice<UInt8>? {
        try await object.call(name, body: request)
    }

    private func call<Reply: ComponentMessage>(
        _ name: String, _ request: some ComponentMessage, as type: Reply.Type
    ) async throws -> Reply { try Reply(decoding: try await call(name, request) ?? []) }

    /// A function of the object `v`.
    package func versioned<Reply: ComponentMessage>(
        _ name: String, _ request: some ComponentMessage, as type: Reply.Type = Reply.self
    ) async throws -> Reply {
        let reply = try await connection.call(object.reference.path + ["v", name], request.encoded)
        return try Reply(decoding: reply ?? [])
    }

    // MARK: Reading

    package func isPresent(_ kind: String, _ path: String, orThrow: Bool = false) async throws -> Bool {
        let request = FsProto.CheckPresenceRequestBody(path: path, throwIfMissing: orThrow ? .yes : nil)
        return try await call("check\(kind)Presence", request, as: CommonProto.BooleanValue.self).value
    }

    package func list(_ path: String = "") async throws -> [FsProto.ListingEntryMsg] {
        try await call("listFolder", FsProto.PathOnlyRequestBody(path: path), as: FsProto.ListFolderReplyBody.self)
            .entries
    }

    package func names(_ path: String = "") async throws -> [String] { try await list(path).map(\.name) }

    package func stat(_ path: String) async throws -> FileProto.StatsMsg {
        try await call("stat", FsProto.PathOnlyRequestBody(path: path), as: FileProto.StatsMsg.self)
    }

    package func bytes(_ path: String, _ start: UInt64? = nil, _ end: UInt64? = nil) async throws -> [UInt8]? {
        let request = FsProto.ReadBytesRequestBody(path: path, start: start.value, end: end.value)
        return try await call("readBytes", request, as: FileProto.ReadBytesReplyBody.self).bytes?.value
    }

    package func text(_ path: String) async throws -> String {
        String(decoding: try await call("readTxtFile", FsProto.PathOnlyRequestBody(path: path)) ?? [], as: UTF8.self)
    }

    package func json(_ path: String) async throws -> String {
        String(decoding: try await call("readJSONFile", FsProto.PathOnlyRequestBody(path: path)) ?? [], as: UTF8.self)
    }

    package func source(_ path: String) async throws -> SourceClient {
        let request = FsProto.PathOnlyRequestBody(path: path)
        return try await SourceClient(
            call("getByteSource", request, as: CommonProto.ObjectReference.self), on: connection)
    }

    package func readonlyFile(_ path: String) async throws -> FileClient {
        try await FileClient(
            call("readonlyFile", FsProto.PathOnlyRequestBody(path: path), as: FileProto.File.self), on: connection)
    }

    package func readonlySubRoot(_ path: String) async throws -> FolderClient {
        try await FolderClient(
            call("readonlySubRoot", FsProto.PathOnlyRequestBody(path: path), as: FsProto.FS.self), on: connection)
    }

    package func readLink(_ path: String) async throws -> LinkClient {
        try await LinkClient(
            call("readLink", FsProto.PathOnlyRequestBody(path: path), as: FsProto.SymLink.self), on: connection)
    }

    package func attribute(_ name: String, of path: String) async throws -> FileProto.XAttrValue {
        try await call(
            "getXAttr", FsProto.GetXAttrRequestBody(path: path, xaName: name), as: FileProto.XAttrValue.self)
    }

    package func attributes(of path: String) async throws -> [String] {
        try await call(
            "listXAttrs", FsProto.PathOnlyRequestBody(path: path), as: CommonProto.StringArrayValue.self
        ).values
    }

    package func close() async throws { _ = try await object.call("close") }

    // MARK: Changing

    package func write(_ bytes: [UInt8], _ path: String, _ flags: FsProto.FileFlags? = nil) async throws {
        try await call("writeBytes", FsProto.WriteBytesRequestBody(path: path, bytes: bytes[...], flags: flags))
    }

    package func write(_ text: String, _ path: String, _ flags: FsProto.FileFlags? = nil) async throws {
        try await call("writeTxtFile", FsProto.WriteTxtFileRequestBody(path: path, txt: text, flags: flags))
    }

    package func write(json: String, _ path: String) async throws {
        try await call("writeJSONFile", FsProto.WriteJsonFileRequestBody(path: path, json: json))
    }

    package func sink(_ path: String, _ flags: FsProto.FileFlags? = nil) async throws -> SinkClient {
        let request = FsProto.PathAndOptFileFlags(path: path, flags: flags)
        return try await SinkClient(
            call("getByteSink", request, as: CommonProto.ObjectReference.self), on: connection)
    }

    package func writableFile(_ path: String, _ flags: FsProto.FileFlags? = nil) async throws -> FileClient {
        let request = FsProto.PathAndOptFileFlags(path: path, flags: flags)
        return try await FileClient(call("writableFile", request, as: FileProto.File.self), on: connection)
    }

    package func writableSubRoot(_ path: String, _ flags: FsProto.FileFlags? = nil) async throws -> FolderClient {
        let request = FsProto.PathAndOptFileFlags(path: path, flags: flags)
        return try await FolderClient(call("writableSubRoot", request, as: FsProto.FS.self), on: connection)
    }

    package func makeFolder(_ path: String, exclusive: Bool? = nil) async throws {
        try await call("makeFolder", FsProto.MakeFolderRequestBody(path: path, exclusive: exclusive.value))
    }

    package func deleteFile(_ path: String) async throws {
        try await call("deleteFile", FsProto.PathOnlyRequestBody(path: path))
    }

    package func deleteLink(_ path: String) async throws {
        try await call("deleteLink", FsProto.PathOnlyRequestBody(path: path))
    }

    package func deleteFolder(_ path: String, withContent: Bool? = nil) async throws {
        try await call("deleteFolder", FsProto.DeleteFolderRequestBody(path: path, removeContent: withContent.value))
    }

    package func move(_ source: String, _ destination: String) async throws {
        try await call("move", FsProto.MoveRequestBody(src: source, dst: destination))
    }

    package func copyFile(_ source: String, _ destination: String, overwrite: Bool? = nil) async throws {
        try await call(
            "copyFile", FsProto.CopyFileRequestBody(src: source, dst: destination, overwrite: overwrite.value))
    }

    package func copyFolder(_ source: String, _ destination: String, merge: Bool? = nil) async throws {
        try await call(
            "copyFolder", FsProto.CopyFolderRequestBody(src: source, dst: destination, mergeAndOverwrite: merge.value))
    }

    package func save(_ file: FileClient, _ path: String, overwrite: Bool? = nil) async throws {
        try await call(
            "saveFile",
            FsProto.SaveFileRequestBody(file: file.object.reference, dst: path, overwrite: overwrite.value))
    }

    package func save(_ folder: FolderClient, _ path: String, merge: Bool? = nil) async throws {
        try await call(
            "saveFolder",
            FsProto.SaveFolderRequestBody(
                folder: folder.object.reference, dst: path, mergeAndOverwrite: merge.value))
    }

    package func link(_ path: String, to target: RemoteObject) async throws {
        try await call("link", FsProto.LinkRequestBody(path: path, target: target.reference))
    }

    package func change(_ path: String, set: [FileProto.NameAndXAttrValue] = [], remove: [String] = []) async throws {
        try await call(
            "updateXAttrs",
            FsProto.UpdateXAttrsRequestBody(path: path, changes: FileProto.XAttrsChanges(set: set, remove: remove)))
    }
}

extension CommonProto.BooleanValue {
    package static let yes = CommonProto.BooleanValue(value: true)
    package static let no = CommonProto.BooleanValue(value: false)
}

extension Bool? {
    var value: CommonProto.BooleanValue? { map { CommonProto.BooleanValue(value: $0) } }
}

extension UInt64? {
    var value: CommonProto.UInt64Value? { map { CommonProto.UInt64Value(value: $0) } }
}
