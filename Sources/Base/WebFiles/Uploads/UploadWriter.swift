internal import Networking
package import Storage

/// Writes to one upload, for one request.
struct UploadWriter {
    let id: String
    let store: UploadStore

    func release() { store.release(id) }

    /// What the client says of the bytes that it sends.
    struct Announcement {
        /// Where they begin; nil for the beginning of a new upload.
        var offset: Int?
        /// Bytes of the whole upload, if it says so.
        var length: Int?
        /// Bytes of this request, if it says so.
        var count: Int?
        /// Whether the upload ends with them.
        var completes: Bool
    }

    /// Checks what the client says, before the first byte is read, and writes down the length if it is new.
    func begin(_ announced: Announcement) async throws(UploadError) {
        let status = try await store.run { [id] store throws(FileError) in try store.look(at: id) }
        guard !status.isComplete else { throw announced.count == 0 ? .completed : .inconsistentLength }
        guard announced.offset ?? 0 == status.offset else { throw .wrongOffset(expected: status.offset) }
        let end = announced.count.map { $0.addingReportingOverflow(status.offset) }
        if end?.overflow == true { throw .tooLarge }
        var lengths = [status.length, announced.length].compactMap { $0 }
        if announced.completes, let end { lengths.append(end.partialValue) }
        guard Set(lengths).count <= 1 else { throw .inconsistentLength }
        if let end, let length = lengths.first, end.partialValue > length { throw .inconsistentLength }
        guard max(lengths.first ?? 0, end?.partialValue ?? 0) <= store.limits.size else { throw .tooLarge }
        if status.length == nil, let length = lengths.first {
            try await record(UploadRecord(length: length, about: status.about))
        }
    }

    /// Writes what comes, to its end. Returns how far the upload is then: that many bytes are on the disk.
    ///
    /// Bytes that came before an error are kept. If they are more than the client announced, the upload is removed.
    func append(_ content: IncomingContent) async throws(UploadError) -> UploadStatus {
        let status = try await store.run { [id] store throws(FileError) in try store.look(at: id) }
        let file = try await store.run { [id] store throws(FileError) in try store.folder.openAppending(id + ".part") }
        let disk = BlockingQueue("upload")
        var position = UploadPosition(status.offset, room: status.length ?? store.limits.size)
        var ending: UploadError?
        do throws(NetworkingError) {
            while ending == nil, let piece = try await content.next() {
                guard position.hasRoom(for: piece.count) else {
                    ending = status.length == nil ? .tooLarge : .inconsistentLength
                    break
                }
                (position, ending) = await disk.run { [position, limit = store.limits.unflushed] in
                    position.writing(piece, to: file, flushingAfter: limit)
                }
            }
        } catch {
            ending = error.code == .tooLarge ? .tooLarge : .interrupted
        }
        if ending == .inconsistentLength || ending == .tooLarge {
            try await store.run { [id] store throws(FileError) in try store.removeFiles(of: id) }
        } else {
            let (last, failure) = await disk.run { [position] in position.flushing(file) }
            position = last
            ending = ending ?? failure
        }
        switch ending {
        case nil: break
        case .full: throw .full(offset: position.written)
        case let error?: throw error
        }
        return UploadStatus(offset: position.written, length: status.length, about: status.about, isComplete: false)
    }

    /// All bytes are there. Lets `takeOver` have them. If it refuses them they stay, and can be offered again.
    /// - Parameter takeOver: returns its answer, and whether it took them.
    func complete<Value>(
        _ status: UploadStatus, takeOver: (FinishedUpload) async -> (Value, isTaken: Bool)
    ) async throws(UploadError) -> (Value, isTaken: Bool) {
        guard status.length ?? status.offset == status.offset else { throw .inconsistentLength }
        if status.length == nil { try await record(UploadRecord(length: status.offset, about: status.about)) }
        let (value, isTaken) = await takeOver(
            FinishedUpload(id: id, length: status.offset, about: status.about, folder: store.folder))
        guard isTaken else { return (value, false) }
        try await store.run { [id] store throws(FileError) in
            try store.folder.remove(id + ".part")
            try store.folder.synchronize()
        }
        return (value, true)
    }

    private func record(_ record: UploadRecord) async throws(UploadError) {
        try await store.run { [id] store throws(FileError) in
            try store.folder.write(record.serialized(), to: id + ".info", isPrivate: true)
        }
    }
}

/// An upload all bytes of which are on the disk.
package struct FinishedUpload: Sendable {
    /// The last step of its path: nobody can guess it.
    package let id: String
    /// Bytes.
    package let length: Int
    /// What its creator wrote down for it.
    package let about: String
    fileprivate let folder: Folder

    private var name: String { id + ".part" }

    /// Opens the bytes for reading.
    package func open() throws(FileError) -> FileDescriptor { try folder.open(name) }

    /// Takes the bytes into another folder on the same file system. When this returns, they survive a power cut.
    package func move(to target: Folder, as name: String) throws(FileError) {
        try folder.move(self.name, to: target, as: name, replacing: false)
        try target.synchronize()
    }
}

/// How many bytes of an upload are written, and how many are known to be on the disk.
private struct UploadPosition: Sendable {
    private(set) var written: Int
    private var flushed: Int
    private let room: Int

    init(_ offset: Int, room: Int) { (written, flushed, self.room) = (offset, offset, room) }

    func hasRoom(for count: Int) -> Bool { count <= room - written }

    func writing(
        _ piece: [UInt8], to file: FileDescriptor, flushingAfter limit: Int
    ) -> (UploadPosition, UploadError?) {
        var next = self
        do throws(FileError) {
            try file.write(piece[...], at: Int64(written))
            next.written += piece.count
        } catch {
            // A full disk takes a part of the piece.
            next.written = min(max((try? file.size()) ?? written, written), written + piece.count)
            return (next, error.code == .full ? .full(offset: next.written) : .failed(error.message))
        }
        return next.written - flushed >= limit ? next.flushing(file) : (next, nil)
    }

    /// Bytes that the disk did not take are cut off, because nobody knows which of them are there.
    func flushing(_ file: FileDescriptor) -> (UploadPosition, UploadError?) {
        var next = self
        do throws(FileError) {
            try file.synchronizeData()
            next.flushed = written
            return (next, nil)
        } catch {
            try? file.truncate(to: Int64(flushed))
            next.written = flushed
            return (next, error.code == .full ? .full(offset: flushed) : .failed(error.message))
        }
    }
}
