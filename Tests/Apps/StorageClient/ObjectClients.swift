package import Components

/// An app's side of a `FileImpl`.
package struct FileClient: Sendable {
    package let properties: FileProto.File
    package let object: RemoteObject

    package init(_ properties: FileProto.File, on connection: ObjectConnection) throws(RuntimeException) {
        self.properties = properties
        object = try connection.remote(properties.impl ?? CommonProto.ObjectReference(), as: .file)
    }

    package func bytes(_ start: UInt64? = nil, _ end: UInt64? = nil) async throws -> [UInt8]? {
        let request = FileProto.ReadBytesRequestBody(start: start.value, end: end.value)
        let reply = try await object.call("readBytes", body: request)
        return try FileProto.ReadBytesReplyBody(decoding: reply ?? []).bytes?.value
    }

    package func text() async throws -> String {
        String(decoding: try await object.call("readTxt") ?? [], as: UTF8.self)
    }

    package func json() async throws -> String {
        String(decoding: try await object.call("readJSON") ?? [], as: UTF8.self)
    }

    package func stat() async throws -> FileProto.StatsMsg {
        try FileProto.StatsMsg(decoding: try await object.call("stat") ?? [])
    }

    package func source() async throws -> SourceClient {
        let reference = try CommonProto.ObjectReference(decoding: try await object.call("getByteSource") ?? [])
        return try SourceClient(reference, on: object.connection)
    }

    package func sink(truncate: Bool? = nil) async throws -> SinkClient {
        let request = FileProto.GetByteSinkRequestBody(truncateFile: truncate.value)
        let reply = try await object.call("getByteSink", body: request)
        return try SinkClient(CommonProto.ObjectReference(decoding: reply ?? []), on: object.connection)
    }

    package func write(_ bytes: [UInt8]) async throws {
        _ = try await object.call("writeBytes", body: FileProto.WriteBytesRequestBody(bytes: bytes[...]))
    }

    package func write(_ text: String) async throws {
        _ = try await object.call("writeTxt", body: FileProto.WriteTxtRequestBody(txt: text))
    }

    package func write(json: String) async throws {
        _ = try await object.call("writeJSON", body: FileProto.WriteJsonRequestBody(json: json))
    }

    package func copy(_ other: FileClient) async throws {
        let request = FileProto.CopyRequestBody(file: other.object.reference)
        _ = try await object.call("copy", body: request)
    }

    package func attribute(_ name: String) async throws -> FileProto.XAttrValue {
        let request = FileProto.GetXAttrRequestBody(xaName: name)
        return try FileProto.XAttrValue(decoding: try await object.call("getXAttr", body: request) ?? [])
    }

    package func attributes() async throws -> [String] {
        try CommonProto.StringArrayValue(decoding: try await object.call("listXAttrs") ?? []).values
    }

    package func change(set: [FileProto.NameAndXAttrValue] = [], remove: [String] = []) async throws {
        let changes = FileProto.XAttrsChanges(set: set, remove: remove)
        _ = try await object.call(
            "updateXAttrs", body: FileProto.UpdateXAttrsRequestBody(changes: changes))
    }
}

/// An app's side of a `SymLinkImpl`.
package struct LinkClient: Sendable {
    package let properties: FsProto.SymLink
    package let object: RemoteObject

    package init(_ properties: FsProto.SymLink, on connection: ObjectConnection) throws(RuntimeException) {
        self.properties = properties
        object = try connection.remote(properties.impl ?? CommonProto.ObjectReference(), as: .symLink)
    }

    private func target() async throws -> FsProto.SymLinkTargetReplyBody {
        try FsProto.SymLinkTargetReplyBody(decoding: try await object.call() ?? [])
    }

    package func file() async throws -> FileClient? {
        try await target().file.map { try FileClient($0, on: object.connection) }
    }

    package func folder() async throws -> FolderClient? {
        try await target().fs.map { try FolderClient($0, on: object.connection) }
    }
}

/// An app's side of a `FileByteSource`.
package struct SourceClient: Sendable {
    package let object: RemoteObject

    package init(_ reference: CommonProto.ObjectReference, on connection: ObjectConnection) throws(RuntimeException) {
        object = try connection.remote(reference, as: .byteSource)
    }

    private func number(_ name: String) async throws -> UInt64 {
        try CommonProto.UInt64Value(decoding: try await object.call(name) ?? []).value
    }

    package var size: UInt64 { get async throws { try await number("getSize") } }
    package var position: UInt64 { get async throws { try await number("getPosition") } }

    package func next(_ length: UInt64? = nil) async throws -> [UInt8]? {
        let request = BytesProto.ReadNextRequestBody(len: length.value)
        let reply = try await object.call("readNext", body: request)
        return try BytesProto.ReadReplyBody(decoding: reply ?? []).bytes?.value
    }

    package func read(at position: UInt64, _ length: UInt64? = nil) async throws -> [UInt8]? {
        let request = BytesProto.ReadAtRequestBody(pos: position, len: length.value)
        let reply = try await object.call("readAt", body: request)
        return try BytesProto.ReadReplyBody(decoding: reply ?? []).bytes?.value
    }

    package func seek(_ offset: UInt64) async throws {
        _ = try await object.call("seek", body: BytesProto.SeekRequestBody(offset: offset))
    }
}

/// An app's side of a `FileByteSink`.
package struct SinkClient: Sendable {
    package let object: RemoteObject

    package init(_ reference: CommonProto.ObjectReference, on connection: ObjectConnection) throws(RuntimeException) {
        object = try connection.remote(reference, as: .byteSink)
    }

    package var size: UInt64 {
        get async throws { try CommonProto.UInt64Value(decoding: try await object.call("getSize") ?? []).value }
    }

    /// Sections as text, `base 0+5` for example.
    package var layout: [String] {
        get async throws {
            let reply = try await object.call("showLayout")
            return try BytesProto.FileLayoutMsg(decoding: reply ?? []).sections.map { "\($0.src) \($0.ofs)+\($0.len)" }
        }
    }

    package func splice(_ position: UInt64, _ deleted: UInt64, _ bytes: [UInt8]? = nil) async throws {
        let request = BytesProto.SpliceRequestBody(
            pos: position, del: deleted, bytes: bytes.map { CommonProto.BytesValue(value: $0) })
        _ = try await object.call("splice", body: request)
    }

    package func truncate(_ size: UInt64) async throws {
        _ = try await object.call("truncate", body: BytesProto.TruncateRequestBody(size: size))
    }

    package func done(_ error: String? = nil) async throws {
        let request = BytesProto.DoneRequestBody(err: error.map { CommonProto.ErrorValue(err: $0) })
        _ = try await object.call("done", body: request)
    }
}
