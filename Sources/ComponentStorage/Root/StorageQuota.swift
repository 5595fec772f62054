internal import Components
internal import Storage
internal import Synchronization

/// Counts the bytes of folders that one limit holds for, and says no beyond it: contents, attributes, and
/// ``StorageLimits/entryCost`` for each file, folder and link.
///
/// All storages that are opened in these folders share one, so that nothing is gained by opening another one. It counts what goes
/// through it. Others may write into the same folders, so it counts anew before it refuses.
public final class StorageQuota: Sendable {
    private let folders: [String]
    private let limit: Int64?
    /// nil before the first count.
    private let used = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - folders: paths of the host. Those that are missing hold nothing.
    ///   - limit: bytes; nil for no limit but the disk's.
    public init(_ folders: [String], limit: Int64?) {
        self.folders = folders
        self.limit = limit
    }

    /// Takes bytes, or throws and takes none.
    func reserve(_ bytes: Int64, at location: Location) throws(RuntimeException) {
        guard let limit, bytes > 0 else { return }
        try used.withLock { used throws(RuntimeException) in
            if let known = used, fits(known, bytes, limit) { return used = known + bytes }
            let counted = try location.attempt { () throws(ConfinedError) in try count() }
            used = counted
            guard fits(counted, bytes, limit) else {
                throw .file(
                    code: "EDQUOT", flag: "quotaExceeded", at: location.shown,
                    cause: "the app may keep \(limit) bytes, and \(counted) are taken; remove what is not needed")
            }
            used = counted + bytes
        }
    }

    /// Gives bytes back. Fewer than are free again do no harm: it counts anew before it refuses.
    func release(_ bytes: Int64) {
        used.withLock { used in
            if let known = used { used = max(0, known - max(0, bytes)) }
        }
    }

    private func fits(_ used: Int64, _ bytes: Int64, _ limit: Int64) -> Bool {
        used.saturatingSum(bytes) <= limit
    }

    private func count() throws(ConfinedError) -> Int64 {
        var sum: Int64 = 0
        for path in folders {
            do throws(ConfinedError) {
                sum = sum.saturatingSum(try Self.count(ConfinedFolder(path).plain))
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return sum
    }

    private static func count(_ root: PlainFolder) throws(ConfinedError) -> Int64 {
        var sum: Int64 = 0
        var walk = TreeWalk(root)
        while let stop = try walk.next() {
            sum = sum.saturatingSum(StoredAttributes.byteCount(of: stop.folder))
            for entry in stop.entries {
                sum = sum.saturatingSum(StorageLimits.entryCost)
                guard entry.kind == .file else { continue }
                sum = sum.saturatingSum(try stop.folder.status(entry.name)?.size ?? 0)
                sum = sum.saturatingSum(StoredAttributes.byteCount(of: entry.name, in: stop.folder))
            }
        }
        return sum
    }
}

extension Int64 {
    /// Sizes that a file system tells may be anything.
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
