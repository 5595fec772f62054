import AppCore
import Foundation

/// Adds up what a profile takes of the disk. What cannot be read counts nothing.
struct StorageMeasurement: Sendable {
    let profile: String
    let files: String
    let notes: String

    /// Files that are looked at; of more, the sum is too small.
    private static let limit = 200_000

    func usage() -> StorageUsage {
        let (inFiles, inNotes) = (Self.bytes(in: files), Self.bytes(in: notes))
        let inside = [(files, inFiles), (notes, inNotes)].filter { $0.0.hasPrefix(profile + "/") }.map(\.1)
        let rest = Self.bytes(in: profile) - inside.reduce(0, +)
        return StorageUsage(folder: profile, database: max(0, rest), files: inFiles, notes: inNotes)
    }

    /// The bytes of all files in a folder and in those below it. Links are not followed.
    private static func bytes(in folder: String) -> Int64 {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey]
        let walk = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys))
        var (sum, count) = (Int64(0), 0)
        while count < limit, let url = walk?.nextObject() as? URL {
            count += 1
            guard let values = try? url.resourceValues(forKeys: keys), values.isRegularFile == true else { continue }
            sum += Int64(values.fileSize ?? 0)
        }
        return sum
    }
}
