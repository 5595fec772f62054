internal import Components
internal import Storage
internal import Synchronization

/// What stands behind a `FileByteSource`: an open file that is read on from where the reading before ended.
///
/// A file that is replaced meanwhile is read as it was.
final class ByteSource: Sendable {
    private let file: FileDescriptor
    private let location: Location
    private let limit: Int
    private let opening: Opening
    private let position = Mutex<Int64>(0)

    /// - Parameter limit: bytes of one reading.
    init(_ file: FileDescriptor, at location: Location, limit: Int, _ opening: Opening) {
        self.file = file
        self.location = location
        self.limit = limit
        self.opening = opening
    }

    func size() throws(RuntimeException) -> Int64 {
        try location.attempt { () throws(FileError) in try file.status().size }
    }

    /// The next bytes, fewer only at the end; none there. Without a length, all that are left.
    func next(_ length: UInt64?, for call: ServiceCall) throws(RuntimeException) -> any CallBody {
        try position.withLock { position throws(RuntimeException) in
            guard let bytes = try bytes(at: position, length, for: call) else { return BytesProto.ReadReplyBody() }
            position += Int64(bytes.count)
            return bytes
        }
    }

    /// Goes to a place and reads on from there.
    func read(at start: Int64, _ length: UInt64?, for call: ServiceCall) throws(RuntimeException) -> any CallBody {
        position.withLock { $0 = start }
        return try next(length, for: call)
    }

    private func bytes(
        at start: Int64, _ length: UInt64?, for call: ServiceCall
    ) throws(RuntimeException) -> PlacedBytes? {
        let left = try size() - start
        guard left > 0 else { return nil }
        let count = min(left, Int64(clamping: length ?? .max))
        guard count <= Int64(limit) else {
            throw .limit("one reading takes at most \(limit) bytes; read in parts", at: location.shown)
        }
        let part = FilePart(file: file, offset: start, count: Int(count))
        return try location.attempt { () throws(FileError) in try part.reply(to: call) }
    }

    func seek(_ offset: UInt64) throws(RuntimeException) {
        let size = try size()
        guard offset <= UInt64(clamping: size) else { throw location.exception(.endOfFile) }
        position.withLock { $0 = Int64(offset) }
    }

    func object(of root: StorageRoot) -> ServiceObject {
        return ServiceObject(
            type: .byteSource,
            functions: [
                "readNext": root.reading { (request: BytesProto.ReadNextRequestBody, call) in
                    try self.next(request.len?.value, for: call)
                },
                "readAt": root.reading { (request: BytesProto.ReadAtRequestBody, call) in
                    try self.read(at: Int64(clamping: request.pos), request.len?.value, for: call)
                },
                "getSize": root.reading { _ in
                    CommonProto.UInt64Value(value: UInt64(clamping: try self.size())).encoded
                },
                "seek": root.reading { (request: BytesProto.SeekRequestBody, _) in
                    try self.seek(request.offset)
                    return nil
                },
                "getPosition": root.reading { _ in
                    CommonProto.UInt64Value(value: UInt64(clamping: self.position.withLock(\.self))).encoded
                },
            ], subject: self, dropped: { self.opening.close() })
    }
}

/// Bytes of an open file that are going to be read in one call.
struct FilePart {
    let file: FileDescriptor
    let offset: Int64
    let count: Int

    /// Fewer only if the file became shorter meanwhile.
    func bytes(after head: [UInt8] = []) throws(FileError) -> [UInt8] {
        try file.read(at: offset, atMost: count, after: head)
    }

    /// A reply with them, `BytesProto.ReadReplyBody` or `FileProto.ReadBytesReplyBody`.
    func reply(to call: ServiceCall) throws(FileError) -> PlacedBytes {
        try PlacedBytes(expecting: count, inReplyTo: call) { head throws(FileError) in try bytes(after: head) }
    }
}
