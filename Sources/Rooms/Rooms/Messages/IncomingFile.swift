import Cryptography
import Foundation
import Storage

/// A file that is being received: written to a partial file, hashed meanwhile, and moved to its name when it is
/// complete.
struct IncomingFile {
    let stored: StoredFile
    private let handle: FileHandle
    private var hash: IncrementalHash
    private(set) var offset: UInt64

    /// Whether some of its bytes are on disk, so that opening it takes time.
    static func isBegun(_ stored: StoredFile) throws -> Bool {
        guard FileManager.default.fileExists(atPath: stored.path) else { return false }
        return try FileManager.default.attributesOfItem(atPath: stored.path)[.size] as? UInt64 != 0
    }

    /// Opens the partial file and continues after its bytes. These are read first, which may take long.
    init(_ stored: StoredFile, _ cancellation: FileQueue.Cancellation = FileQueue.Cancellation()) throws {
        let manager = FileManager.default
        if !manager.fileExists(atPath: stored.path) {
            guard manager.createFile(atPath: stored.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw RoomsFailure(.storageFailed, "the folder of received files cannot be written")
            }
        }
        guard let handle = FileHandle(forUpdatingAtPath: stored.path) else { throw RoomsFailure(.storageFailed) }
        self.stored = stored
        self.handle = handle
        hash = IncrementalHash(.sha256)
        offset = 0
        while offset < stored.offer.bytes, let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
            try cancellation.check()
            hash.update(data)
            offset += UInt64(data.count)
        }
        // A file longer than the offered one cannot be a part of it.
        if offset > stored.offer.bytes {
            try handle.truncate(atOffset: 0)
            hash = IncrementalHash(.sha256)
            offset = 0
        }
    }

    var isWhole: Bool { offset == stored.offer.bytes }

    /// Writes a chunk, if it is the next one.
    /// - Returns: whether it was.
    mutating func write(_ bytes: [UInt8], at position: UInt64) throws -> Bool {
        guard position == offset, UInt64(bytes.count) <= stored.offer.bytes - offset else { return false }
        try handle.write(contentsOf: bytes)
        hash.update(bytes)
        offset += UInt64(bytes.count)
        return true
    }

    /// Checks the whole file and gives it a free name in the folder. The caller removes the partial file, once the
    /// arrival of the file is stored.
    ///
    /// When it returns, bytes and name are on the disk. The folder may be on another file system than the profile, so
    /// flushing the profile later would not flush them. This may take long.
    /// - Parameter flush: returns when the names in a folder are on the disk.
    /// - Returns: its path; nil if the bytes are not those that were offered.
    func finish(in folder: String, flush: (String) throws -> Void = Self.flush) throws -> String? {
        guard hash.finalize() == stored.offer.sha256 else { return nil }
        try handle.synchronize()
        let path = try Self.link(stored.path, to: stored.offer.name, in: folder)
        try flush(folder)
        return path
    }

    private static func flush(_ folder: String) throws { try Folder(folder).synchronize() }

    /// Never replaces a file: `name`, then `name (2)`, and so on.
    private static func link(_ path: String, to name: String, in folder: String) throws -> String {
        let (stem, suffix) = FileName.parts(FileName.safe(name))
        for count in 1...10_000 {
            let target = folder + "/" + (count == 1 ? stem + suffix : "\(stem) (\(count))\(suffix)")
            // A hard link fails if the name is taken, also if another process takes it at the same time.
            do {
                try FileManager.default.linkItem(atPath: path, toPath: target)
            } catch CocoaError.fileWriteFileExists {
                // A process that died may have put this same file there.
                guard let number = try number(of: target), try number == self.number(of: path) else { continue }
            }
            return target
        }
        throw RoomsFailure(.storageFailed, "there are too many files of that name")
    }

    /// The identity of a file in its file system, independent of its names.
    private static func number(of path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
    }
}
