import Cryptography
import Storage

/// Identifies the content of a file: as long as it does not change, neither do the bytes, as far as the file system
/// reports.
package struct FileStamp: Sendable, Equatable, Codable {
    var inode: UInt64
    var bytes: Int64
    /// Nanoseconds since 1970.
    var modified: Int64

    init(_ status: FileStatus) {
        (inode, bytes, modified) = (status.inode, status.size, status.modified.allNanoseconds)
    }

    /// Nil if there is no readable file.
    init?(of path: String) {
        guard let status = try? FileDescriptor.reading(path).status() else { return nil }
        self.init(status)
    }
}

/// The length and SHA-256 of a file that is to be offered.
struct FileDigest: Sendable {
    let bytes: UInt64
    let sha256: [UInt8]
    /// Nil if the file changed while it was read.
    let stamp: FileStamp?

    /// Progress is reported each time this many bytes were read.
    static let reportStep: UInt64 = 32 << 20

    /// Reads the whole file.
    /// - Throws: ``RoomsFailure`` with `fileUnreadable` or `fileTooLarge`; `CancellationError`.
    init(
        of path: String, atMost limit: UInt64, _ cancellation: FileQueue.Cancellation, progress: (UInt64) -> Void
    ) throws {
        do {
            let file = try FileDescriptor.reading(path)
            let before = FileStamp(try file.status())
            var hash = IncrementalHash(.sha256)
            var count: UInt64 = 0
            while true {
                try cancellation.check()
                let piece = try file.read(at: Int64(count), atMost: 1 << 20)
                if piece.isEmpty { break }
                hash.update(piece)
                let next = count + UInt64(piece.count)
                guard next <= limit else { throw RoomsFailure(.fileTooLarge) }
                if count / Self.reportStep != next / Self.reportStep { progress(next) }
                count = next
            }
            let after = FileStamp(try file.status())
            (bytes, sha256, stamp) = (count, hash.finalize(), before == after ? after : nil)
        } catch let error as FileError {
            throw RoomsFailure(.fileUnreadable, error.code == .damaged ? "it is not a file" : "")
        }
    }
}
