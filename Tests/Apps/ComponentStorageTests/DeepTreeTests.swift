import ComponentStorage
import Components
import Foundation
import Platform
import StorageClient
import Testing

@Suite("Folders that lie deep in each other") struct DeepTreeTests {
    /// Deeper than a path leads, and than a stack would like.
    private static let depth = 3_000

    /// Makes folders in folders behind the storage's back, with a file in each.
    private func dig(in path: String, fileSize: Int) throws {
        var folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        let bytes = [UInt8](repeating: 1, count: fileSize)
        for _ in 0..<Self.depth {
            let file = openat(folder, "f", O_WRONLY | O_CREAT | O_CLOEXEC, mode_t(0o600))
            #expect(write(file, bytes, bytes.count) == bytes.count)
            close(file)
            #expect(mkdirat(folder, "d", 0o700) == 0)
            let inner = openat(folder, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(inner >= 0)
            close(folder)
            folder = inner
        }
    }

    @Test("the quota counts what lies in them, and they are removed whole") func countedAndRemoved() async throws {
        var limits = StorageLimits()
        limits.quota = 3_000_000 + Int64(2 * Self.depth + 20) * StorageLimits.entryCost
        let storage = try StorageFixture(limits: limits)
        try storage.write("", to: "deep/first")
        try dig(in: storage.path + "/root/deep", fileSize: 1_000)
        let folder = try storage.folder()
        let half = [UInt8](repeating: 1, count: 500_000)
        #expect(try await failure { try await folder.write(half, "x") } == "EDQUOT quotaExceeded")
        try await folder.deleteFolder("deep", withContent: true)
        #expect(try await folder.names() == [])
        #expect(storage.unfinished().isEmpty)
        for number in 0..<6 { try await folder.write(half, "x\(number)") }
    }

    @Test("what a killed process left is removed, however deep") func leftovers() async throws {
        let storage = try StorageFixture()
        let left = storage.path + "/root/.alcove-work/killed"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try dig(in: left, fileSize: 1)
        try await storage.folder().write("x", "x")
        #expect(storage.unfinished().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test("nothing is moved to where no path would lead") func moving() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        let chain = String(repeating: "d/", count: 150)
        try await folder.write("x", "a/\(chain)file")
        try await folder.makeFolder("b/\(chain)")
        #expect(try await failure { try await folder.move("a", "b/\(chain)a") } == "EMFILE limitExceeded")
        // Also not in steps.
        try await folder.move("a/d/d/d", "short")
        try await folder.move("short", "b/short")
        #expect(try await folder.text("b/short/\(String(repeating: "d/", count: 147))file") == "x")
        #expect(try await failure { try await folder.move("b/short", "b/\(chain)s") } == "EMFILE limitExceeded")
        // A shorter way is always open.
        try await folder.move("b/short/\(String(repeating: "d/", count: 147))file", "b/file")
        #expect(try await folder.text("b/file") == "x")
        let long = String(repeating: "n", count: 250)
        try await folder.makeFolder("c/" + (0..<8).map { _ in long }.joined(separator: "/"))
        try await folder.makeFolder("e/" + (0..<8).map { _ in long }.joined(separator: "/"))
        let place = "e/" + (0..<8).map { _ in long }.joined(separator: "/")
        #expect(try await failure { try await folder.move("c", place + "/c") } == nil)
        try await folder.makeFolder("g/" + (0..<8).map { _ in long }.joined(separator: "/"))
        #expect(try await failure { try await folder.move("e", "g/\(long)/e") } == "EMFILE limitExceeded")
        try await folder.deleteFolder("e", withContent: true)
        #expect(try await folder.names() == ["a", "b", "g"])
    }
}
