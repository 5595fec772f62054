internal import CRDTBridge
internal import Cryptography
internal import NoteFiles
internal import NoteIndex
internal import Wire

/// An update and the file that it is from, from the document's folder on.
struct FileUpdate: Hashable, Sendable {
    var payload: [UInt8]
    var file: String

    /// Tells it from other updates.
    var digest: String { Base64URL.encode(HashFunction.sha256.digest(payload).prefix(12)) }

    static let damage = "an update in it is damaged and was left out: get the file from where it was written again"

    /// The problem report for a file whose slow updates were left out.
    static func slowness(_ patience: Duration) -> String {
        "an update in it takes longer than \(patience) to read, and was left out: "
            + "get the file from where it was written again"
    }

    /// What is said of a file that was left out because of what is beside it.
    static func crowding(_ patience: Duration) -> String {
        "not all of it was read, because all files of this note together take longer than \(patience): "
            + "move away those that nobody needs, and it is read again"
    }
}

/// What happened to the updates that make up a document.
struct MadeDocument {
    /// What is wrong with files, by their names.
    private(set) var problems: [String: String] = [:]
    /// Files with an update that cannot be part of the document.
    private(set) var refused: Set<String> = []
    /// Digests of updates that take too long, by their files.
    var slow: [String: [String]] = [:]
    /// Files with updates that were left out because the document has too many others.
    private(set) var crowdedOut: Set<String> = []
    /// Whether the state could be used, if there was one.
    var hasState = true

    fileprivate mutating func refuse(_ file: String) {
        refused.insert(file)
        problems[file] = FileUpdate.damage
    }

    fileprivate mutating func leaveOut(_ search: SlowUpdates, patience: Duration) {
        crowdedOut = search.crowdedOut
        for file in crowdedOut { problems[file] = FileUpdate.crowding(patience) }
        for file in search.files { problems[file] = FileUpdate.slowness(patience) }
        for index in search.found {
            slow[search.updates[index].file, default: []].append(search.updates[index].digest)
        }
    }
}

extension NoteLibrary {
    /// Makes a document. Updates that are damaged, and those that take too long, are left out.
    /// - Parameters:
    ///   - state: the document as it was before the updates.
    ///   - unwritten: what live sessions have beyond them.
    func make(
        _ key: String, of updates: [FileUpdate], on state: [UInt8]? = nil, _ unwritten: [UInt8]? = nil
    ) throws(NoteFailure) -> MadeDocument {
        // What took too long under this name before says nothing about these updates.
        try crdt { $0.release(key) }
        var made = MadeDocument()
        let others = [state, unwritten].compactMap(\.self)
        if try load(key, updates, others, &made) { return made }
        var search = SlowUpdates(updates, patience: options.patience, ours: WriterLock.identities(in: home))
        guard try find(&search, on: state) else {
            made.hasState = false
            return made
        }
        if try !load(key, leaving: search, others, &made) {
            // What others wrote never costs what this profile wrote.
            search.leaveOutOthers()
            guard try load(key, leaving: search, others, &made) else {
                guard state == nil else {
                    made.hasState = false
                    return made
                }
                throw NoteFailure(.noteUnreadable, altogetherSlow)
            }
        }
        made.leaveOut(search, patience: options.patience)
        return made
    }

    private func load(
        _ key: String, leaving search: SlowUpdates, _ others: [[UInt8]], _ made: inout MadeDocument
    ) throws(NoteFailure) -> Bool {
        let rest = search.updates.indices.filter { !search.leftOut.contains($0) }.map { search.updates[$0] }
        return try load(key, rest, others, &made)
    }

    /// - Returns: false if it takes too long.
    private func load(
        _ key: String, _ updates: [FileUpdate], _ others: [[UInt8]], _ made: inout MadeDocument
    ) throws(NoteFailure) -> Bool {
        let payloads = updates.map(\.payload) + others
        guard let refused = try inTime(key, { try $0.load(key, payloads) }) else { return false }
        for index in refused where index < updates.count { made.refuse(updates[index].file) }
        made.hasState = !refused.contains(updates.count)
        return true
    }

    /// - Returns: nil if it takes too long; the document is released then.
    private func inTime<Value: Sendable>(
        _ key: String, _ body: @Sendable (isolated CRDTBridge) throws -> Value
    ) throws(NoteFailure) -> Value? {
        do {
            return try bridge.assumeIsolated(body)
        } catch let error as CRDTError where error.code == .unusable {
            try crdt { $0.release(key) }
            return nil
        } catch {
            throw NoteFailure(error)
        }
    }

    // Looking for what is slow.

    /// Applies file after file, and of a file that takes too long part after part.
    /// - Returns: false if the state takes too long, alone or with what this profile wrote.
    private func find(_ search: inout SlowUpdates, on state: [UInt8]?) throws(NoteFailure) -> Bool {
        defer { try? crdt { $0.release(Self.trial) } }
        var kept = state.map { [$0] } ?? []
        let time = ReadingTime(perByte: options.timePerByte)
        guard try begin(kept) else { return false }
        search.spend(time.elapsed(kept))
        for (number, writer) in search.writers.enumerated() {
            search.begin(writer, before: search.writers.count - 1 - number)
            for file in writer.files {
                search.beginFile()
                try sift(file[...], onto: &kept, &search)
            }
            if state != nil, writer.isOurs, search.crowdsUsOut { return false }
        }
        return true
    }

    private func sift(
        _ part: ArraySlice<Int>, onto kept: inout [[UInt8]], _ search: inout SlowUpdates
    ) throws(NoteFailure) {
        guard search.mayTry else { return search.leaveOut(part) }
        let updates = search.payloads(of: part)
        guard let whole = part.count == 1 ? updates[0] : try? crdt({ try $0.merge(updates) }) else {
            // One of them is damaged.
            for index in part { try sift([index], onto: &kept, &search) }
            return
        }
        let trial = try apply(whole, onto: &kept, &search)
        if trial == .isInTime { return }
        guard part.count == 1 else {
            for smaller in search.parts(of: part) { try sift(smaller, onto: &kept, &search) }
            return
        }
        if trial == .isSlow { search.find(part[part.startIndex]) } else { search.endWriter(part) }
    }

    private enum Trial {
        case isInTime, isSlow, isTooMuch
    }

    /// Applies an update to the document of the search. One that is damaged changes nothing; one that takes too long, or longer than
    /// its writer has left, is taken back.
    private func apply(
        _ update: [UInt8], onto kept: inout [[UInt8]], _ search: inout SlowUpdates
    ) throws(NoteFailure) -> Trial {
        let time = ReadingTime(perByte: options.timePerByte)
        do throws(NoteFailure) {
            let isDone = try inTime(Self.trial, { try $0.apply(update, to: Self.trial) }) != nil
            guard isDone, search.take(time.elapsed([update])) else {
                guard try begin(kept) else { throw NoteFailure(.noteUnreadable, altogetherSlow) }
                return isDone ? .isTooMuch : .isSlow
            }
            kept.append(update)
        } catch {
            guard try crdt({ $0.isLoaded(Self.trial) }) else { throw error }
        }
        return .isInTime
    }

    private func begin(_ updates: [[UInt8]]) throws(NoteFailure) -> Bool {
        try inTime(Self.trial) { try $0.load(Self.trial, updates) } != nil
    }

    /// No note id has a colon.
    private static let trial = "trial:"

    private var altogetherSlow: String {
        "all its files together take longer than \(options.patience) to read: move away those that came last"
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
