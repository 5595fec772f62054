public import Foundation

/// A disk of its own at a folder, in memory and small; gone afterwards. Only whoever administrates the machine can have one.
public struct SmallDisk: Sendable {
    public let folder: URL

    /// Whether this process may have one.
    public static let isAvailable: Bool = {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-disk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return (try? at(folder, kilobytes: 64) { _ in true }) ?? false
    }()

    /// Lends a disk.
    public static func at<Value>(_ folder: URL, kilobytes: Int, _ body: (SmallDisk) throws -> Value) throws -> Value {
        try mount(folder, kilobytes)
        defer { unmount(folder) }
        return try body(SmallDisk(folder: folder))
    }

    /// Lends a disk.
    public static func at<Value>(
        _ folder: URL, kilobytes: Int, _ body: (SmallDisk) async throws -> Value
    ) async throws -> Value {
        try mount(folder, kilobytes)
        defer { unmount(folder) }
        return try await body(SmallDisk(folder: folder))
    }

    private struct Refused: Error {}

    private static func mount(_ folder: URL, _ kilobytes: Int) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let size = "size=\(kilobytes)k"
        guard try Program.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder.path]).status == 0 else {
            throw Refused()
        }
    }

    private static func unmount(_ folder: URL) {
        // Lazily: whoever still has something open there keeps it until then.
        _ = try? Program.run(["umount", "-l", folder.path])
    }

    /// Leaves room for nothing. What becomes free later can be taken by calling it again.
    public func fill() throws {
        let file = filling
        if !FileManager.default.fileExists(atPath: file.path) {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        for size in [65536, 4096, 512, 1] {
            while (try? handle.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
        }
        try? handle.close()
    }

    /// Undoes ``fill()``.
    public func makeRoom() throws { try FileManager.default.removeItem(at: filling) }

    /// Lets nobody write to it any more, or again.
    public func setReadOnly(_ isReadOnly: Bool) throws {
        let mode = isReadOnly ? "remount,ro" : "remount,rw"
        guard try Program.run(["mount", "-o", mode, folder.path]).status == 0 else { throw Refused() }
    }

    private var filling: URL { folder.appending(path: "filling") }
}
