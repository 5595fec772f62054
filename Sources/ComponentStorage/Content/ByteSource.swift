internal import Components
internal import Storage
internal import Synchronization

/// What stands behind a `FileByteSource`: an open file that is read on from where the reading before ended.
///
/// A file that is replaced meanwhile is read as it was.
final class ByteSource: Sendable {
    private let file: ConfinedFile
    private let location: Location
    private let limit: Int
    private let opening: Opening
    private let position = Mutex<Int64>(0)

    /// - Parameter limit: bytes of one reading.
    init(_ file: ConfinedFile, at location: Location, limit: Int, _ opening: Opening) {
        self.file = file
        self.location = location
        self.limit = limit
        self.opening = opening
    }

    func size() throws(RuntimeException) -> Int64 {
        try location.attempt { () throws(ConfinedError) in try file.status().size }
    }

    /// The next bytes, fewer only at the end; nil there. Without a length, all that are left.
    func next(_ length: UInt64?) throws(RuntimeException) -> [UInt8]? {
        try position.withLock { position throws(RuntimeException) in
            let bytes = try read(at: position, length)
            position += Int64(bytes?.count ?? 0)
            return bytes
        }
    }

    func read(at start: Int64, _ length: UInt64?) throws(RuntimeException) -> [UInt8]? {
        let left = try size() - start
        guard left > 0 else { return nil }
        let count = min(left, Int64(clamping: length ?? .max))
        guard count <= Int64(limit) else {
            throw .limit("one reading takes at most \(limit) bytes; read in parts", at: location.shown)
        }
        return try location.attempt { () throws(ConfinedError) in try file.read(at: start, atMost: Int(count)) }
    }

    func seek(_ offset: UInt64) throws(RuntimeException) {
        let size = try size()
        guard offset <= UInt64(clamping: size) else { throw location.exception(.endOfFile) }
        position.withLock { $0 = Int64(offset) }
    }

    func object(of root: StorageRoot) -> ServiceObject {
        let functions = StorageFunctions(root: root)
        return ServiceObject(
            type: .byteSource,
            functions: [
                "readNext": functions.reading { (request: BytesProto.ReadNextRequestBody, _) in
                    Self.reply(try self.next(request.len?.value))
                },
                "readAt": functions.reading { (request: BytesProto.ReadAtRequestBody, _) in
                    Self.reply(try self.read(at: Int64(clamping: request.pos), request.len?.value))
                },
                "getSize": functions.reading { _ in
                    CommonProto.UInt64Value(value: UInt64(clamping: try self.size())).encoded
                },
                "seek": functions.reading { (request: BytesProto.SeekRequestBody, _) in
                    try self.seek(request.offset)
                    return nil
                },
                "getPosition": functions.reading { _ in
                    CommonProto.UInt64Value(value: UInt64(clamping: self.position.withLock(\.self))).encoded
                },
            ], subject: self, dropped: { self.opening.close() })
    }

    private static func reply(_ bytes: [UInt8]?) -> BytesProto.ReadReplyBody {
        BytesProto.ReadReplyBody(bytes: bytes.map { CommonProto.BytesValue(value: $0) })
    }
}
