internal import CRDTBridge
internal import NoteFiles

/// An update and the file that it is from, from the document's folder on.
struct FileUpdate: Hashable, Sendable {
    var payload: [UInt8]
    var file: String

    static let damage = "an update in it is damaged and was left out: get the file from where it was written again"
}

/// What became of the updates of which a document was made.
struct MadeDocument {
    /// What is wrong with files, by their names.
    var problems: [String: String] = [:]
    /// Whether the state could be used, if there was one.
    var hasState = true
    /// Whether files were left out because they take too long.
    var wasSlow = false
}

extension NoteLibrary {
    /// More files than this that take too long are not looked for: each of them takes that long once.
    private static let slowFiles = 4

    /// Makes a document. Updates that are damaged, and files that take too long, are left out.
    /// - Parameters:
    ///   - state: the document as it was before the updates.
    ///   - unwritten: what live sessions have beyond them.
    func make(
        _ key: String, of updates: [FileUpdate], on state: [UInt8]? = nil, _ unwritten: [UInt8]? = nil
    ) throws(NoteFailure) -> MadeDocument {
        var made = MadeDocument()
        var sound = updates
        let others = [state, unwritten].compactMap(\.self)
        if try !load(key, sound, others, &made) {
            let slow = try slowFiles(of: updates)
            for file in slow { made.problems[file] = slowness }
            made.wasSlow = true
            sound.removeAll { slow.contains($0.file) }
            guard try load(key, sound, others, &made) else {
                throw NoteFailure(.noteUnreadable, "all its files together: \(slowness)")
            }
        }
        return made
    }

    /// - Returns: false if it takes too long.
    private func load(
        _ key: String, _ updates: [FileUpdate], _ others: [[UInt8]], _ made: inout MadeDocument
    ) throws(NoteFailure) -> Bool {
        let refused: [Int]
        do {
            refused = try bridge.assumeIsolated { try $0.load(key, updates.map(\.payload) + others) }
        } catch let error as CRDTError where error.code == .unusable {
            try crdt { $0.release(key) }
            return false
        } catch {
            throw NoteFailure(error)
        }
        for index in refused where index < updates.count { made.problems[updates[index].file] = FileUpdate.damage }
        made.hasState = !refused.contains(updates.count)
        return true
    }

    /// The files that take too long by themselves.
    private func slowFiles(of updates: [FileUpdate]) throws(NoteFailure) -> Set<String> {
        let files = Dictionary(grouping: updates, by: \.file)
        guard files.count > 1 else { return Set(files.keys) }
        let trial = "trial:"
        defer { try? crdt { $0.release(trial) } }
        var slow: Set<String> = []
        var ignored = MadeDocument()
        // The largest first: it is most likely one of them.
        let weights = files.mapValues { $0.reduce(0) { $0 + $1.payload.count } }
        for (file, _) in weights.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            if try !load(trial, files[file] ?? [], [], &ignored) { slow.insert(file) }
            if slow.count == Self.slowFiles { break }
        }
        return slow
    }

    private var slowness: String {
        "it takes longer than \(options.patience) to read, and was left out: move it away, and get it again from where it was written"
    }
}

extension CRDTError {
    /// Whether the update is to blame, and would be the next time.
    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? CRDTError else { return false }
        return error.code == .damagedUpdate || error.code == .tooLarge
    }
}

extension Reading {
    /// Everything that there is to apply, with the files that it is from.
    var updates: [FileUpdate] {
        snapshotStates.map { FileUpdate(payload: $0.payload, file: $0.file) }
            + records.map { FileUpdate(payload: $0.payload, file: $0.file) }
    }
}
