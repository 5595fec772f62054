internal import Components
internal import Storage
internal import Synchronization

/// Counts the bytes of a storage, and says no beyond a limit.
///
/// It counts what goes through it. Others may write into the same folder, so it counts anew before it refuses.
final class Quota: Sendable {
    private let root: PlainFolder
    private let limit: Int64?
    /// nil before the first count.
    private let used = Mutex<Int64?>(nil)

    init(of root: PlainFolder, limit: Int64?) {
        self.root = root
        self.limit = limit
    }

    /// Takes bytes, or throws and takes none.
    func reserve(_ bytes: Int64, at location: Location) throws(RuntimeException) {
        guard let limit, bytes > 0 else { return }
        try used.withLock { used throws(RuntimeException) in
            if let known = used, fits(known, bytes, limit) { return used = known + bytes }
            let counted = try location.attempt { () throws(ConfinedError) in try count(root, depth: 300) }
            used = counted
            guard fits(counted, bytes, limit) else {
                throw .file(
                    code: "EDQUOT", flag: "quotaExceeded", at: location.shown,
                    cause: "the app may keep \(limit) bytes, and \(counted) are taken; remove what is not needed")
            }
            used = counted + bytes
        }
    }

    func release(_ bytes: Int64) {
        used.withLock { used in
            if let known = used { used = max(0, known - max(0, bytes)) }
        }
    }

    private func fits(_ used: Int64, _ bytes: Int64, _ limit: Int64) -> Bool {
        used.saturatingSum(bytes) <= limit
    }

    private func count(_ folder: PlainFolder, depth: Int) throws(ConfinedError) -> Int64 {
        var sum: Int64 = 0
        for entry in try folder.entries(atMost: .max) {
            sum = sum.saturatingSum(StorageLimits.entryCost)
            if entry.kind == .file { sum = sum.saturatingSum(try folder.status(entry.name)?.size ?? 0) }
            if entry.kind == .folder, depth > 0 {
                do throws(ConfinedError) {
                    sum = sum.saturatingSum(try count(folder.folder(entry.name), depth: depth - 1))
                } catch {
                    guard error.code == .notFound || error.code == .notDirectory else { throw error }
                }
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
