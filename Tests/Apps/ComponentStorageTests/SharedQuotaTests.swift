import Components
import Foundation
import Storage
import StorageClient
import Testing

@testable import ComponentStorage

@Suite("What counts against a quota") struct SharedQuotaTests {
    @Test("attributes count, and come back when they are removed, replaced or go with their file")
    func attributes() async throws {
        var limits = StorageLimits()
        limits.quota = 63_000
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
        limits.quota = 63_000
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
        let quota = StorageQuota(
            [parent + "/one", parent + "/two", parent + "/none"], limit: 45_000, pause: .seconds(3_600))
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

    @Test("beyond the quota, nothing is counted anew for a while", arguments: [true, false])
    func recounting(isWaiting: Bool) async throws {
        let path = StorageFixture.place + "/recounted-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(count: 50_000).write(to: URL(filePath: path + "/foreign"))
        let quota = StorageQuota([path], limit: 55_000, pause: isWaiting ? .seconds(3_600) : .zero)
        let (host, app) = ConnectedEnds.make()
        defer { host.close() }
        let folder = try FolderClient(StorageRoot(path, quota: quota).serve(writable: true, on: host), on: app)
        #expect(try await failure { try await folder.makeFolder("a") } == "EDQUOT quotaExceeded")
        // By somebody else.
        try FileManager.default.removeItem(atPath: path + "/foreign")
        let outcome = try await failure { try await folder.makeFolder("a") }
        #expect(outcome == (isWaiting ? "EDQUOT quotaExceeded" : nil))
    }

    @Test("what a file system refuses of attributes does not count") func refusedAttributes() async throws {
        var limits = StorageLimits()
        limits.quota = 1 << 20
        let storage = try StorageFixture(limits: limits, below: NSTemporaryDirectory())
        let folder = try storage.folder()
        try await folder.write("", "a")
        // More than the 64 KiB that Linux lists, whatever the file system.
        let value = [UInt8](repeating: 1, count: 16_000)
        for _ in 0..<20 {
            for name in ["a", "b", "c", "d", "e", "f"] {
                let set = [FileProto.NameAndXAttrValue(xaName: name, bytes: .init(value: value))]
                #expect(try await failure { try await folder.change("a", set: set) } != "EDQUOT quotaExceeded")
            }
        }
        try await folder.write([UInt8](repeating: 1, count: 800_000), "b")
    }
}

@Suite("Counts for a quota that are under way") struct EndedCountTests {
    @Test("what is taken back is not counted on, and nothing comes of it") func closing() throws {
        let storage = try StorageFixture()
        for number in 0..<2_000 { try storage.write("x", to: "d/\(number)") }
        let tree = storage.root.tree
        let quota = StorageQuota([storage.path + "/root"], limit: 1 << 30)
        var asked = 0
        #expect(throws: RuntimeException.self) {
            try quota.reserve(1, at: Location("f", beneath: .root)) { () throws(RuntimeException) in
                asked += 1
                if asked == 100 { storage.root.close() }
                try tree.checkOpen()
            }
        }
        // It ended there, and not with the last of the files.
        #expect((100...110).contains(asked))
    }
}
