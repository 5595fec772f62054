import ComponentStorage
import Components
import Foundation
import StorageClient
import Testing

@Suite("What counts against a quota") struct SharedQuotaTests {
    @Test("attributes count, and come back when they are removed, replaced or go with their file")
    func attributes() async throws {
        var limits = StorageLimits()
        limits.quota = 20_000
        // On a disk: not every file system in memory keeps attributes.
        let storage = try StorageFixture(limits: limits, below: NSTemporaryDirectory())
        let folder = try storage.folder()
        let value = { (count: Int) in
            FileProto.NameAndXAttrValue(xaName: "a", bytes: .init(value: [UInt8](repeating: 1, count: count)))
        }
        var made = 0
        for number in 0..<20 {
            let path = number % 2 == 0 ? "file\(number)" : "folder\(number)"
            let outcome = try await failure {
                if number % 2 == 0 { try await folder.write("", path) } else { try await folder.makeFolder(path) }
                try await folder.change(path, set: [value(1_500)])
            }
            if outcome == nil { made += 1 } else { #expect(outcome == "EDQUOT quotaExceeded") }
        }
        #expect(made == 9)
        // The same in place of the same takes no more in the end.
        try await folder.change("file0", set: [value(10)])
        for _ in 0..<20 { try await folder.change("file0", set: [value(1_000)]) }
        try await folder.change("file0", remove: ["a"])
        try await folder.deleteFile("file2")
        try await folder.write([UInt8](repeating: 1, count: 2_000), "other")
    }

    @Test("copies of attributes count") func copiedAttributes() async throws {
        var limits = StorageLimits()
        limits.quota = 20_000
        let storage = try StorageFixture(limits: limits, below: NSTemporaryDirectory())
        let folder = try storage.folder()
        try await folder.write("", "a")
        try await folder.change(
            "a", set: [.init(xaName: "a", bytes: .init(value: [UInt8](repeating: 1, count: 1_500)))])
        var copies = 0
        while copies < 20, try await failure({ try await folder.copyFile("a", "b\(copies)") }) == nil { copies += 1 }
        #expect(copies == 8)
    }

    @Test("storages that share a quota share what is left of it") func sharing() async throws {
        let parent = StorageFixture.place + "/shared-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: parent + "/one/lent", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: parent + "/two", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let quota = StorageQuota([parent + "/one", parent + "/two", parent + "/none"], limit: 21_500)
        let (host, app) = ConnectedEnds.make()
        defer { host.close() }
        let folders = try ["/one", "/one/lent", "/two"].map { name in
            let root = try StorageRoot(parent + name, quota: quota)
            return try FolderClient(root.serve(writable: true, on: host), on: app)
        }
        let bytes = [UInt8](repeating: 1, count: 5_000)
        for (number, folder) in folders.enumerated() { try await folder.write(bytes, "file\(number)") }
        for folder in folders {
            #expect(try await failure { try await folder.write(bytes, "more") } == "EDQUOT quotaExceeded")
        }
        try await folders[1].deleteFile("file1")
        try await folders[2].write(bytes, "more")
        #expect(try await failure { try await folders[0].write(bytes, "more") } == "EDQUOT quotaExceeded")
    }
}
