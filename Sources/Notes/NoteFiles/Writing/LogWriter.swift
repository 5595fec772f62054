internal import Storage
internal import Wire

/// Appends records to the log of one writer and document.
///
/// It goes on in the writer's newest file as long as that is not closed, across sessions and also if an older program
/// named it. A file is closed only when it is full. Closing it whenever a session ends would make a new file for every
/// session, and readers that remember one file a writer would never look at one that arrives late.
struct LogWriter {
    private struct Target {
        let name: String
        /// Where the next record goes; 0 while there is no file yet.
        var size: Int64
        var inode: UInt64?
    }

    private let document: DocumentID
    private let writer: WriterID
    private var target: Target?
    private var lastSequence: UInt64 = 0

    init(_ document: DocumentID, writer: WriterID) {
        self.document = document
        self.writer = writer
    }

    /// Returns when the record is on the disk. If it throws, the record is not there, or is cut off again by the next append.
    mutating func append(
        _ payload: [UInt8], at now: Int64, in root: Folder
    ) throws(NoteFilesError) -> AppendedRecord {
        guard payload.count <= UpdateLog.recordLimit - UpdateLog.overhead else {
            throw NoteFilesError(
                .tooLarge,
                "an update of \(payload.count >> 20) MiB is too large for a record; make the edit in smaller parts")
        }
        do throws(FileError) {
            return try append(payload, at: now, below: (document.steps + [FileKind.logs.rawValue])[...], of: root)
        } catch {
            // Whatever is there now is looked at again before the next record.
            target = nil
            throw NoteFilesError(error)
        }
    }

    private mutating func append(
        _ payload: [UInt8], at now: Int64, below steps: ArraySlice<String>, of folder: Folder
    ) throws(FileError) -> AppendedRecord {
        guard let step = steps.first else { return try append(payload, at: now, to: folder) }
        // A note that someone removed meanwhile does not come back as an empty folder.
        let isThere = if target?.inode != nil { true } else { try folder.status(of: step) != nil }
        if isThere {
            return try append(payload, at: now, below: steps.dropFirst(), of: folder.folder(step))
        }
        do throws(FileError) {
            return try append(payload, at: now, below: steps.dropFirst(), of: folder.folder(making: step))
        } catch {
            // Nor does one begin as an empty folder because the disk is full.
            _ = try? folder.removeEmptyFolder(step)
            throw error
        }
    }

    private mutating func append(
        _ payload: [UInt8], at now: Int64, to folder: Folder
    ) throws(FileError) -> AppendedRecord {
        var target = if let target { target } else { try resume(in: folder, at: now) }
        let sequence = min(lastSequence + 1, UpdateLog.numberLimit)
        var record = UpdateLog.encode(timestamp: now, sequence: sequence, payload: payload)
        if target.size > UpdateLog.header.count, target.size + Int64(record.count) > UpdateLog.rotationSize {
            try write([UpdateLog.endMarker], to: &target, in: folder)
            target = try fresh(in: folder, at: now)
        }
        // In one write with the first record, so that no file is ever only a header.
        if target.size == 0 { record = UpdateLog.header + record }
        try write(record, to: &target, in: folder)
        self.target = target
        lastSequence = sequence
        return AppendedRecord(
            sequence: sequence, timestamp: now, file: "\(FileKind.logs.rawValue)/\(target.name)", endOffset: target.size
        )
    }

    private func write(_ bytes: [UInt8], to target: inout Target, in folder: Folder) throws(FileError) {
        let isNew = target.inode == nil
        let file = isNew ? try folder.create(target.name) : try folder.openAppending(target.name)
        let status = try file.status()
        guard isNew || (status.inode == target.inode && status.size == target.size) else {
            throw FileError(
                .failed, "\(file.path) was changed by someone else while we wrote to it: open the note again")
        }
        do throws(FileError) {
            try file.write(bytes[...])
            try file.synchronizeData()
        } catch {
            // So that others do not see half a record; if not even that works, the next append does it.
            if isNew { _ = try? folder.remove(target.name) } else { try? file.truncate(to: target.size) }
            throw error
        }
        if isNew { try folder.synchronize() }
        target.size += Int64(bytes.count)
        target.inode = status.inode
    }

    /// Where to go on: the newest own file, mended, or a new one. Finds the last sequence number too.
    private mutating func resume(in folder: Folder, at now: Int64) throws(FileError) -> Target {
        lastSequence = 0
        var newest: Target?
        for (index, own) in try ownFiles(in: folder).enumerated() {
            var log = UpdateLogReader(try folder.open(own.name))
            while let record = try log.next() { lastSequence = max(lastSequence, record.sequence) }
            if index == 0 {
                let rest = try log.rest()
                if let hidden = UpdateLog.lastSequence(behind: rest) {
                    // A number that is above the count of bytes was none.
                    lastSequence += min(hidden - min(hidden, lastSequence), UInt64(rest.count))
                } else {
                    newest = try mend(own.name, log, rest.count, in: folder)
                }
            }
            // Older files have smaller numbers.
            if lastSequence > 0 { break }
        }
        return if let newest { newest } else { try fresh(in: folder, at: now) }
    }

    /// Cuts off the one record that was not written whole. nil if the file is closed, or damaged in a way that is not ours
    /// to mend.
    /// - Parameter torn: bytes behind the last whole record.
    private func mend(
        _ name: String, _ log: borrowing UpdateLogReader, _ torn: Int, in folder: Folder
    ) throws(FileError) -> Target? {
        guard log.end == .boundary || log.end == .torn else { return nil }
        let file = try folder.openAppending(name)
        let status = try file.status()
        // Nothing is cut off that was not looked at.
        guard status.size == log.offset + Int64(torn) else { return nil }
        if torn > 0 {
            try file.truncate(to: log.offset)
            try file.synchronize()
        }
        return Target(name: name, size: log.offset, inode: status.inode)
    }

    /// A name later than every other of this writer, whatever the clock says.
    private func fresh(in folder: Folder, at now: Int64) throws(FileError) -> Target {
        let newest = try ownFiles(in: folder).first?.milliseconds
        return Target(name: LogName.text(writer, max(now, newest.map { $0 &+ 1 } ?? 0)), size: 0)
    }

    /// The newest first.
    private func ownFiles(in folder: Folder) throws(FileError) -> [(name: String, milliseconds: Int64)] {
        try folder.names(atMost: DocumentReader.fileLimit).compactMap { name in
            LogName.milliseconds(of: name, by: writer).map { (name, $0) }
        }.sorted { $0.milliseconds > $1.milliseconds }
    }
}

/// Where a record went.
package struct AppendedRecord: Hashable, Sendable {
    /// 1 for the writer's first record of the document.
    package let sequence: UInt64
    /// Milliseconds since 1970.
    package let timestamp: Int64
    /// From the document's folder on.
    package let file: String
    /// Where the record ends in the file.
    package let endOffset: Int64

    package init(sequence: UInt64, timestamp: Int64, file: String, endOffset: Int64) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.file = file
        self.endOffset = endOffset
    }
}
