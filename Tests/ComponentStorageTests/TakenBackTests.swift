import ComponentStorage
import Components
import Foundation
import StorageClient
import Testing

@Suite("What is under way when a storage is taken back") struct TakenBackTests {
    private func largeFile(in storage: StorageFixture) throws {
        try storage.write("", to: "large")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: storage.path + "/root/large"))
        try file.truncate(atOffset: 2 << 30)
        try file.close()
    }

    /// Waits for work to have begun.
    private func untilUnderWay(_ storage: StorageFixture) async throws {
        while storage.unfinished().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("copies that wait, and the one that is being made, end and leave nothing") func copies() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        try storage.write("x", to: "small")
        try largeFile(in: storage)
        let large = Task { try await failure { try await folder.copyFile("large", "copy") } }
        try await untilUnderWay(storage)
        let waiting = (0..<150).map { number in
            Task { try await failure { try await folder.copyFile("small", "copy\(number)") } }
        }
        storage.root.close()
        #expect(try await large.value == "storageClosed")
        for one in waiting { #expect(try await one.value == "storageClosed") }
        #expect(try storage.names() == ["large", "small"])
        #expect(storage.unfinished().isEmpty)
    }

    @Test("a copy into another storage ends when what it reads is taken back") func readingFromOthers() async throws {
        let (ours, theirs) = (try StorageFixture(), try StorageFixture())
        let given = try FolderClient(theirs.root.serve(writable: false, on: ours.host), on: ours.app)
        let folder = try ours.folder()
        try largeFile(in: theirs)
        let file = try await given.readonlyFile("large")
        let copying = Task { try await failure { try await folder.save(file, "copy") } }
        try await untilUnderWay(ours)
        theirs.root.close()
        #expect(try await copying.value == "storageClosed")
        #expect(try ours.names() == [])
        try await folder.write("x", "still here")
    }

    @Test("a folder that is being copied ends between two of its files") func folders() async throws {
        let storage = try StorageFixture()
        let folder = try storage.folder()
        for number in 0..<2_000 { try storage.write("x", to: "many/\(number)") }
        let copying = Task { try await failure { try await folder.copyFolder("many", "copy") } }
        try await untilUnderWay(storage)
        storage.root.close()
        #expect(try await copying.value == "storageClosed")
        #expect(try storage.names() == ["many"])
    }

    @Test("what a search found is not told any more") func found() async throws {
        let storage = try StorageFixture()
        try storage.write("x", to: "file")
        var search = try storage.folder().object.observe("select", body: Criteria(pattern: "*").request.encoded)
            .makeAsyncIterator()
        let reference = try CommonProto.ObjectReference(decoding: #require(try await search.next()))
        #expect(try await search.next() == nil)
        let items = try storage.app.remote(reference, as: .collection)
        storage.root.close()
        #expect(try await failure { try await items.call("getAll") } == "storageClosed")
    }
}
