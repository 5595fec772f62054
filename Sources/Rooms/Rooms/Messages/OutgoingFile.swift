import Foundation

/// A file that is being sent: its bytes are read as fast as the channel takes them.
struct OutgoingFile {
    /// Reading pauses when this many bytes wait in the channel.
    static let highWater = 4 << 20
    /// Reading continues when only this many bytes are left in the channel.
    static let lowWater = 1 << 20

    let id: MessageID
    let bytes: UInt64
    private let handle: FileHandle
    private(set) var offset: UInt64

    init(_ file: StoredFile, from offset: UInt64) throws(RoomsFailure) {
        guard offset <= file.offer.bytes else { throw RoomsFailure(.badRequest, "the offset is behind the end") }
        guard let handle = FileHandle(forReadingAtPath: file.path) else { throw RoomsFailure(.fileUnreadable) }
        do {
            try handle.seek(toOffset: offset)
        } catch {
            throw RoomsFailure(.fileUnreadable)
        }
        id = file.id
        bytes = file.offer.bytes
        self.handle = handle
        self.offset = offset
    }

    var isDone: Bool { offset == bytes }

    /// The next chunk, at most ``Envelope/Limit/chunk`` bytes.
    mutating func next() throws(RoomsFailure) -> Envelope.Signal {
        let count = Int(min(UInt64(Envelope.Limit.chunk), bytes - offset))
        guard let data = try? handle.read(upToCount: count), data.count == count else {
            throw RoomsFailure(.fileUnreadable, "the file changed while it was sent")
        }
        defer { offset += UInt64(count) }
        return .fileChunk(id, offset: offset, Array(data))
    }
}
