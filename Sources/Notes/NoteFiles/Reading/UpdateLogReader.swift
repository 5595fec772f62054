internal import Storage
internal import Wire

/// Goes through one `.crdtlog` file in pieces, so that its size does not matter.
struct UpdateLogReader: ~Copyable {
    enum End: Equatable {
        /// The bytes end where a record ends.
        case boundary
        /// The end marker.
        case finalised
        /// The bytes end within a record or within the header.
        case torn
        /// What follows is not a record.
        case damaged(String)
    }

    struct Record {
        let timestamp: Int64
        let sequence: UInt64
        /// Shared with the reader.
        let payload: ArraySlice<UInt8>
    }

    private static let chunkSize = 256 << 10

    private let file: FileDescriptor
    /// Bytes of the file from ``offset`` on.
    private var buffer: ArraySlice<UInt8> = []
    /// Where in the file the next record begins.
    private(set) var offset: Int64
    /// The bytes before ``offset``, at most as many as ``FileProgress`` keeps.
    private(set) var tail: [UInt8]
    /// Set when there are no more records.
    private(set) var end: End?

    /// - Parameter progress: nil reads from the start.
    init(_ file: FileDescriptor, from progress: FileProgress? = nil) {
        self.file = file
        offset = progress?.offset ?? 0
        tail = progress?.tail ?? []
    }

    /// The next record, or nil at the end, about which ``end`` then tells.
    mutating func next() throws(FileError) -> Record? {
        if offset == 0 { end = try readHeader() }
        while end == nil {
            do throws(WireError) {
                switch try UpdateLog.next(in: buffer) {
                case .record(let timestamp, let sequence, let payload, let byteCount):
                    advance(byteCount)
                    return Record(timestamp: timestamp, sequence: sequence, payload: payload)
                case .end:
                    end = .finalised
                    return nil
                case nil: break
                }
            } catch {
                end = .damaged(error.message)
                return nil
            }
            if try !fill() { end = buffer.isEmpty ? .boundary : .torn }
        }
        return nil
    }

    /// What follows the last record.
    func rest() throws(FileError) -> [UInt8] {
        try file.read(at: offset, atMost: Int(min(max(file.status().size - offset, 0), UpdateLog.fileLimit)))
    }

    private mutating func readHeader() throws(FileError) -> End? {
        _ = try fill()
        let header = buffer.prefix(UpdateLog.header.count)
        guard UpdateLog.header.starts(with: header) else {
            return .damaged("it does not begin as a log of version 1 does")
        }
        guard header.count == UpdateLog.header.count else { return .torn }
        advance(header.count)
        return nil
    }

    private mutating func advance(_ byteCount: Int) {
        let last = buffer.prefix(byteCount).suffix(FileProgress.tailLength)
        tail = last.count == FileProgress.tailLength ? Array(last) : (tail + last).suffix(FileProgress.tailLength)
        buffer = buffer.dropFirst(byteCount)
        offset += Int64(byteCount)
    }

    /// False at the end of the file.
    private mutating func fill() throws(FileError) -> Bool {
        // Twice as much each time, or else a long record would be copied once a chunk.
        let more = try file.read(at: offset + Int64(buffer.count), atMost: max(Self.chunkSize, buffer.count))
        if more.isEmpty { return false }
        buffer = buffer.isEmpty ? more[...] : (Array(buffer) + more)[...]
        return true
    }
}
