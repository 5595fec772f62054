package import Networking
package import Storage
internal import Synchronization

/// Unfinished uploads, each a file in one folder that nothing else uses. They survive the end of the process.
///
/// An upload `ID` has the files `ID.part`, its bytes, and `ID.info`, what is known of it. An offset that was told to a client
/// is on the disk. When its owner has taken the bytes away, the record tells for a while that the upload is complete.
package final class UploadStore: Sendable {
    package struct Limits: Sendable {
        /// Unfinished uploads.
        package var count = 64
        /// Bytes of one upload.
        package var size = 1 << 30
        /// How long an upload waits for its next byte.
        package var age: Duration = .seconds(86_400)
        /// Whether the oldest one makes room for a new one, if nothing is written to it.
        package var replacesOldest = false
        /// Whether complete ones are remembered beyond the end of the process.
        package var remembersComplete = true
        /// Bytes between two flushes to the disk.
        package var unflushed = 64 << 20

        package init() {}
    }

    /// What it accepts.
    package let limits: Limits
    let folder: Folder
    private let now: @Sendable () -> HTTPDate
    /// Looks at names and records, one at a time. Bytes are written elsewhere.
    private let disk = BlockingQueue("uploads")
    private let lock: FileDescriptor
    private let claims = Mutex<[String: Claim]>([:])

    private struct Claim {
        let content: IncomingContent
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Takes the folder for this process. Throws `busy` if another process has it.
    package init(
        _ folder: Folder, limits: Limits = Limits(), now: @escaping @Sendable () -> HTTPDate = { .now }
    ) throws(FileError) {
        guard let lock = try folder.lock() else {
            throw FileError(.busy, "\(folder.path) is in use by another process")
        }
        (self.folder, self.limits, self.now, self.lock) = (folder, limits, now, lock)
        try sweep(afterStart: true)
    }

    // MARK: Looking

    /// How far an upload is. A request that is still writing to it is ended first, because its client has given it up.
    package func status(of id: String) async throws(UploadError) -> UploadStatus {
        await interrupt(id)
        return try await run { store throws(FileError) in try store.look(at: id) }
    }

    /// Removes an upload and its bytes.
    package func remove(_ id: String) async throws(UploadError) {
        await interrupt(id)
        try await run { store throws(FileError) in
            _ = try store.look(at: id)
            try store.removeFiles(of: id)
        }
    }

    // MARK: Writing

    /// Begins an upload. Returns its id, which nobody can guess.
    /// - Parameters:
    ///   - length: bytes of the whole, if the client knows them.
    ///   - about: a text for whoever takes the upload over; at most 32 KiB.
    package func create(length: Int?, about: String) async throws(UploadError) -> String {
        guard length ?? 0 <= limits.size, about.utf8.count <= UploadRecord.byteLimit / 2 else { throw .tooLarge }
        let id = (0..<2).map { _ in Self.hexadecimal(.random(in: 0...UInt64.max)) }.joined()
        let isMade = try await run { store throws(FileError) in
            try store.sweep()
            guard try store.makeRoom() else { return false }
            _ = try store.folder.createPrivate(id + ".part")
            let record = UploadRecord(length: length, about: about)
            try store.folder.write(record.serialized(), to: id + ".info", isPrivate: true)
            return true
        }
        guard isMade else { throw .tooMany }
        return id
    }

    /// Takes an upload for one request, so that no other one writes to it. To be released in the end.
    func claim(_ id: String, for content: IncomingContent) throws(UploadError) -> UploadWriter {
        let isFree = claims.withLock { claims in
            guard claims[id] == nil else { return false }
            claims[id] = Claim(content: content)
            return true
        }
        guard isFree else { throw .busy }
        return UploadWriter(id: id, store: self)
    }

    func release(_ id: String) {
        for waiter in claims.withLock({ $0.removeValue(forKey: id) })?.waiters ?? [] { waiter.resume() }
    }

    /// Ends the request that writes to an upload, if there is one, and waits until it has let go.
    private func interrupt(_ id: String) async {
        while let content = claims.withLock({ $0[id]?.content }) {
            content.cancel()
            await withCheckedContinuation { continuation in
                let isFree = claims.withLock { claims in
                    claims[id]?.waiters.append(continuation)
                    return claims[id] == nil
                }
                if isFree { continuation.resume() }
            }
        }
    }

    // MARK: Files, on the queue of the disk

    /// Runs something on the queue of the disk, with errors in the words of uploads.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (UploadStore) throws(FileError) -> Value
    ) async throws(UploadError) -> Value {
        do throws(FileError) {
            return try await disk.run { [self] () throws(FileError) in try body(self) }
        } catch {
            switch error.code {
            case .missing: throw .missing
            case .full: throw .full(offset: nil)
            default: throw .failed(error.message)
            }
        }
    }

    func look(at id: String) throws(FileError) -> UploadStatus {
        let record = try record(of: id)
        let part = try folder.status(of: id + ".part")
        return UploadStatus(
            offset: part.map { Int($0.size) } ?? record.length ?? 0, length: record.length, about: record.about,
            isComplete: part == nil)
    }

    func record(of id: String) throws(FileError) -> UploadRecord {
        guard Self.isID(id) else { throw FileError(.missing, reason: "this is not the id of an upload") }
        let bytes = try folder.read(id + ".info", atMost: UploadRecord.byteLimit)
        guard let record = UploadRecord(bytes) else { throw FileError(.damaged, "the record of an upload is damaged") }
        return record
    }

    func removeFiles(of id: String) throws(FileError) {
        // In this order, what a crash leaves is found as bytes without a record, or as a complete upload.
        try folder.remove(id + ".info")
        try folder.remove(id + ".part")
    }

    /// - Returns: whether there is room for one more.
    private func makeRoom() throws(FileError) -> Bool {
        let parts = try parts()
        guard parts.count >= limits.count else { return true }
        guard limits.replacesOldest else { return false }
        let claimed = claims.withLock { Set($0.keys) }
        var oldest: (id: String, time: Int64)?
        for part in parts {
            let id = String(part.dropLast(".part".count))
            guard !claimed.contains(id), let status = try folder.status(of: part) else { continue }
            let time = status.modified.seconds
            if time < oldest?.time ?? .max { oldest = (id, time) }
        }
        guard let oldest else { return false }
        try removeFiles(of: oldest.id)
        return true
    }

    private func parts() throws(FileError) -> [String] {
        try folder.names(atMost: Self.nameLimit).filter { $0.hasSuffix(".part") }
    }

    /// Names in the folder: four for each upload that there may be, and room for what a crash left.
    private static let nameLimit = 100_000

    /// Removes what is too old, bytes without a record, and the oldest records of complete uploads.
    /// - Parameter afterStart: whether records that were being written are left over from an earlier process.
    private func sweep(afterStart: Bool = false) throws(FileError) {
        let names = try folder.names(atMost: Self.nameLimit)
        let all = Set(names)
        let oldest = Int64(now().seconds) - Int64(limits.age / .seconds(1))
        var complete: [(name: String, time: Int64)] = []
        let claimed = claims.withLock { Set($0.keys) }
        for name in names {
            let id = String(name.prefix(32))
            guard Self.isID(id) else {
                if afterStart, name.hasPrefix("."), name.hasSuffix(".new") { try folder.remove(name) }
                continue
            }
            guard !claimed.contains(id), let status = try folder.status(of: name) else { continue }
            let hasPart = all.contains(id + ".part")
            if name.hasSuffix(".info"), !hasPart { complete.append((name, status.modified.seconds)) }
            // The bytes tell when something came last.
            let isOld = status.modified.seconds < oldest && (name.hasSuffix(".part") || !hasPart)
            if isOld || !all.contains(id + ".info") { try removeFiles(of: id) }
        }
        let kept = afterStart && !limits.remembersComplete ? 0 : limits.count
        for (name, _) in complete.sorted(by: { $0.time > $1.time }).dropFirst(kept) { try folder.remove(name) }
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
