package import Wire

/// The folders of a document and what is in them, in the order in which it is read: states first, because what builds on
/// them is then applied at once instead of waiting.
package enum FileKind: String, CaseIterable {
    case snapshots
    case packs
    case updates
    case logs

    /// Whether a file of this name in this folder is ours to read. The name says nothing else.
    func matches(_ name: String) -> Bool {
        if name.hasPrefix(".") { return false }
        return switch self {
        case .snapshots: name.hasSuffix(SnapshotFile.suffix) || OlderFile.hasSuffix(name)
        case .packs, .updates: OlderFile.hasSuffix(name)
        case .logs: name.hasSuffix(LogName.suffix)
        }
    }

    /// Bytes.
    var fileLimit: Int64 {
        switch self {
        case .snapshots: Int64(SnapshotFile.byteLimit)
        case .packs, .updates: Int64(OlderFile.byteLimit)
        case .logs: UpdateLog.fileLimit
        }
    }

    /// What a file holds that is read as a whole; nil while its writer is not done.
    /// - Parameter path: from the document's folder on.
    package func pieces(of bytes: [UInt8], name: String, path: String) throws(WireError) -> [ReadingPiece]? {
        switch self {
        case .snapshots where name.hasSuffix(SnapshotFile.suffix):
            let snapshot = try SnapshotFile(bytes)
            return snapshot.isComplete ? [.snapshot(SnapshotState(payload: snapshot.state, file: path))] : nil
        case .snapshots:
            guard let json = try OlderFile.json(bytes) else { return nil }
            return [.snapshot(SnapshotState(payload: try OlderUpdate.snapshotState(json), file: path))]
        case .packs:
            guard let json = try OlderFile.json(bytes) else { return nil }
            return try OlderUpdate.pack(json).map { update in .record(LogRecord(update, file: path)) }
        case .updates:
            guard let payload = try OlderFile.update(bytes) else { return nil }
            let (timestamp, sequence) = OlderUpdate.particulars(name)
            let update = OlderUpdate(timestamp: timestamp, sequence: sequence, payload: payload)
            return [.record(LogRecord(update, file: path))]
        case .logs: return []
        }
    }
}

extension LogRecord {
    fileprivate init(_ update: OlderUpdate, file: String) {
        self.init(timestamp: update.timestamp, sequence: update.sequence, payload: update.payload, file: file)
    }
}
