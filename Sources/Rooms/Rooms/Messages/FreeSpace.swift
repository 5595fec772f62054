import Foundation

/// Whether a disk has room for an incoming file.
enum FreeSpace {
    /// Bytes that stay free for other uses of the disk.
    static let reserve: UInt64 = 32 << 20

    /// A file system that does not report its free space counts as having room.
    static func isEnough(for file: StoredFile, in folder: String) -> Bool {
        let manager = FileManager.default
        let system = try? manager.attributesOfFileSystem(forPath: folder)
        guard let free = (system?[.systemFreeSize] as? NSNumber)?.uint64Value else { return true }
        let there = (try? manager.attributesOfItem(atPath: file.path))?[.size] as? UInt64 ?? 0
        return isEnough(free: free, for: file.offer.bytes, ofWhich: there)
    }

    /// - Parameter there: bytes of the file that have arrived already.
    static func isEnough(free: UInt64, for bytes: UInt64, ofWhich there: UInt64) -> Bool {
        let missing = bytes - min(bytes, there)
        return missing == 0 || free >= reserve && free - reserve >= missing
    }
}
