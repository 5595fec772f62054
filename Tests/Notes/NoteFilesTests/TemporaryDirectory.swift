import Foundation
import NoteFiles

/// A storage directory and a place for writers, gone after the test.
final class TemporaryDirectory {
    let path: String
    let directory: StorageDirectory
    var home: String { path + "/home" }
    var root: String { path + "/notes" }

    init() throws {
        // In memory where the system can: no test asks anything of the disk itself, and a kill takes nothing from the kernel.
        let memory = "/dev/shm/"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        path = (isThere ? memory : NSTemporaryDirectory()) + "alcove-notes-\(UUID().uuidString)"
        for folder in [path, path + "/home"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        directory = try StorageDirectory(creating: path + "/notes")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func writer(at clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds) throws -> DirectoryWriter {
        DirectoryWriter(directory, lock: try WriterID.acquire(in: home), clock: clock)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: root + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: root + "/" + name)))
    }

    func contents(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
    }
}

extension [UInt8] {
    /// Bytes from hexadecimal digits, with spaces where they help the eye.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue).map(UInt8.init)
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
