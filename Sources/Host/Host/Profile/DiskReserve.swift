import Cryptography
import Foundation
import Storage

/// A file that takes up room on the disk, to be given up when there is no other: so that a profile can be opened, unlocked, made
/// smaller and erased on a full disk, and what was said just before it was full is still saved.
struct DiskReserve: Sendable {
    /// What the reserve takes. A commit of some messages takes a hundredth of it.
    static let byteCount = 1 << 20

    let path: String

    /// Whether it is there. Without it nothing new is to be begun.
    var isKept: Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes it if it is missing, as soon as there is room for it and as much again.
    func keep() {
        guard !isKept, freeBytes >= 2 * Int64(Self.byteCount) else { return }
        // Random, because some file systems take no room for what they can compress.
        try? AtomicFile.write(SecureRandom.bytes(Self.byteCount), to: path, through: path + ".new")
    }

    /// Gives it up. False if it was gone already.
    func giveUp() -> Bool { isKept && (try? AtomicFile.remove(path)) != nil }

    /// Does something that writes; if the disk is full, once more without the reserve.
    func lent<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch {
            guard error.saysDiskIsFull, giveUp() else { throw error }
            return try body()
        }
    }

    private var freeBytes: Int64 {
        let folder = (path as NSString).deletingLastPathComponent
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    }
}

extension Error {
    /// Whether there was no room on the disk.
    var saysDiskIsFull: Bool {
        switch self {
        case let error as DatabaseError: error.isFullDisk
        case let error as FileError: error.code == .full
        case let error as VaultError: error.code == .diskFull
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        default: false
        }
    }
}
