internal import Components
internal import Storage
internal import Synchronization

/// Where everything is made before it gets its name, and goes before it is removed: a folder at the root of the storage, so that
/// one renaming does either.
///
/// Each process that changes something has a folder of its own in it, and holds its lock. Folders without a held lock belong to processes
/// that were killed, and are removed. Apps never see any of it.
final class WorkFolder: Sendable {
    /// What apps cannot name.
    static let name = ".alcove-work"

    private struct Held {
        var folder: Folder
        var name: String
        var lock: FileDescriptor
    }

    private let root: Folder
    private let held = Mutex<Held?>(nil)

    init(in root: Folder) { self.root = root }

    deinit {
        guard let held = held.withLock({ $0 }), let all = try? root.folder(Self.name) else { return }
        _ = try? TreeRemoval().remove(held.name, in: all)
        _ = try? root.removeEmptyFolder(Self.name)
    }

    /// The folder of this process. It is made when it is asked for the first time, and what others left is removed.
    func folder() throws(FileError) -> Folder { try hold().folder }

    /// Its path from the root of the storage.
    func path() throws(FileError) -> ConfinedPath { try ConfinedPath("\(Self.name)/\(hold().name)") }

    private func hold() throws(FileError) -> Held {
        try held.withLock { held throws(FileError) in
            if let held { return held }
            let made = try make()
            held = made
            return made
        }
    }

    /// A name that nothing in the work folder has.
    static func freshName() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }

    private func make() throws(FileError) -> Held {
        // Another process may take an empty folder away between making and holding it.
        for _ in 0..<16 {
            do throws(FileError) {
                if try root.status(of: Self.name) == nil { try root.makeFolder(Self.name) }
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
            do throws(FileError) {
                let all = try root.folder(Self.name)
                sweep(all)
                let name = Self.freshName()
                try all.makeFolder(name)
                let folder = try all.folder(name)
                if let lock = try folder.lock(), try all.status(of: name) != nil {
                    return Held(folder: folder, name: name, lock: lock)
                }
            } catch {
                guard error.code == .missing else { throw error }
            }
        }
        throw FileError(.busy, reason: "other processes keep taking the work folder away")
    }

    private func sweep(_ all: Folder) {
        for entry in (try? all.entries(atMost: 1000)) ?? [] where entry.kind == .folder {
            guard let folder = try? all.folder(entry.name), let lock = try? folder.lock() else { continue }
            _ = try? TreeRemoval().remove(entry.name, in: all)
            withExtendedLifetime(lock) {}
        }
    }
}

/// Removes whatever has a name in a work folder, with everything in it. Links are removed, not followed.
struct TreeRemoval {
    /// Entries of a folder that are in memory at the same time.
    private static let part = 1_000

    /// Folders that lie in it are brought up beside it first, so that none is too deep.
    ///
    /// Returns the bytes that the quota gets back.
    @discardableResult
    func remove(_ name: String, in folder: Folder) throws(FileError) -> Int64 {
        guard let status = try folder.status(of: name) else { return 0 }
        guard status.kind == .folder else { return try remove(name, status, in: folder) }
        var freed: Int64 = 0
        var waiting = [name]
        while let name = waiting.popLast() {
            let inner = try folder.folder(name)
            freed = freed.saturatingSum(StoredAttributes.byteCount(of: inner))
            while true {
                let part = try inner.someEntries(atMost: Self.part)
                if part.isEmpty { break }
                for entry in part {
                    if entry.kind == .folder {
                        let fresh = WorkFolder.freshName()
                        try inner.move(entry.name, to: folder, as: fresh, replacing: false)
                        waiting.append(fresh)
                    } else if let status = try inner.status(of: entry.name) {
                        freed = freed.saturatingSum(try remove(entry.name, status, in: inner))
                    }
                }
            }
            try folder.removeEmptyFolder(name)
            freed = freed.saturatingSum(StorageLimits.entryCost)
        }
        return freed
    }

    private func remove(
        _ name: String, _ status: FileStatus, in folder: Folder
    ) throws(FileError) -> Int64 {
        guard status.kind == .file else {
            try folder.remove(name)
            return StorageLimits.entryCost
        }
        let attributes = StoredAttributes.byteCount(of: name, in: folder)
        try folder.remove(name)
        return StorageLimits.entryCost.saturatingSum(status.size).saturatingSum(attributes)
    }
}
