internal import Components
internal import Storage
internal import Synchronization

/// Counts the bytes of folders that one limit holds for, and says no beyond it: contents, attributes, and
/// ``StorageLimits/entryCost`` for each file, folder and link.
///
/// All storages that are opened in these folders share one, so that nothing is gained by opening another one. It counts what goes
/// through it. Others may write into the same folders, so it counts anew before it refuses, but not more often than every few seconds:
/// an app that has used up its quota must not keep the disk busy. Only the calls that need a count wait for it, and a count ends
/// where it goes beyond the limit, so it looks at no more entries than the limit has room for.
package final class StorageQuota: Sendable {
    private let folders: [String]
    private let limit: Int64?
    private let pause: Duration
    private struct State {
        /// nil before the first count.
        var used: Int64?
        var counted: ContinuousClock.Instant?
    }
    private let state = Mutex(State())
    /// Held by the one that counts.
    private let counting = Mutex(())
    /// Held while a file gets its version and its name.
    let changing = Mutex(())

    /// - Parameters:
    ///   - folders: paths of the host. Those that are missing hold nothing.
    ///   - limit: bytes; nil for no limit but the disk's.
    ///   - pause: how long nothing is counted anew after a count.
    package init(_ folders: [String], limit: Int64?, pause: Duration = StorageLimits().recountPause) {
        self.folders = folders
        self.limit = limit
        self.pause = pause
    }

    /// Takes bytes, or throws and takes none.
    /// - Parameter proceed: asked for every folder and again and again while it counts; throws when the work is to end.
    func reserve(
        _ bytes: Int64, at location: Location, while proceed: () throws(RuntimeException) -> Void
    ) throws(RuntimeException) {
        guard let limit, bytes > 0 else { return }
        if try take(bytes, limit, at: location) { return }
        try counting.withLock { (_) throws(RuntimeException) in
            // Somebody else may have counted meanwhile.
            if try take(bytes, limit, at: location) { return }
            let before = state.withLock { $0.used }
            let counted = try count(beyond: limit, at: location, while: proceed)
            state.withLock { state in
                // What was taken and given back meanwhile.
                let change = before.flatMap { before in state.used.map { $0 - before } } ?? 0
                state = State(used: max(0, counted.saturatingSum(change)), counted: .now)
            }
            // However long the count took: what it says decides.
            _ = try take(bytes, limit, at: location, isCounted: true)
        }
    }

    /// Takes bytes if they fit into what is known; false if it has to be counted first.
    private func take(
        _ bytes: Int64, _ limit: Int64, at location: Location, isCounted: Bool = false
    ) throws(RuntimeException) -> Bool {
        try state.withLock { state throws(RuntimeException) in
            guard let used = state.used, let counted = state.counted else { return false }
            if fits(used, bytes, limit) {
                state.used = used + bytes
                return true
            }
            guard isCounted || counted.duration(to: .now) < pause else { return false }
            throw .file(
                code: "EDQUOT", flag: "quotaExceeded", at: location.shown,
                cause: used > limit
                    ? "the app may keep \(limit) bytes, and more are taken; remove what is not needed"
                    : "the app may keep \(limit) bytes, and \(used) are taken; remove what is not needed")
        }
    }

    /// Gives bytes back.
    func release(_ bytes: Int64) {
        state.withLock { state in
            // Counting stops at the limit, so the amount above it is unknown until it is counted anew.
            guard let used = state.used, let limit, used <= limit else { return }
            state.used = max(0, used - max(0, bytes))
        }
    }

    private func fits(_ used: Int64, _ bytes: Int64, _ limit: Int64) -> Bool {
        used.saturatingSum(bytes) <= limit
    }

    /// Ends where it is more than `limit`.
    private func count(
        beyond limit: Int64, at location: Location, while proceed: () throws(RuntimeException) -> Void
    ) throws(RuntimeException) -> Int64 {
        var sum: Int64 = 0
        for path in folders {
            var walk: TreeWalk
            do throws(FileError) {
                walk = TreeWalk(try ConfinedFolder(path).root)
            } catch {
                guard error.code == .missing else { throw .file(error, at: location.shown) }
                continue
            }
            var goesOn = true
            while goesOn {
                try proceed()
                goesOn = try location.attempt { () throws(FileError) in
                    try walk.next { folder, _ in
                        sum = sum.saturatingSum(StoredAttributes.byteCount(of: folder))
                    } _: { (folder, entry) throws(FileError) in
                        sum = sum.saturatingSum(try Self.size(of: entry, in: folder))
                        return sum <= limit && !isEnded(proceed)
                    }
                }
                if sum > limit { return sum }
            }
            try proceed()
        }
        return sum
    }

    private func isEnded(_ proceed: () throws(RuntimeException) -> Void) -> Bool {
        do { try proceed() } catch { return true }
        return false
    }

    private static func size(of entry: FolderEntry, in folder: Folder) throws(FileError) -> Int64 {
        guard entry.kind == .file else { return StorageLimits.entryCost }
        return try StorageLimits.entryCost
            .saturatingSum(folder.status(of: entry.name)?.size ?? 0)
            .saturatingSum(StoredAttributes.byteCount(of: entry.name, in: folder))
    }
}

extension Int64 {
    /// Sizes that a file system tells may be anything.
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}
